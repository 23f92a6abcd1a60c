package io.cleat.state;

import io.cleat.base.Ordered;
import io.cleat.base.Since;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a snapshot is a sequence of. */
sealed interface SnapshotPart {
    /**
     * Comes first.
     *
     * @param tableVersions by the table's name
     */
    record Header(long version, Instant decidedAt, @Nullable String clusterId, Map<String, Long> tableVersions)
            implements SnapshotPart {
        public Header {
            tableVersions = Ordered.copyOf(tableVersions);
        }
    }

    record Node(NodeRow row) implements SnapshotPart {}

    record JobText(JobVersionRow row) implements SnapshotPart {}

    record Job(JobRow row) implements SnapshotPart {}

    record Evaluation(EvaluationRow row) implements SnapshotPart {}

    record Allocation(AllocationRow row) implements SnapshotPart {}

    record Volume(VolumeRow row) implements SnapshotPart {}

    record Claim(ClaimRow row) implements SnapshotPart {}

    record Attachment(AttachmentRow row) implements SnapshotPart {}

    record Operation(OperationRow row) implements SnapshotPart {}

    record Request(RequestRow row) implements SnapshotPart {}

    record Plugin(PluginRow row) implements SnapshotPart {}

    record BuriedNode(NodeTombstone row) implements SnapshotPart {}

    record BuriedVolume(VolumeTombstone row) implements SnapshotPart {}

    @Since(2)
    record Deployment(DeploymentRow row) implements SnapshotPart {}

    @Since(3)
    record Left(RemainderRow row) implements SnapshotPart {}

    @Since(4)
    record OtherPast(OtherPastRow row) implements SnapshotPart {}

    @Since(4)
    record Holding(HoldingRow row) implements SnapshotPart {}

    @Since(Change.NAMESPACES_LEVEL)
    record Namespace(NamespaceRow row) implements SnapshotPart {}

    @Since(Change.SCHEDULING_LEVEL)
    record Scheduling(SchedulingRow row) implements SnapshotPart {}

    @Since(Change.VARIABLES_LEVEL)
    record Variable(VariableRow row) implements SnapshotPart {}

    @Since(Change.HOST_VOLUMES_LEVEL)
    record OfHost(HostVolumeRow row) implements SnapshotPart {}

    @Since(Change.STICKY_LEVEL)
    record Sticky(StickyClaimRow row) implements SnapshotPart {}

    @Since(Change.SCALING_LEVEL)
    record Scaled(ScaleEventsRow row) implements SnapshotPart {}

    /**
     * Comes last: without it the snapshot is torn.
     *
     * @param parts how many came before
     */
    record End(long parts) implements SnapshotPart {}
}
