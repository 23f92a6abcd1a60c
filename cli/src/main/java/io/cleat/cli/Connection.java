package io.cleat.cli;

import io.cleat.api.ServerAddress;
import io.cleat.base.Refused;
import java.util.Optional;

/**
 * Where to ask and as whom: flags win over {@code CLEAT_} variables, which win over {@code NOMAD_} ones.
 *
 * @param address {@code http://HOST:PORT} or {@code unix:///PATH}
 * @param region empty for the agent's own
 * @param namespace {@code *} asks for all, in lists
 * @param token empty for none
 */
record Connection(String address, String region, String namespace, String token) {
    static final String DEFAULT_ADDRESS = "http://127.0.0.1:4646";

    /** The namespace of whoever says nothing. */
    static final String DEFAULT_NAMESPACE = "default";

    static Connection of(Flags flags, Environment environment) {
        return new Connection(
                setting(flags, "address", environment, "ADDR").orElse(DEFAULT_ADDRESS),
                setting(flags, "region", environment, "REGION").orElse(""),
                setting(flags, "namespace", environment, "NAMESPACE").orElse(DEFAULT_NAMESPACE),
                setting(flags, "token", environment, "TOKEN").orElse(""));
    }

    private static Optional<String> setting(Flags flags, String flag, Environment environment, String variable) {
        return flags.value(flag).filter(value -> !value.isEmpty()).or(() -> environment.setting(variable));
    }

    /**
     * The address, read.
     *
     * @throws Failure it is none
     */
    ServerAddress where() throws Failure {
        try {
            return ServerAddress.parse(address);
        } catch (Refused unreadable) {
            throw new Failure(unreadable.refusal().message(), "it comes from -address, CLEAT_ADDR or NOMAD_ADDR");
        }
    }

    /** Whether all namespaces are asked for. */
    boolean isAllNamespaces() {
        return namespace.equals("*");
    }

    @Override
    public String toString() {
        return "Connection[address=" + address + ", namespace=" + namespace + "]";
    }
}
