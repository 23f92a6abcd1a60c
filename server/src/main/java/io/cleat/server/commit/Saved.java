package io.cleat.server.commit;

import io.cleat.base.DiskTrouble;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * What the applied entries come to, as it is kept outside of the log.
 *
 * @param machine which wrote it, or read it
 */
public record Saved<S>(Applied<S> applied, StateMachine<S, ?> machine) {
    /**
     * Writes it, as often as somebody asks, in the same bytes; {@code to} is not closed.
     *
     * @throws IOException {@code to} cannot be written
     */
    public void writeTo(OutputStream to) throws IOException {
        SnapshotCodec.write(applied, machine, to);
    }

    /**
     * Reads what was written, and nothing after it.
     *
     * @throws DiskTrouble it is damaged, or a newer program wrote it
     */
    public static <S> Saved<S> read(InputStream from, StateMachine<S, ?> machine) throws IOException, DiskTrouble {
        return new Saved<>(SnapshotCodec.read(from, machine), machine);
    }
}
