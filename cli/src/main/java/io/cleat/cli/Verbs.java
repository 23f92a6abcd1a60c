package io.cleat.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Every verb, by its first word. A family is described only when it is asked for. */
final class Verbs {
    /** One word for a frequent two. */
    static final Map<String, String> ALIASES = Map.of(
            "run", "job run",
            "plan", "job plan",
            "validate", "job validate",
            "status", "job status",
            "stop", "job stop");

    private static final Map<String, Supplier<List<Verb>>> FAMILIES = families();

    private Verbs() {}

    private static Map<String, Supplier<List<Verb>>> families() {
        Map<String, Supplier<List<Verb>>> families = new LinkedHashMap<>();
        families.put(
                "job",
                () -> join(
                        SubmitVerbs.jobs(),
                        JobVerbs.all(),
                        VersionVerbs.all(),
                        TagVerbs.all(),
                        List.of(ScalingVerbs.EVENTS),
                        LaunchVerbs.all()));
        families.put("deployment", DeploymentVerbs::all);
        families.put("eval", EvaluationVerbs::all);
        families.put("alloc", AllocationVerbs::all);
        families.put(
                "node",
                () -> join(
                        NodeVerbs.all(),
                        NodeMetaVerbs.all(),
                        NodePoolVerbs.all(),
                        DrainVerbs.all(),
                        QuarantineVerbs.all()));
        families.put(
                "volume",
                () -> join(
                        SubmitVerbs.volumes(),
                        VolumeVerbs.all(),
                        CancelVerbs.all(),
                        ClaimVerbs.all(),
                        SnapshotVerbs.all()));
        families.put("plugin", PluginVerbs::all);
        families.put("scaling", ScalingVerbs::policies);
        families.put("namespace", NamespaceVerbs::all);
        families.put("var", VariableVerbs::all);
        families.put("service", ServiceVerbs::all);
        families.put("agent-info", () -> List.of(ServerVerbs.AGENT_INFO));
        families.put("monitor", () -> List.of(AgentMonitor.VERB));
        families.put("server", ServerVerbs::members);
        families.put("operator", ServerVerbs::operator);
        families.put("system", ServerVerbs::system);
        families.put("version", () -> List.of(VERSION));
        return families;
    }

    static final Verb VERSION = Verb.named("version", "Print the program's version")
            .examples("cleat version")
            .does(call -> {
                call.out("Cleat v" + Version.CURRENT);
                return 0;
            });

    /** All of them, one family after the other. */
    @SafeVarargs
    static List<Verb> join(List<Verb>... some) {
        List<Verb> all = new ArrayList<>();
        for (List<Verb> each : some) {
            all.addAll(each);
        }
        return List.copyOf(all);
    }

    /** The verbs that start with {@code word}; empty when none does. */
    static Optional<List<Verb>> family(String word) {
        return Optional.ofNullable(FAMILIES.get(word)).map(Supplier::get);
    }

    /** All verbs, in the order of the help. */
    static List<Verb> all() {
        List<Verb> all = new ArrayList<>();
        FAMILIES.values().forEach(family -> all.addAll(family.get()));
        return all;
    }
}
