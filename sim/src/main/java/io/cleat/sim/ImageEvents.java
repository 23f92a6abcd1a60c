package io.cleat.sim;

import io.cleat.state.AllocationRow;
import io.cleat.state.ClaimId;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClaimState;
import io.cleat.state.ClusterState;
import io.cleat.state.EvaluationRow;
import io.cleat.state.JobRow;
import io.cleat.state.NodeRow;
import io.cleat.state.OperationRow;
import io.cleat.state.TableName;

/** What an applied entry has changed, as events of the run. */
final class ImageEvents {
    private static final int SHORT = 8;

    private final Trace trace;
    private final ClusterState before;
    private final ClusterState after;

    private ImageEvents(Trace trace, ClusterState before, ClusterState after) {
        this.trace = trace;
        this.before = before;
        this.after = after;
    }

    static void tell(Trace trace, ClusterState before, ClusterState after) {
        ImageEvents news = new ImageEvents(trace, before, after);
        if (news.isNew(TableName.NODES)) {
            after.nodes().forEach(news::node);
        }
        if (news.isNew(TableName.JOBS)) {
            after.childrenOf(Jobs.PERIODIC).forEach(news::child);
        }
        if (news.isNew(TableName.EVALUATIONS)) {
            after.evaluations().all().forEach(news::evaluation);
        }
        if (news.isNew(TableName.ALLOCATIONS)) {
            after.allocations().forEach(news::allocation);
        }
        if (news.isNew(TableName.CLAIMS)) {
            after.claims().all().forEach(news::claim);
        }
        if (news.isNew(TableName.OPERATIONS)) {
            after.operations().all().forEach(news::operation);
        }
    }

    private boolean isNew(TableName table) {
        return after.version(table) > before.version();
    }

    private void node(NodeRow row) {
        if (row.modifyVersion() > before.version()) {
            say("node " + row.name() + " " + row.status());
        }
    }

    private void child(JobRow row) {
        if (row.createVersion() > before.version()) {
            say("child job " + row.id().id());
            trace.count("child jobs");
        }
    }

    private void evaluation(EvaluationRow row) {
        if (row.modifyVersion() > before.version()) {
            say("eval "
                    + shortened(row.id())
                    + " of "
                    + row.job().id()
                    + " by "
                    + row.asked().triggeredBy()
                    + " "
                    + row.status()
                    + (row.waits().blockedBy() == null
                            ? ""
                            : " by " + row.waits().blockedBy().holder()));
        }
    }

    private void allocation(AllocationRow row) {
        if (row.modifyVersion() > before.version()) {
            say("alloc "
                    + shortened(row.id())
                    + " of "
                    + row.name()
                    + " on "
                    + row.placed().nodeName()
                    + " wanted "
                    + row.desired()
                    + " is "
                    + row.status()
                    + " "
                    + row.seen().statusDescription());
        }
    }

    private void claim(ClaimRow row) {
        if (row.modifyVersion() > before.version()) {
            if (row.state() == ClaimState.GRANTED && !isGranted(row.id())) {
                trace.count("claims granted");
            }
            say("claim of "
                    + row.volume().id()
                    + " for "
                    + shortened(row.allocId())
                    + " "
                    + row.state()
                    + (row.blockedBy() == null
                            ? ""
                            : " waits for " + row.blockedBy().holder()));
        }
    }

    private boolean isGranted(ClaimId id) {
        return before.claims()
                .get(id)
                .filter(row -> row.state() == ClaimState.GRANTED)
                .isPresent();
    }

    private void operation(OperationRow row) {
        if (row.modifyVersion() > before.version()) {
            say("operation "
                    + shortened(row.id())
                    + " "
                    + row.call().getClass().getSimpleName()
                    + " "
                    + row.state()
                    + (row.outcome() == null ? "" : " " + row.outcome()));
        }
    }

    private void say(String what) {
        trace.say("image", "  " + after.version() + " " + what);
    }

    private static String shortened(String id) {
        return id.substring(0, Math.min(SHORT, id.length()));
    }
}
