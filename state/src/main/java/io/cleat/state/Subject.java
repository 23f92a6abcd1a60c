package io.cleat.state;

/** Which row a change is about, in words that hold nothing of the row but its key. */
public final class Subject {
    private Subject() {}

    /** The key, such as {@code default/web}. */
    public static String of(Change change) {
        return switch (change) {
            case Change.ClusterFormed(String id) -> id;
            case Change.NodePut(NodeRow row) -> row.id();
            case Change.NodeFactsChanged(var facts) -> facts.id();
            case Change.NodeStatusChanged(String id, var _, var _) -> id;
            case Change.NodeEventsAdded(String id, var _) -> id;
            case Change.NodeRemoved(String id) -> id;
            case Change.NodeBuried(String id) -> id;
            case Change.NodeTombstoneRemoved(String id) -> id;
            case Change.JobPut(JobRow row, var _) -> row.id().toString();
            case Change.JobStopped(var id) -> id.toString();
            case Change.JobLaunched(var id, var _) -> id.toString();
            case Change.JobRemoved(var id) -> id.toString();
            case Change.JobMarkedStable(JobVersionId id, var _) -> id.job() + " of version " + id.storedVersion();
            case Change.JobTagged(JobVersionId id, var _) -> id.job() + " of version " + id.storedVersion();
            case Change.ScaleEventAdded(ScaleEventsId id, var _) -> id.job() + " " + id.group();
            case Change.DeploymentPut(DeploymentRow row) -> row.id();
            case Change.DeploymentRemoved(String id) -> id;
            case Change.EvaluationPut(EvaluationRow row) -> row.id();
            case Change.EvaluationsMoved(var ids, var to, var _) -> ids.size() + " to " + to.wire();
            case Change.EvaluationRemoved(String id) -> id;
            case Change.AllocationPut(AllocationRow row) -> row.id();
            case Change.AllocationReported report -> report.allocId();
            case Change.AllocationRemoved(String id) -> id;
            case Change.VolumePut(VolumeRow row) -> row.id().toString();
            case Change.VolumeEventsAdded(var id, var _) -> id.toString();
            case Change.VolumeRemoved(var id) -> id.toString();
            case Change.VolumeBuried(var id) -> id.toString();
            case Change.VolumeTombstoneRemoved(VolumeKey key) -> key.toString();
            case Change.ClaimPut(ClaimRow row) -> row.id().toString();
            case Change.ClaimRemoved(ClaimId id) -> id.toString();
            case Change.AttachmentPut(AttachmentRow row) -> row.id().toString();
            case Change.AttachmentRemoved(AttachmentId id) -> id.toString();
            case Change.OperationPut(OperationRow row) -> row.id();
            case Change.OperationRemoved(String id) -> id;
            case Change.RequestKept(RequestRow row) -> row.id();
            case Change.RequestExpired(String id) -> id;
            case Change.RemainderPut(RemainderRow row) -> row.id();
            case Change.RemainderRemoved(String id) -> id;
            case Change.OtherPastPut(OtherPastRow row) -> row.nodeId();
            case Change.RecoveryEnded(String by) -> by;
            case Change.HoldingPut(HoldingRow row) -> row.id().toString();
            case Change.HoldingRemoved(HoldingId id) -> id.toString();
            case Change.NamespacePut(NamespaceRow row) -> row.name();
            case Change.NamespaceRemoved(String name) -> name;
            case Change.HostVolumePut(HostVolumeRow row) -> row.id().toString();
            case Change.HostVolumeRemoved(var id) -> id.toString();
            case Change.StickyClaimPut(StickyClaimRow row) -> row.id();
            case Change.StickyClaimRemoved(String id) -> id;
            case Change.SchedulingPut(SchedulingRow row) -> row.algorithm().name();
            case Change.VariablePut(VariableRow row) -> row.id().toString();
            case Change.VariableRemoved(var id) -> id.toString();
        };
    }
}
