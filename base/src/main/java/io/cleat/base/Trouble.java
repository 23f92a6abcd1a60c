package io.cleat.base;

import org.jspecify.annotations.Nullable;

/**
 * The outside world did not cooperate: a plugin, the kernel, a disk, a peer, a task driver.
 *
 * <p>Checked, because a caller that ignores an unknown effect loses data. The message says what was tried, on which
 * object, what came back, and what to do next; it never holds a secret.
 */
public abstract sealed class Trouble extends Exception
        permits PluginTrouble,
                KernelTrouble,
                DiskTrouble,
                LinkTrouble,
                DriverTrouble,
                LogTrouble,
                ArtifactTrouble,
                TemplateTrouble,
                ExpiredTrouble {
    private static final long serialVersionUID = 1;

    private final Effect effect;
    private final transient Retry retry;

    protected Trouble(String message, Effect effect, Retry retry, @Nullable Throwable cause) {
        super(message, cause);
        this.effect = effect;
        this.retry = retry;
    }

    /** What is known of the call's effect. */
    public final Effect effect() {
        return effect;
    }

    /** What the caller may do next. */
    public final Retry retry() {
        return retry;
    }

    /** The message, which every kind of trouble has. */
    public final String reason() {
        String message = getMessage();
        return message == null ? getClass().getSimpleName() : message;
    }
}
