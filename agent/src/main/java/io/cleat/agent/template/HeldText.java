package io.cleat.agent.template;

import io.cleat.base.Sha256;
import java.lang.ref.SoftReference;
import java.security.MessageDigest;
import java.util.Optional;

/**
 * A text that was rendered. It is kept as long as the heap has room: a job may have many templates, each of megabytes,
 * for as long as its tasks run. What is given up is rendered again, and is still told from another text. Immutable; any
 * thread.
 */
final class HeldText {
    private final SoftReference<String> text;
    private final byte[] digest;

    HeldText(String text) {
        this.text = new SoftReference<>(text);
        this.digest = Sha256.of(text);
    }

    /** Empty once it was given up. */
    Optional<String> text() {
        return Optional.ofNullable(text.get());
    }

    boolean is(String other) {
        return MessageDigest.isEqual(digest, Sha256.of(other));
    }

    /** Gives it up, as the collector does when the heap is short. */
    void giveUp() {
        text.clear();
    }
}
