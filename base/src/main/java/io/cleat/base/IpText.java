package io.cleat.base;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Addresses of IPv4 and IPv6 as people write them. Never asks a name server. */
public final class IpText {
    private static final Pattern FOUR_NUMBERS = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");

    private IpText() {}

    /** Without the interface; of IPv6 the shortest form (RFC 5952). */
    public static String of(InetAddress address) {
        String text = address.getHostAddress();
        int scope = text.indexOf('%');
        String plain = scope < 0 ? text : text.substring(0, scope);
        return address instanceof Inet6Address ? shortened(plain) : plain;
    }

    /** An address in the form of {@link #of}; empty if the text is none, or names an interface. */
    public static Optional<String> canonical(String text) {
        boolean isV6 = text.indexOf(':') >= 0;
        if (text.indexOf('%') >= 0 || !(isV6 || FOUR_NUMBERS.matcher(text).matches())) {
            return Optional.empty();
        }
        try {
            return Optional.of(of(InetAddress.ofLiteral(text)));
        } catch (IllegalArgumentException noAddress) {
            return Optional.empty();
        }
    }

    /** The longest run of two or more groups of zero is left out. */
    private static String shortened(String address) {
        String[] groups = address.split(":", -1);
        int best = 0;
        int length = 1;
        for (int i = 0; i < groups.length; i++) {
            int end = i;
            while (end < groups.length && groups[end].equals("0")) {
                end++;
            }
            if (end - i > length) {
                best = i;
                length = end - i;
            }
        }
        if (length < 2) {
            return address;
        }
        List<String> all = List.of(groups);
        return String.join(":", all.subList(0, best))
                + "::"
                + String.join(":", all.subList(best + length, groups.length));
    }
}
