package io.cleat.kernel;

import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;

/** The kernel's own no to a path call. */
final class PathRefused extends KernelTrouble {
    private static final long serialVersionUID = 1;

    private final int errno;

    PathRefused(String message, int errno, Effect effect, Retry retry) {
        super(message, effect, retry);
        this.errno = errno;
    }

    /** See {@link Errno}. */
    int errno() {
        return errno;
    }
}
