package io.cleat.agent.template;

import io.cleat.template.Function;
import java.util.List;
import java.util.Map;

/** Functions of Nomad's templates that there are not here: each says what to do instead. */
final class RefusedFunctions {
    private static final List<Why> ALL = List.of(
            new Why(
                    "key keyExists keyOrDefault keys ls safeLs tree safeTree explode explodeMap byKey",
                    "it asks Consul's keys, and Cleat has no Consul; put the value into env, meta or a file"),
            new Why(
                    "service services node nodes datacenters partitions peerings connect byTag byMeta caRoots caLeaf",
                    "it asks Consul's services, and Cleat has no Consul; give the addresses in env or a file"),
            new Why(
                    "secret secrets pkiCert",
                    "it asks Vault, and Cleat has no Vault; keep the secret in a file and read that"),
            new Why("plugin", "it would run a program of the host; render what an artifact or a prestart task makes"),
            new Why("writeToFile", "it would write beside the destination; give the file a template of its own"),
            new Why("executeTemplate", "write {{ template \"name\" . }} instead"),
            new Why("toYAML parseYAML toTOML", "use toJSON and parseJSON: JSON is YAML too"),
            new Why("scratch", "use variables instead: {{ $x := ... }}"),
            new Why("spew_dump spew_printf spew_sdump spew_sprintf", "Cleat does not have it; use printf \"%v\""),
            new Why("sockaddr", "Cleat does not have it; put the address into env"));

    private RefusedFunctions() {}

    /** @param names with spaces between them */
    private record Why(String names, String reason) {}

    static void addTo(Map<String, Function> all) {
        for (Why why : ALL) {
            for (String name : why.names().split(" ", -1)) {
                all.put(name, (arguments, meter) -> {
                    throw Arguments.wrong(why.reason());
                });
            }
        }
    }
}
