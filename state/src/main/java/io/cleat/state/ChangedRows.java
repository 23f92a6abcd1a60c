package io.cleat.state;

import java.util.List;

/** Which of the rows that are waited for one by one a change may make newer, or take away. */
public final class ChangedRows {
    private ChangedRows() {}

    /** Those of the tables that {@link RowId} has; none for a change of others. */
    public static List<RowId> by(Change change) {
        return switch (change) {
            case Change.NodePut(NodeRow row) -> List.of(RowId.node(row.id()));
            case Change.NodeFactsChanged(var facts) -> List.of(RowId.node(facts.id()));
            case Change.NodeStatusChanged(String id, var _, var _) -> List.of(RowId.node(id));
            case Change.NodeEventsAdded(String id, var _) -> List.of(RowId.node(id));
            case Change.NodeRemoved(String id) -> List.of(RowId.node(id));
            case Change.NodeBuried(String id) -> List.of(RowId.node(id));
            case Change.EvaluationPut(EvaluationRow row) -> List.of(RowId.evaluation(row.id()));
            case Change.EvaluationsMoved(var ids, var _, var _) ->
                ids.stream().map(RowId::evaluation).toList();
            case Change.EvaluationRemoved(String id) -> List.of(RowId.evaluation(id));
            case Change.AllocationPut(AllocationRow row) -> List.of(RowId.allocation(row.id()));
            case Change.AllocationReported report -> List.of(RowId.allocation(report.allocId()));
            case Change.AllocationRemoved(String id) -> List.of(RowId.allocation(id));
            case Change.OperationPut(OperationRow row) -> List.of(RowId.operation(row.id()));
            case Change.OperationRemoved(String id) -> List.of(RowId.operation(id));
            case Change.VariablePut(VariableRow row) -> List.of(RowId.variable(row.id()));
            case Change.VariableRemoved(var id) -> List.of(RowId.variable(id));
            case Change.ClusterFormed _,
                    Change.NodeTombstoneRemoved _,
                    Change.JobPut _,
                    Change.JobStopped _,
                    Change.JobLaunched _,
                    Change.JobRemoved _,
                    Change.JobMarkedStable _,
                    Change.JobTagged _,
                    Change.ScaleEventAdded _,
                    Change.DeploymentPut _,
                    Change.DeploymentRemoved _,
                    Change.VolumePut _,
                    Change.VolumeEventsAdded _,
                    Change.VolumeRemoved _,
                    Change.VolumeBuried _,
                    Change.VolumeTombstoneRemoved _,
                    Change.ClaimPut _,
                    Change.ClaimRemoved _,
                    Change.AttachmentPut _,
                    Change.AttachmentRemoved _,
                    Change.RequestKept _,
                    Change.RequestExpired _,
                    Change.RemainderPut _,
                    Change.RemainderRemoved _,
                    Change.OtherPastPut _,
                    Change.RecoveryEnded _,
                    Change.HoldingPut _,
                    Change.HoldingRemoved _,
                    Change.NamespacePut _,
                    Change.NamespaceRemoved _,
                    Change.HostVolumePut _,
                    Change.HostVolumeRemoved _,
                    Change.StickyClaimPut _,
                    Change.StickyClaimRemoved _,
                    Change.SchedulingPut _ -> List.of();
        };
    }
}
