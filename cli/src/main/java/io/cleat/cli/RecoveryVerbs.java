package io.cleat.cli;

import io.cleat.api.RecoveryChanged;
import io.cleat.api.RecoveryHolding;
import io.cleat.api.RecoveryNode;
import io.cleat.api.RecoveryState;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.LinkTrouble;
import io.cleat.base.VisibleText;

/** What a person sees of a recovery, and decides. */
final class RecoveryVerbs {
    private static final String ABANDON_FLAG = "abandon";
    private static final Flag END = Flag.yes("end", "End it: what the servers know is the past of all nodes.");
    private static final Flag FORCE = Flag.yes(
            "force", "With -end: though a node has not said what it holds. You vouch that it holds nothing any more.");
    private static final Flag ABANDON = Flag.value(
            ABANDON_FLAG,
            "node",
            "Free what this node holds, by its whole id. You vouch that its machine is off for good.");

    private RecoveryVerbs() {}

    static final Verb RECOVERY = Verb.named("operator recovery", "Show a recovery, or end it")
            .about("Servers that were restored from an older copy, or have lost the end of"
                    + " their log, do not know what their nodes have acted on. They"
                    + " then place, release and stop nothing, until you end that"
                    + " here: nodes end what the servers do not know, and each of"
                    + " their volumes is free once its node says that it is gone.")
            .flags(END, FORCE, ABANDON, Flag.JSON, Flag.TEMPLATE)
            .examples(
                    "cleat operator recovery",
                    "cleat operator recovery -end",
                    "cleat operator recovery -abandon=5ae3dc7e-1f2b-4c5d-8e9f-0a1b2c3d4e5f")
            .does(RecoveryVerbs::recovery);

    private static int recovery(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        String abandoned = call.flags().value(ABANDON_FLAG).orElse("");
        if (!abandoned.isEmpty()) {
            RecoveryChanged freed = call.client().agent().abandonHoldings(abandoned);
            call.out("Freed " + freed.Count() + " volumes that node " + abandoned + " held.");
            return 0;
        }
        if (call.flags().has("end")) {
            RecoveryChanged ended = call.client()
                    .agent()
                    .endRecovery(
                            System.getProperty("user.name", ""), call.flags().has("force"));
            call.out(
                    ended.Count() == 0
                            ? "There is no recovery."
                            : "The recovery is ended; " + ended.Count() + " nodes begin anew.");
            return 0;
        }
        RecoveryState state = call.client().agent().recovery();
        if (call.machine(state)) {
            return 0;
        }
        call.out(
                state.Active()
                        ? VisibleText.line(state.Description())
                        : "There is no recovery: the servers know what the nodes have acted on.");
        if (!state.Nodes().isEmpty()) {
            call.section("Nodes", nodes(state));
        }
        if (!state.NotHeard().isEmpty()) {
            call.section("Have not said yet what they hold", VisibleText.line(String.join(", ", state.NotHeard())));
        }
        if (!state.Holdings().isEmpty()) {
            call.section("Held for allocations that nobody knows", holdings(state));
        }
        return 0;
    }

    private static String nodes(RecoveryState state) {
        Columns columns = new Columns("ID", "Name", "Acted on", "Servers at", "Since");
        for (RecoveryNode node : state.Nodes()) {
            columns.row(
                    node.ID(),
                    node.Name(),
                    Long.toString(node.Version()),
                    Long.toString(node.KnownVersion()),
                    node.Since());
        }
        return columns.text();
    }

    private static String holdings(RecoveryState state) {
        Columns columns = new Columns("Node", "Allocation", "Plugin", "Volume", "Since");
        for (RecoveryHolding holding : state.Holdings()) {
            columns.row(holding.NodeID(), holding.AllocID(), holding.PluginID(), holding.ExternalID(), holding.Since());
        }
        return columns.text();
    }
}
