package io.cleat.kernel;

import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import java.nio.file.Path;

/**
 * Mounts of overlayfs: a directory that may be written in, seen on top of others that several share and nobody changes.
 *
 * <p>All options of a mount have 4,096 bytes together, of which paths of a hundred layers would be more. So the layers
 * are named by links, in a directory that is held open meanwhile.
 */
public final class Overlays {
    /** More than images have. */
    public static final int MOST_LAYERS = 127;

    private static final long MS_NOSUID = 2;
    private static final long MS_NODEV = 4;
    private static final long MS_PRIVATE = 1 << 18;

    private Overlays() {}

    /**
     * Mounts; no program in it gets the rights of its owner, no file counts as a device, and what is mounted in it
     * later is seen nowhere else. What layers hide is said by attributes of users, so that who unpacks them needs no
     * rights (Linux 5.11).
     *
     * @param links a directory that is the agent's, with links named {@code 0} to the lowest layer, {@code 1} to the
     *     next and so on; {@code upper} to the directory that may be written in, and {@code work} to an empty one
     *     beside it
     * @param layers how many there are
     * @throws KernelTrouble with no effect
     */
    public static void mount(Path links, int layers, Path target) throws KernelTrouble {
        if (layers < 1 || layers > MOST_LAYERS) {
            throw new IllegalArgumentException(layers + " layers");
        }
        int held = Libc.open(links.toString(), Libc.O_PATH | Libc.O_NOFOLLOW);
        if (held < 0) {
            throw trouble("opening " + links, held);
        }
        try {
            String at = "/proc/self/fd/" + held + "/";
            StringBuilder options = new StringBuilder("userxattr,lowerdir=");
            for (int layer = layers - 1; layer >= 0; layer--) {
                options.append(at).append(layer).append(layer == 0 ? "" : ":");
            }
            options.append(",upperdir=").append(at).append("upper");
            options.append(",workdir=").append(at).append("work");
            require(
                    target,
                    Libc.blocking(() -> Libc.mount(
                            "overlay", target.toString(), "overlay", MS_NOSUID | MS_NODEV, options.toString())));
            makePrivate(target);
        } finally {
            Libc.close(held);
        }
    }

    private static void makePrivate(Path target) throws KernelTrouble {
        int result = Libc.blocking(() -> Libc.mount("none", target.toString(), null, MS_PRIVATE, null));
        if (result < 0) {
            Libc.blocking(() -> Libc.unmount(target.toString(), 2));
            require(target, result);
        }
    }

    private static void require(Path target, int result) throws KernelTrouble {
        if (result < 0) {
            throw trouble(
                    "mounting the layers of an image at "
                            + target
                            + " (overlayfs with attributes of users: Linux 5.11 or newer, and a data"
                            + " directory that is not on an overlay itself)",
                    result);
        }
    }

    private static KernelTrouble trouble(String what, int result) {
        return new KernelTrouble(
                what + " failed: " + Errno.text(-result),
                Effect.NONE,
                result == -Errno.EBUSY ? Retry.SAME_CALL : Retry.AFTER_OBSERVING);
    }
}
