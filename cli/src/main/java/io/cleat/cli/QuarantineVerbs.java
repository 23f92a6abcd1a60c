package io.cleat.cli;

import io.cleat.api.CleatClient;
import io.cleat.api.NodeQuarantineRequest;
import io.cleat.api.Params;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.LinkTrouble;
import java.util.List;

/** Deciding who a node is, when two machines came as one. */
final class QuarantineVerbs {
    /** A word that is given by the node's name, so that no habit gives it. */
    static final Flag MACHINE_IS_OFF = Flag.value(
            "machine-is-off", "node", "The node's name: you vouch that its machine is off and writes no more.");

    private static final Flag ACCEPT = Flag.yes("accept", "Who was not let in is the node from now on.");
    private static final Flag DISMISS = Flag.yes("dismiss", "The node stays the machine it was.");

    private QuarantineVerbs() {}

    static List<Verb> all() {
        return List.of(Verb.named("node quarantine", "Decide who a node is that two machines came as")
                .takes(1, 1, "<node>")
                .about("A node is quarantined when somebody comes with its id and secret, and"
                        + " perhaps from another machine: a copy of its data directory,"
                        + " or the directory itself, moved. He is not let in, what the"
                        + " node holds is kept, and nothing new is placed there. node"
                        + " status says who came.\n\n"
                        + "With -dismiss the node stays the machine that it was; first"
                        + " stop the other one, or it comes again. With -accept the"
                        + " other one is the node, and what ran on the machine that it"
                        + " was counts as over: that machine must be off. If it still"
                        + " writes, two writers destroy the data.")
                .flags(ACCEPT, DISMISS, MACHINE_IS_OFF)
                .examples(
                        "cleat node quarantine -dismiss 2ac3ba71",
                        "cleat node quarantine -accept -machine-is-off=web-1 2ac3ba71")
                .does(QuarantineVerbs::decide));
    }

    private static int decide(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        DrainVerbs.exactlyOne(call, ACCEPT, DISMISS);
        boolean accept = call.flags().has(ACCEPT);
        String off = call.flags().value(MACHINE_IS_OFF.name()).orElse("");
        if (accept == off.isEmpty()) {
            throw new Failure(
                    accept
                            ? "-accept needs your word that the node's former machine is off"
                            : "-dismiss needs no word that a machine is off",
                    accept ? "to go on: -machine-is-off=NAME, the node's name" : "leave it out");
        }
        CleatClient client = call.client();
        String node = NodeVerbs.find(client, call.argument(0));
        client.nodes().quarantine(new NodeQuarantineRequest(accept, off, node), Params.none());
        call.out("Node \"%s\" quarantine ended: %s"
                .formatted(node, accept ? "the other machine is the node" : "it is as it was"));
        return 0;
    }
}
