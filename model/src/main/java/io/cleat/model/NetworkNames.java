package io.cleat.model;

import io.cleat.base.IpText;
import io.cleat.base.TextRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * What may be the name of a host (RFC 1123), and what may be written in {@code resolv.conf}: it cannot end a line
 * there.
 */
public final class NetworkNames {
    /** Characters that Linux keeps of a host's name. */
    private static final int LONGEST_HOST = 63;

    /** Characters of a name with all its domains. */
    private static final int LONGEST_DOMAIN = 253;

    /** Programs ask no more name servers (resolv.conf(5)). */
    private static final int MOST_SERVERS = 3;

    private static final int MOST_SEARCHES = 32;
    private static final int MOST_OPTIONS = 32;
    private static final Pattern NAMES = Pattern.compile(
            "[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*+");
    private static final Pattern OPTION = Pattern.compile("[A-Za-z0-9:._-]{1,64}");

    private NetworkNames() {}

    /** What is wrong with the name of a host; empty if nothing is. */
    public static Optional<String> hostFault(String name) {
        return name.length() <= LONGEST_HOST && NAMES.matcher(name).matches()
                ? Optional.empty()
                : Optional.of("hostname is "
                        + TextRule.quoted(name)
                        + ": expected 1 to "
                        + LONGEST_HOST
                        + " letters, digits and dashes, with dots between names");
    }

    /** All that is wrong; empty if nothing is. */
    public static List<String> faults(NetworkDns dns) {
        List<String> faults = new ArrayList<>();
        most("servers", dns.servers(), MOST_SERVERS, ", since programs ask no more", faults);
        each(
                "server",
                dns.servers(),
                server -> IpText.canonical(server).isPresent(),
                "an address, such as 192.0.2.53 or fd00::53",
                faults);
        most("searches", dns.searches(), MOST_SEARCHES, "", faults);
        each(
                "search",
                dns.searches(),
                NetworkNames::isDomain,
                "a domain of letters, digits and dashes, such as inner.example.com",
                faults);
        most("options", dns.options(), MOST_OPTIONS, "", faults);
        each(
                "option",
                dns.options(),
                option -> OPTION.matcher(option).matches(),
                "one of resolv.conf(5), such as ndots:2",
                faults);
        return faults;
    }

    private static boolean isDomain(String text) {
        String name = text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
        return text.equals(".")
                || (name.length() <= LONGEST_DOMAIN && NAMES.matcher(name).matches());
    }

    private static void most(String what, List<String> given, int most, String why, List<String> faults) {
        if (given.size() > most) {
            faults.add("dns has " + given.size() + " " + what + ": at most " + most + why);
        }
    }

    private static void each(
            String what, List<String> given, Predicate<String> isRight, String expected, List<String> faults) {
        given.stream()
                .filter(isRight.negate())
                .forEach(text -> faults.add("dns " + what + " " + TextRule.quoted(text) + " is not " + expected));
    }
}
