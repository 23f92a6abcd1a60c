package io.cleat.localplugin;

import io.cleat.csi.v1.CapacityRange;

/**
 * How big a volume becomes.
 *
 * <p>An ext4 volume is a whole number of MiB, at least 16 MiB and at most 8 TiB; what is required
 * is rounded up, and without any wish it is 64 MiB (or the limit, where that is less). A directory
 * has the size that is asked for, to the byte, and nothing enforces it; without a wish it is 0,
 * which says unknown.
 */
final class Sizes {
    static final long MIB = 1 << 20;
    static final long LEAST_EXT4 = 16 * MIB;
    static final long MOST_EXT4 = 8L << 40;
    static final long USUAL_EXT4 = 64 * MIB;

    private Sizes() {}

    /** The size for {@code range}, where 0 means that no bound is given (CSI, CapacityRange). */
    static long choose(VolumeType type, CapacityRange range) throws CallRefused {
        long required = range.getRequiredBytes();
        long limit = range.getLimitBytes();
        if (required < 0 || limit < 0) {
            throw CallRefused.invalid(
                    "capacity_range has a negative bound: required "
                            + required
                            + ", limit "
                            + limit);
        }
        if (limit > 0 && limit < required) {
            throw CallRefused.invalid(
                    "capacity_range requires " + required + " bytes and limits them to " + limit);
        }
        return switch (type) {
            case DIRECTORY -> required > 0 ? required : limit;
            case EXT4 -> ext4(required, limit);
        };
    }

    private static long ext4(long required, long limit) throws CallRefused {
        if (required > MOST_EXT4) {
            throw CallRefused.outOfRange(
                    "an ext4 volume has at most " + MOST_EXT4 + " bytes; required are " + required);
        }
        if (limit > 0 && limit < LEAST_EXT4) {
            throw CallRefused.outOfRange(
                    "an ext4 volume has at least " + LEAST_EXT4 + " bytes; the limit is " + limit);
        }
        if (required == 0) {
            return limit > 0 ? Math.min(USUAL_EXT4, limit / MIB * MIB) : USUAL_EXT4;
        }
        long bytes = Math.max(LEAST_EXT4, (required + MIB - 1) / MIB * MIB);
        if (limit > 0 && bytes > limit) {
            throw CallRefused.outOfRange(
                    "an ext4 volume is a whole number of MiB: "
                            + required
                            + " bytes become "
                            + bytes
                            + ", which is above the limit of "
                            + limit);
        }
        return bytes;
    }

    /** Whether a volume of {@code bytes} is what a create call for {@code range} would accept. */
    static boolean fits(long bytes, CapacityRange range) {
        return bytes >= range.getRequiredBytes()
                && (range.getLimitBytes() == 0 || bytes <= range.getLimitBytes());
    }
}
