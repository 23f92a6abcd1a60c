package io.cleat.agent.network;

import io.cleat.base.IpText;
import io.cleat.base.TextRule;
import io.cleat.base.VisibleText;
import io.cleat.model.AllocAddress;
import io.cleat.model.NetworkDns;
import io.cleat.model.NetworkNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * What a plugin of the Container Network Interface answers to ADD, as far as it is understood here: the addresses of
 * the interface that tasks see, and whom they ask for names (CNI specification 1.1.0, section 5).
 */
final class CniResult {
    /** Of a machine or a task; more is a fault of the plugin. */
    private static final int MOST = 256;

    private static final int LONGEST_NAME = 15;

    private final JsonNode result;
    private String name = "";
    private String address4 = "";
    private String address6 = "";

    private CniResult(JsonNode result) {
        this.result = result;
    }

    /**
     * Where an allocation is, and how names are resolved there; empty where its interface has no address and no name
     * server is named.
     *
     * @param ifName the interface that the plugin was asked for
     * @param result a JSON object
     * @throws Faulty if it is not what the specification says
     */
    static Optional<AllocAddress> address(JsonNode result, String ifName) throws Faulty {
        CniResult reading = new CniResult(result);
        reading.read(ifName);
        String first = reading.address4.isEmpty() ? reading.address6 : reading.address4;
        Optional<NetworkDns> dns = dns(result);
        return first.isEmpty() && dns.isEmpty()
                ? Optional.empty()
                : Optional.of(new AllocAddress(
                        first.isEmpty() ? ifName : reading.name, first, reading.address6, dns.orElse(null)));
    }

    /** How names are resolved in its network; empty where it names no server. */
    private static Optional<NetworkDns> dns(JsonNode result) throws Faulty {
        JsonNode dns = result.path("dns");
        CniResult reading = new CniResult(dns);
        List<String> searches = reading.texts("search");
        String domain = dns.path("domain").asString("");
        NetworkDns found = new NetworkDns(
                reading.texts("nameservers"),
                searches.isEmpty() && !domain.isEmpty() ? List.of(domain) : searches,
                reading.texts("options"));
        if (found.servers().isEmpty()) {
            return Optional.empty();
        }
        List<String> faults = NetworkNames.faults(found);
        if (!faults.isEmpty()) {
            throw new Faulty(VisibleText.cut(String.join("; ", faults), 500));
        }
        return Optional.of(found);
    }

    private List<String> texts(String key) throws Faulty {
        List<String> texts = new ArrayList<>();
        for (JsonNode text : array(key)) {
            texts.add(text.asString(""));
        }
        return texts;
    }

    /** An answer that is none, and why. */
    static final class Faulty extends Exception {
        private static final long serialVersionUID = 1;

        Faulty(String message) {
            super(message);
        }
    }

    private void read(String ifName) throws Faulty {
        JsonNode interfaces = array("interfaces");
        for (JsonNode ip : array("ips")) {
            String address = address(ip);
            JsonNode index = ip.path("interface");
            String of = ifName;
            if (index.isNumber()) {
                JsonNode found = interfaces.path(index.asInt(-1));
                if (found.path("sandbox").asString("").isEmpty()) {
                    continue; // An address of the machine, such as the bridge's.
                }
                of = name(found);
            }
            take(of, address);
        }
    }

    private void take(String of, String address) {
        if (!name.isEmpty() && !name.equals(of)) {
            return;
        }
        name = of;
        if (address.indexOf(':') < 0) {
            address4 = address4.isEmpty() ? address : address4;
        } else {
            address6 = address6.isEmpty() ? address : address6;
        }
    }

    private JsonNode array(String key) throws Faulty {
        JsonNode array = result.path(key);
        boolean isThere = !array.isMissingNode() && !array.isNull();
        if (isThere && (!array.isArray() || array.size() > MOST)) {
            throw new Faulty("\"" + key + "\" in its answer is no list of at most " + MOST + " entries");
        }
        return array;
    }

    private static String name(JsonNode found) throws Faulty {
        String name = found.path("name").asString("");
        if (name.isEmpty()
                || name.length() > LONGEST_NAME
                || TextRule.lineFault(name).isPresent()) {
            throw new Faulty("an interface in its answer is called " + shown(name));
        }
        return name;
    }

    private static String address(JsonNode ip) throws Faulty {
        String text = ip.path("address").asString("");
        int slash = text.indexOf('/');
        Optional<String> address = slash < 0 ? Optional.empty() : IpText.canonical(text.substring(0, slash));
        if (address.isEmpty()) {
            throw new Faulty("an address in its answer is "
                    + shown(text)
                    + ": expected one with its prefix, such as 192.0.2.2/24");
        }
        return address.get();
    }

    private static String shown(String text) {
        return TextRule.quoted(VisibleText.cut(text, 100));
    }
}
