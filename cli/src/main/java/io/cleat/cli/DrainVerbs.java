package io.cleat.cli;

import io.cleat.api.CleatClient;
import io.cleat.api.DrainSpec;
import io.cleat.api.NodeDrainRequest;
import io.cleat.api.NodeEligibilityRequest;
import io.cleat.api.Params;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.LinkTrouble;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Emptying nodes, and keeping them empty. */
final class DrainVerbs {
    private static final Duration AT_ONCE = Duration.ofSeconds(-1);
    private static final Duration USUAL_DEADLINE = Duration.ofHours(1);

    private static final Flag SELF = Flag.yes("self", "The node of the agent that is asked.");
    private static final Flag ENABLE = Flag.yes("enable", "Drain the node.");
    private static final Flag DISABLE = Flag.yes("disable", "End the drain.");
    private static final Flag DEADLINE =
            Flag.value("deadline", "duration", "Stop what has not moved by then, such as 30m. Default: 1h.");
    private static final Flag FORCE = Flag.yes("force", "Stop all tasks at once. Plugins still go last.");
    private static final Flag NO_DEADLINE = Flag.yes("no-deadline", "Let tasks take as long as they need to move.");
    private static final Flag IGNORE_SYSTEM = Flag.yes("ignore-system", "Leave the allocations of system jobs.");
    private static final Flag KEEP = Flag.yes("keep-ineligible", "With -disable: the node still takes nothing new.");
    private static final Flag MESSAGE = Flag.value("m", "text", "Why, for whoever looks later.");
    private static final Flag META = Flag.repeated("meta", "key=value", "More to be kept with the drain.");
    private static final Flag DETACH = Flag.yes("detach", "Do not wait until the node is empty.");
    private static final Flag MONITOR = Flag.yes("monitor", "Only watch a drain that goes on.");
    private static final Flag YES = Flag.yes("yes", "Do not ask.");

    private DrainVerbs() {}

    static List<Verb> all() {
        return List.of(
                Verb.named("node drain", "Empty a node, or end that")
                        .takes(0, 1, "<node>")
                        .about("Moves everything off a node, in this order: tasks of service and"
                                + " batch jobs, of system jobs, then their volumes are"
                                + " unpublished, unstaged and detached, each acknowledged,"
                                + " and storage plugins end last. The node takes nothing"
                                + " new while it is drained, nor afterwards, until cleat"
                                + " node eligibility -enable. Ending the command does not"
                                + " end the drain.")
                        .flags(
                                ENABLE,
                                DISABLE,
                                DEADLINE,
                                FORCE,
                                NO_DEADLINE,
                                IGNORE_SYSTEM,
                                KEEP,
                                MESSAGE,
                                META,
                                DETACH,
                                MONITOR,
                                SELF,
                                YES)
                        .examples(
                                "cleat node drain -enable 2ac3ba71",
                                "cleat node drain -enable -deadline 10m -m \"new disk\" 2ac3ba71",
                                "cleat node drain -monitor 2ac3ba71",
                                "cleat node drain -disable 2ac3ba71")
                        .does(DrainVerbs::drain),
                Verb.named("node eligibility", "Say whether a node takes new allocations")
                        .takes(0, 1, "<node>")
                        .about("What runs on the node stays.")
                        .flags(
                                Flag.yes("enable", "The node takes new allocations."),
                                Flag.yes("disable", "It does not."),
                                SELF)
                        .examples("cleat node eligibility -disable 2ac3ba71", "cleat node eligibility -enable -self")
                        .does(DrainVerbs::eligibility));
    }

    private static int drain(Call call)
            throws Failure, UnexpectedAnswer, LinkTrouble, IOException, InterruptedException {
        exactlyOne(call, ENABLE, DISABLE, MONITOR);
        DrainSpec spec = spec(call);
        CleatClient client = call.client();
        String node = node(call, client);
        if (call.flags().has(MONITOR)) {
            return new DrainMonitor(call, client, node).watch();
        }
        boolean enable = call.flags().has(ENABLE);
        confirm(call, enable, node);
        client.nodes()
                .drain(
                        new NodeDrainRequest(
                                enable ? spec : null, !enable && !call.flags().has(KEEP), meta(call), node),
                        Params.none());
        call.outNow("Node \"%s\" drain strategy %s".formatted(node, enable ? "set" : "unset"));
        return enable && !call.flags().has(DETACH) ? new DrainMonitor(call, client, node).watch() : 0;
    }

    private static void confirm(Call call, boolean enable, String node) throws Failure, IOException {
        if (call.flags().has(YES) || !call.environment().terminal().canAsk()) {
            return;
        }
        if (!Question.yes(
                call,
                "Are you sure you want to %s drain mode for node \"%s\"?"
                        .formatted(enable ? "enable" : "disable", node))) {
            throw new Failure("not confirmed: nothing was changed");
        }
    }

    private static DrainSpec spec(Call call) throws Failure {
        Optional<String> given = call.flags().value(DEADLINE.name());
        boolean force = call.flags().has(FORCE);
        boolean none = call.flags().has(NO_DEADLINE);
        if ((force ? 1 : 0) + (none ? 1 : 0) + (given.isPresent() ? 1 : 0) > 1) {
            throw new Failure("-deadline, -force and -no-deadline exclude each other: give one of them");
        }
        Duration deadline = call.flags()
                .duration(DEADLINE.name(), "30m or 1h30m; at once is -force, never is -no-deadline")
                .orElse(USUAL_DEADLINE);
        if (force) {
            deadline = AT_ONCE;
        } else if (none) {
            deadline = Duration.ZERO;
        }
        return new DrainSpec(deadline.toNanos(), call.flags().has(IGNORE_SYSTEM));
    }

    private static Map<String, String> meta(Call call) throws Failure {
        Map<String, String> meta = new TreeMap<>();
        for (String pair : call.flags().values(META.name())) {
            int equals = pair.indexOf('=');
            if (equals < 1) {
                throw new Failure("-meta=%s: expected key=value".formatted(pair));
            }
            meta.put(pair.substring(0, equals), pair.substring(equals + 1));
        }
        call.flags().value(MESSAGE.name()).ifPresent(text -> meta.put("message", text));
        return meta;
    }

    private static int eligibility(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        exactlyOne(call, ENABLE, DISABLE);
        CleatClient client = call.client();
        String node = node(call, client);
        String wanted = call.flags().has(ENABLE) ? "eligible" : "ineligible";
        client.nodes().eligibility(new NodeEligibilityRequest(wanted, node), Params.none());
        call.out("Node \"%s\" scheduling eligibility set: %s for scheduling".formatted(node, wanted));
        return 0;
    }

    static void exactlyOne(Call call, Flag... flags) throws Failure {
        List<Flag> given = List.of(flags).stream().filter(call.flags()::has).toList();
        if (given.size() != 1) {
            String names = String.join(
                    ", ", List.of(flags).stream().map(flag -> "-" + flag.name()).toList());
            throw new Failure("give exactly one of " + names);
        }
    }

    /** The id of the node that is meant. */
    private static String node(Call call, CleatClient client) throws Failure, UnexpectedAnswer, LinkTrouble {
        boolean self = call.flags().has(SELF);
        if (self == call.argument().isPresent()) {
            throw new Failure("name a node, or give -self");
        }
        if (!self) {
            return NodeVerbs.find(client, call.argument(0));
        }
        String id =
                client.agent().self().stats().getOrDefault("client", Map.of()).getOrDefault("node_id", "");
        if (id.isEmpty()) {
            throw new Failure("the agent that was asked runs no node");
        }
        return id;
    }
}
