package io.cleat.localplugin;

import io.cleat.csi.v1.CapacityRange;

/**
 * How big a volume becomes.
 *
 * <p>An image is a whole number of MiB, at least the least of its type and at most 8 TiB; what is required is rounded
 * up, and without any wish it is 64 MiB or the least (or the limit, where that is less). A directory has the size that
 * is asked for, to the byte, and nothing enforces it; without a wish it is 0, which says unknown.
 */
final class Sizes {
    static final long MIB = VolumeType.MIB;
    static final long MOST = 8L << 40;
    private static final long USUAL = 64 * MIB;

    /** The kernel refuses to make a Btrfs any smaller size, though it is bigger than before. */
    private static final long LEAST_GROWN_BTRFS = 256 * MIB;

    private Sizes() {}

    /** The size for {@code range}, where 0 means that no bound is given (CSI, CapacityRange). */
    static long choose(VolumeType type, CapacityRange range) throws CallRefused {
        check(range);
        long required = range.getRequiredBytes();
        long limit = range.getLimitBytes();
        if (!type.isImage()) {
            return required > 0 ? required : limit;
        }
        String an = "a volume of type " + type.word();
        if (required > MOST) {
            throw CallRefused.outOfRange(an + " has at most " + MOST + " bytes; required are " + required);
        }
        if (limit > 0 && limit < type.least()) {
            throw CallRefused.outOfRange(an + " has at least " + type.least() + " bytes; the limit is " + limit);
        }
        if (required == 0) {
            long usual = Math.max(USUAL, type.least());
            return limit > 0 ? Math.min(usual, limit / MIB * MIB) : usual;
        }
        long bytes = Math.max(type.least(), (required + MIB - 1) / MIB * MIB);
        if (limit > 0 && bytes > limit) {
            throw CallRefused.outOfRange(an
                    + " is a whole number of MiB: "
                    + required
                    + " bytes become "
                    + bytes
                    + ", which is above the limit of "
                    + limit);
        }
        return bytes;
    }

    /** The size for {@code range} of a volume that has, or whose content has, {@code bytes} already: never less. */
    static long atLeast(long bytes, VolumeType type, CapacityRange range) throws CallRefused {
        check(range);
        if (range.getLimitBytes() > 0 && range.getLimitBytes() < bytes) {
            throw CallRefused.outOfRange("there are "
                    + bytes
                    + " bytes already, and volumes are not made smaller; the limit is "
                    + range.getLimitBytes());
        }
        if (range.getRequiredBytes() <= bytes) {
            return bytes;
        }
        long chosen = choose(type, range);
        if (type != VolumeType.BTRFS || chosen >= LEAST_GROWN_BTRFS) {
            return chosen;
        }
        if (range.getLimitBytes() > 0 && range.getLimitBytes() < LEAST_GROWN_BTRFS) {
            throw CallRefused.outOfRange(
                    "Btrfs grows to at least " + LEAST_GROWN_BTRFS + " bytes; the limit is " + range.getLimitBytes());
        }
        return LEAST_GROWN_BTRFS;
    }

    private static void check(CapacityRange range) throws CallRefused {
        long required = range.getRequiredBytes();
        long limit = range.getLimitBytes();
        if (required < 0 || limit < 0) {
            throw CallRefused.invalid("capacity_range has a negative bound: required " + required + ", limit " + limit);
        }
        if (limit > 0 && limit < required) {
            throw CallRefused.invalid("capacity_range requires " + required + " bytes and limits them to " + limit);
        }
    }

    /** Whether a volume of {@code bytes} is what a create call for {@code range} would accept. */
    static boolean fits(long bytes, CapacityRange range) {
        return bytes >= range.getRequiredBytes() && (range.getLimitBytes() == 0 || bytes <= range.getLimitBytes());
    }
}
