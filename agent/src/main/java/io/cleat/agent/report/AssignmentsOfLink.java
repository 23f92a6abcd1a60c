package io.cleat.agent.report;

import io.cleat.base.Effect;
import io.cleat.base.LinkTrouble;
import io.cleat.base.Retry;
import io.cleat.wire.ToNode;
import java.util.ArrayList;
import java.util.List;

/**
 * What a server says on one link that this node is to make true: all of it, in parts, and then what is different. Only
 * what this node obeys is handed on, and no difference from what it has not obeyed.
 *
 * <p>One thread.
 */
final class AssignmentsOfLink {
    private static final long NONE = -1;

    private final LastObeyed obeyed;
    private final ServerSession.Assigned assigned;
    private List<ToNode.Assignment> parts = new ArrayList<>();

    /** The version that was handed on last; none until all was. */
    private long acted = NONE;

    AssignmentsOfLink(LastObeyed obeyed, ServerSession.Assigned assigned) {
        this.obeyed = obeyed;
        this.assigned = assigned;
    }

    void hear(ToNode.Assignments part) throws InterruptedException {
        parts.addAll(part.allocations());
        if (part.more()) {
            return;
        }
        List<ToNode.Assignment> all = parts;
        parts = new ArrayList<>();
        acted = NONE;
        if (obeyed.obey(part.version(), part.lineage())) {
            assigned.assign(part.version(), all);
            acted = part.version();
        }
    }

    /** @throws LinkTrouble if they are changes of something that this node has not acted on */
    void hear(ToNode.AssignmentChanges changes) throws LinkTrouble, InterruptedException {
        if (changes.since() != acted || !obeyed.obey(changes.version(), changes.lineage())) {
            throw new LinkTrouble(
                    "the server says what is different since its version "
                            + changes.since()
                            + ", and this node "
                            + (acted == NONE
                                    ? "has acted on nothing that it said on this link"
                                    : "has acted on version " + acted)
                            + ": it is to say all anew",
                    Effect.NONE,
                    Retry.SAME_CALL);
        }
        assigned.change(changes.version(), changes.allocations(), changes.gone());
        acted = changes.version();
    }
}
