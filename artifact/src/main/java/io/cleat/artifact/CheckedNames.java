package io.cleat.artifact;

import java.net.InetAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What names mean to this process. Where an {@link AddressRule} was begun, a name that stands for an address which the
 * rule refuses is not known: every connection by name is held to the rule, in whichever library it is made, and there
 * is no second look-up that could find another address. Everywhere else names are what they always are.
 */
public final class CheckedNames extends InetAddressResolverProvider {
    private static volatile @Nullable Checked checked;

    /** Found by the virtual machine. */
    public CheckedNames() {}

    /** A rule in force, and the names that it has refused. */
    record Checked(AddressRule rule, Set<String> excepted, Set<String> refused) {
        static Checked of(AddressRule rule, Set<String> excepted) {
            return new Checked(rule, Set.copyOf(excepted), ConcurrentHashMap.newKeySet());
        }
    }

    /**
     * Holds all names of this process to a rule from now on.
     *
     * @param excepted the hosts of proxies, which the operator named
     */
    static void begin(AddressRule rule, Set<String> excepted) {
        checked = Checked.of(rule, excepted);
    }

    /** Whether a name was not known because of the rule. */
    static boolean hasRefused(String host) {
        Checked current = checked;
        return current != null && current.refused().contains(host.toLowerCase(Locale.ROOT));
    }

    @Override
    public InetAddressResolver get(Configuration configuration) {
        return new Resolver(configuration.builtinResolver(), () -> checked);
    }

    @Override
    public String name() {
        return "cleat";
    }

    /** The machine's own look-up, held to the rule that is in force. */
    record Resolver(InetAddressResolver builtin, Supplier<@Nullable Checked> inForce) implements InetAddressResolver {
        @Override
        public Stream<InetAddress> lookupByName(String host, LookupPolicy policy) throws UnknownHostException {
            Stream<InetAddress> found = builtin.lookupByName(host, policy);
            Checked current = inForce.get();
            String name = host.toLowerCase(Locale.ROOT);
            if (current == null || current.excepted().contains(name)) {
                return found;
            }
            List<InetAddress> all = found.toList();
            for (InetAddress address : all) {
                if (!isLetThrough(current.rule(), address)) {
                    current.refused().add(name);
                    throw new UnknownHostException(host);
                }
            }
            return all.stream();
        }

        private static boolean isLetThrough(AddressRule rule, InetAddress address) {
            try {
                return rule.isLetThrough(address);
            } catch (SocketException unknown) {
                return false;
            }
        }

        @Override
        public String lookupByAddress(byte[] address) throws UnknownHostException {
            return builtin.lookupByAddress(address);
        }
    }
}
