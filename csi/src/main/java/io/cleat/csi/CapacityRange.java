package io.cleat.csi;

/**
 * How large a volume is to be, in bytes.
 *
 * @param requiredBytes at least this; 0 for no bound
 * @param limitBytes at most this; 0 for no bound
 */
public record CapacityRange(long requiredBytes, long limitBytes) {
    public static final CapacityRange ANY = new CapacityRange(0, 0);

    public CapacityRange {
        if (requiredBytes < 0 || limitBytes < 0 || (limitBytes > 0 && limitBytes < requiredBytes)) {
            throw new IllegalArgumentException("capacity from "
                    + requiredBytes
                    + " to "
                    + limitBytes
                    + " bytes; expected neither negative, the second not below the first");
        }
    }

    boolean isBounded() {
        return requiredBytes > 0 || limitBytes > 0;
    }
}
