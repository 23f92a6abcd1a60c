package io.cleat.cli;

import io.cleat.api.NodeMetaResponse;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.LinkTrouble;
import io.cleat.base.VisibleText;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What jobs may ask for of a node: shown, and said anew while it runs. */
final class NodeMetaVerbs {
    private static final int MOST = 256;
    private static final String NODE_FLAG = "node-id";
    private static final String UNSET_FLAG = "unset";
    private static final Flag NODE = Flag.value(
            NODE_FLAG,
            "node",
            "Of this node, by its id or the beginning of it; of the agent that is asked unless given.");

    private NodeMetaVerbs() {}

    static List<Verb> all() {
        return List.of(
                Verb.named("node meta apply", "Say what jobs may ask for of a node")
                        .takes(0, MOST, "[key=value]...")
                        .about("Says what jobs may ask for of a node as ${meta.key}, in constraints"
                                + " and tasks, over what it was started with. It is kept by"
                                + " the node, over its restarts. What runs there stays.")
                        .flags(
                                NODE,
                                Flag.value(UNSET_FLAG, "keys", "Take these keys away, separated by commas."),
                                Flag.JSON,
                                Flag.TEMPLATE)
                        .examples(
                                "cleat node meta apply -node-id=2ac3ba71 rack=r7 zone=a",
                                "cleat node meta apply -unset=rack")
                        .does(NodeMetaVerbs::apply),
                Verb.named("node meta read", "Show what jobs may ask for of a node")
                        .flags(NODE, Flag.JSON, Flag.TEMPLATE)
                        .examples("cleat node meta read -node-id=2ac3ba71")
                        .does(NodeMetaVerbs::read));
    }

    private static int apply(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        Map<String, @Nullable String> more = new TreeMap<>();
        for (String given : call.arguments()) {
            int equals = given.indexOf('=');
            if (equals < 1) {
                throw new Failure(
                        "\"%s\" says nothing of a key; expected key=value".formatted(given), "nothing was sent");
            }
            more.put(given.substring(0, equals), given.substring(equals + 1));
        }
        for (String key : call.flags().value(UNSET_FLAG).orElse("").split(",", -1)) {
            if (!key.isBlank()) {
                more.put(key.strip(), null);
            }
        }
        if (more.isEmpty()) {
            throw new Failure("nothing is said", "give key=value, or -unset=key: cleat node meta apply -h");
        }
        NodeMetaResponse answer = call.client().nodes().changeMeta(node(call), more);
        if (!call.machine(answer)) {
            call.out(VisibleText.line("Said: " + String.join(", ", more.keySet())));
        }
        return 0;
    }

    private static int read(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        NodeMetaResponse answer = call.client().nodes().meta(node(call));
        if (call.machine(answer)) {
            return 0;
        }
        call.out(call.title("All Meta") + "\n" + rows(answer.Meta()));
        call.section("Dynamic Meta", rows(answer.Dynamic()));
        call.section("Static Meta", rows(answer.Static()));
        return 0;
    }

    private static String rows(Map<String, ? extends @Nullable String> meta) {
        Rows rows = new Rows();
        meta.forEach(
                (key, value) -> rows.put(VisibleText.line(key), value == null ? "<unset>" : VisibleText.line(value)));
        return rows.text();
    }

    private static String node(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        Optional<String> given = call.flags().value(NODE_FLAG);
        return given.isEmpty() ? "" : NodeVerbs.find(call.client(), given.get());
    }
}
