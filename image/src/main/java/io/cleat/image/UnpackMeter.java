package io.cleat.image;

import io.cleat.base.ArtifactTrouble;
import io.cleat.base.Deadline;
import io.cleat.base.Retry;

/**
 * The limits of one image, and what it has taken of them. What would be too much is refused before it is written. One
 * thread.
 */
final class UnpackMeter {
    /** A layer that holds no more than this may be packed as well as it likes. */
    static final int ANY_RATIO = 16 << 20;

    private final UnpackLimits limits;
    private final Deadline deadline;
    private long bytes;
    private int entries;
    private long ofLayer;
    private long packed = Long.MAX_VALUE;

    UnpackMeter(UnpackLimits limits, Deadline deadline) {
        this.limits = limits;
        this.deadline = deadline;
    }

    /** From here on a layer of so many bytes is unpacked. */
    void layer(long size) {
        packed = size;
        ofLayer = 0;
    }

    /** So many bytes more come out of the layer. */
    void unpacked(long more) throws ArtifactTrouble {
        bytes += more;
        ofLayer += more;
        if (bytes > limits.bytes()) {
            throw refused("it holds more than "
                    + limits.bytes()
                    + " bytes unpacked, the most that this agent takes (-exec-image-max-unpacked)");
        }
        if (ofLayer > ANY_RATIO && ofLayer / limits.ratio() > packed) {
            throw refused("a layer of it holds more than "
                    + limits.ratio()
                    + " times its "
                    + packed
                    + " packed bytes, as what is made to fill disks does");
        }
        requireTime();
    }

    /** One entry more comes. */
    void entry() throws ArtifactTrouble {
        if (++entries > limits.entries()) {
            throw refused("it has more than "
                    + limits.entries()
                    + " entries, the most that this agent takes (-exec-image-max-files)");
        }
        requireTime();
    }

    void requireTime() throws ArtifactTrouble {
        if (deadline.isExpired()) {
            throw new ArtifactTrouble(late(limits), Retry.SAME_CALL);
        }
    }

    static String late(UnpackLimits limits) {
        return "it was not unpacked after "
                + limits.time().toSeconds()
                + " s, the longest that this agent waits (-exec-image-timeout)";
    }

    /** What may pass by itself. */
    static ArtifactTrouble again(String why) {
        return new ArtifactTrouble(why, Retry.SAME_CALL);
    }

    static ArtifactTrouble refused(String why) {
        return new ArtifactTrouble(why, Retry.NEVER);
    }
}
