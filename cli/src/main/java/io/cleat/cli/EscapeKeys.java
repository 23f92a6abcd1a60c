package io.cleat.cli;

import java.io.ByteArrayOutputStream;
import java.util.Optional;

/**
 * The way out of a terminal whose keys all go elsewhere: at the beginning of a line, the escape key and a full stop.
 * The escape key twice is the key itself.
 */
final class EscapeKeys {
    private final byte escape;
    private boolean atLineStart = true;
    private boolean held;

    EscapeKeys(byte escape) {
        this.escape = escape;
    }

    /** What of {@code keys} goes on; empty once the way out was taken. */
    Optional<byte[]> pass(byte[] keys, int count) {
        ByteArrayOutputStream passed = new ByteArrayOutputStream();
        for (int i = 0; i < count; i++) {
            byte key = keys[i];
            if (held) {
                held = false;
                if (key == '.') {
                    return Optional.empty();
                }
                if (key != escape) {
                    passed.write(escape);
                }
            } else if (atLineStart && key == escape) {
                held = true;
                continue;
            }
            passed.write(key);
            atLineStart = key == '\r' || key == '\n';
        }
        return Optional.of(passed.toByteArray());
    }
}
