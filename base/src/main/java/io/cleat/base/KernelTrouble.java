package io.cleat.base;

import org.jspecify.annotations.Nullable;

/**
 * The kernel, or a program that stands for it (mkfs, the path worker), refused a mount, a device, a cgroup or a path.
 */
public non-sealed class KernelTrouble extends Trouble {
    private static final long serialVersionUID = 1;

    public KernelTrouble(String message, Effect effect, Retry retry, @Nullable Throwable cause) {
        super(message, effect, retry, cause);
    }

    public KernelTrouble(String message, Effect effect, Retry retry) {
        this(message, effect, retry, null);
    }
}
