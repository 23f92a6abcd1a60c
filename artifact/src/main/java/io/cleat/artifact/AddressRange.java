package io.cleat.artifact;

import java.net.InetAddress;
import java.util.Optional;

/**
 * A range of addresses, such as {@code 127.0.0.0/8} or {@code fd00::/8}.
 *
 * @param bits how many of the first bits an address has in common with all others of the range
 */
public record AddressRange(InetAddress base, int bits) {
    /** Reads an address, or an address and a number of bits; empty if it is none. */
    public static Optional<AddressRange> parse(String text) {
        int slash = text.indexOf('/');
        try {
            InetAddress base = InetAddress.ofLiteral(slash < 0 ? text : text.substring(0, slash));
            int most = base.getAddress().length * Byte.SIZE;
            int bits = slash < 0 ? most : Integer.parseInt(text.substring(slash + 1));
            return bits < 0 || bits > most ? Optional.empty() : Optional.of(new AddressRange(base, bits));
        } catch (IllegalArgumentException unreadable) {
            return Optional.empty();
        }
    }

    /** Whether an address is in it. */
    public boolean has(InetAddress address) {
        byte[] own = base.getAddress();
        byte[] other = address.getAddress();
        if (own.length != other.length) {
            return false;
        }
        for (int bit = 0; bit < bits; bit++) {
            int mask = 0x80 >> (bit % Byte.SIZE);
            if (((own[bit / Byte.SIZE] ^ other[bit / Byte.SIZE]) & mask) != 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        return base.getHostAddress() + "/" + bits;
    }
}
