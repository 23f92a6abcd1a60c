package io.cleat.cli;

import io.cleat.api.AllocationStub;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/** Allocations as every object that has some lists them: newest first. */
final class AllocationsView {
    /** Stands for the table when there are none. */
    static final String NONE = "No allocations placed";

    private AllocationsView() {}

    static String table(List<AllocationStub> allocations, boolean verbose, Instant now) {
        if (allocations.isEmpty()) {
            return NONE;
        }
        Columns columns = verbose
                ? new Columns(
                        "ID",
                        "Eval ID",
                        "Node ID",
                        "Node Name",
                        "Task Group",
                        "Version",
                        "Desired",
                        "Status",
                        "Created",
                        "Modified")
                : new Columns("ID", "Node ID", "Task Group", "Version", "Desired", "Status", "Created", "Modified");
        List<AllocationStub> newestFirst = allocations.stream()
                .sorted(Comparator.comparingLong(AllocationStub::CreateIndex)
                        .reversed()
                        .thenComparing(AllocationStub::ID))
                .toList();
        for (AllocationStub one : newestFirst) {
            String created = Human.ago(one.CreateTime(), now);
            String modified = Human.ago(one.ModifyTime(), now);
            String version = Long.toString(one.JobVersion());
            if (verbose) {
                columns.row(
                        one.ID(),
                        one.EvalID(),
                        one.NodeID(),
                        one.NodeName(),
                        one.TaskGroup(),
                        version,
                        one.DesiredStatus(),
                        one.ClientStatus(),
                        created,
                        modified);
            } else {
                columns.row(
                        Human.id(one.ID(), false),
                        Human.id(one.NodeID(), false),
                        one.TaskGroup(),
                        version,
                        one.DesiredStatus(),
                        one.ClientStatus(),
                        created,
                        modified);
            }
        }
        return columns.text();
    }
}
