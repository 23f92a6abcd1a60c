package io.cleat.state;

import io.cleat.base.Ordered;
import io.cleat.base.Since;
import io.cleat.model.AllocAddress;
import io.cleat.model.AllocHealth;
import io.cleat.model.ClientStatus;
import io.cleat.model.JobId;
import io.cleat.model.JobSource;
import io.cleat.model.JobTag;
import io.cleat.model.NodeEvent;
import io.cleat.model.NodeFacts;
import io.cleat.model.TaskState;
import io.cleat.model.VariableId;
import io.cleat.model.VolumeEvent;
import io.cleat.model.VolumeId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One fact of the log. Applying one cannot refuse, and reads neither clock nor chance. A row in it replaces the row of
 * its id; its versions are the applier's to set.
 *
 * <p>A new kind, or a new component, is {@link Since} a new feature level, so that it is not written while a member
 * runs that cannot read it (docs/decisions/feature-levels.md).
 */
public sealed interface Change {
    /**
     * The newest feature level that this program reads and writes. At a level, each format of the log is written in the
     * version of that number, or in its newest before; from level 4 on, sums of the image are logged.
     */
    int NEWEST_LEVEL = 20;

    /**
     * From this level on, groups say between which counts they are scaled and the events of that are kept, versions of
     * jobs have tags, tasks have cores of their own, and jobs run once on each node.
     */
    int SCALING_LEVEL = 17;

    /**
     * From this level on, allocations say where they are in networks of their own, and whether they are stopped to be
     * placed elsewhere.
     */
    int ADDRESS_LEVEL = 18;

    /** From this level on, allocations say how the plugins of their networks resolve names. */
    int DNS_LEVEL = 19;

    /** From this level on, tasks say where their drivers have put them. */
    int DRIVER_NETWORK_LEVEL = 20;

    /** From this level on, variables are kept. */
    int VARIABLES_LEVEL = 12;

    /** From this level on, nodes say which ports they have, and allocations are given some. */
    int PORTS_LEVEL = 15;

    /** From this level on, there are host volumes: those that nodes have, and those that they make. */
    int HOST_VOLUMES_LEVEL = 13;

    /** From this level on, groups keep host volumes, and nodes are asked for them again. */
    int STICKY_LEVEL = 14;

    /** From this level on, jobs have services, which others find by name. */
    int SERVICES_LEVEL = 16;

    /** From this level on, jobs have copies of themselves run. */
    int LAUNCH_LEVEL = 11;

    /** From this level on, mount options say whose a volume is to be. */
    int OWNERSHIP_LEVEL = 10;

    /** From this level on, operators say how jobs are placed. */
    int SCHEDULING_LEVEL = 9;

    /** From this level on, what a node's former machine leaves may take several decisions. */
    int MACHINES_LEVEL = 8;

    /** From this level on, evaluations keep what their plans do. */
    int PLANNED_LEVEL = 8;

    /** From this level on, namespaces are made and removed, and have to be there. */
    int NAMESPACES_LEVEL = 7;

    /** From this level on, nodes are told to compare their devices with a volume's growth. */
    int COMPARE_LEVEL = 6;

    /** From this level on, rows of calls keep what their tries did. */
    int PAST_LEVEL = 5;

    /** From this level on, sums of the image are logged and compared. */
    int SUMS_LEVEL = 4;

    /** The cluster's id, once and for all. */
    record ClusterFormed(String clusterId) implements Change {}

    record NodePut(NodeRow node) implements Change {}

    /** A known node says something else of itself. */
    record NodeFactsChanged(NodeFacts facts) implements Change {}

    record NodeStatusChanged(String nodeId, NodeStatus status, String description) implements Change {}

    record NodeEventsAdded(String nodeId, List<NodeEvent> events) implements Change {}

    record NodeRemoved(String nodeId) implements Change {}

    /** The node's row goes, what it excludes stays. */
    record NodeBuried(String nodeId) implements Change {}

    record NodeTombstoneRemoved(String nodeId) implements Change {}

    /**
     * A version of a job is stored: the first, or a new one.
     *
     * @param source what a person wrote for it; null if that is not known
     */
    record JobPut(JobRow job, @Since(2) @Nullable JobSource source) implements Change {
        /** A version without its source. */
        public JobPut(JobRow job) {
            this(job, null);
        }
    }

    record JobStopped(JobId job) implements Change {}

    /** A time of a periodic job has come. */
    @Since(11)
    record JobLaunched(JobId job, Instant at) implements Change {}

    record JobRemoved(JobId job) implements Change {}

    /** Whether a stored version of a job is one to go back to. */
    @Since(2)
    record JobMarkedStable(JobVersionId text, boolean stable) implements Change {}

    @Since(2)
    record DeploymentPut(DeploymentRow deployment) implements Change {}

    @Since(2)
    record DeploymentRemoved(String deploymentId) implements Change {}

    record EvaluationPut(EvaluationRow evaluation) implements Change {}

    /**
     * Evaluations wait no more: each moves on, if its life allows it.
     *
     * @param to {@code PENDING} or {@code CANCELED}
     */
    @Since(3)
    record EvaluationsMoved(List<String> evalIds, EvaluationStatus to, String description) implements Change {
        public EvaluationsMoved {
            evalIds = List.copyOf(evalIds);
        }
    }

    record EvaluationRemoved(String evalId) implements Change {}

    /** The servers place an allocation, or want something else of it. */
    record AllocationPut(AllocationRow allocation) implements Change {}

    /**
     * A node says how an allocation is.
     *
     * @param health as it is known now; null until it is
     * @param address in a network of its own; null if it has none, or none yet
     */
    record AllocationReported(
            String allocId,
            ClientStatus status,
            String description,
            Map<String, TaskState> tasks,
            Map<String, VolumeProgress> volumes,
            @Since(2) @Nullable AllocHealth health,
            @Since(18) @Nullable AllocAddress address)
            implements Change {
        public AllocationReported {
            tasks = Ordered.copyOf(tasks);
            volumes = Ordered.copyOf(volumes);
        }
    }

    record AllocationRemoved(String allocId) implements Change {}

    record VolumePut(VolumeRow volume) implements Change {}

    record VolumeEventsAdded(VolumeId volume, List<VolumeEvent> events) implements Change {}

    record VolumeRemoved(VolumeId volume) implements Change {}

    /** The volume's row goes, what it excludes stays. */
    record VolumeBuried(VolumeId volume) implements Change {}

    record VolumeTombstoneRemoved(VolumeKey key) implements Change {}

    record ClaimPut(ClaimRow claim) implements Change {}

    record ClaimRemoved(ClaimId claim) implements Change {}

    record AttachmentPut(AttachmentRow attachment) implements Change {}

    record AttachmentRemoved(AttachmentId attachment) implements Change {}

    record OperationPut(OperationRow operation) implements Change {}

    record OperationRemoved(String operationId) implements Change {}

    record RequestKept(RequestRow request) implements Change {}

    record RequestExpired(String requestId) implements Change {}

    /** A decision leaves something to be done in parts, or less of it is left. */
    @Since(3)
    record RemainderPut(RemainderRow remainder) implements Change {}

    @Since(3)
    record RemainderRemoved(String remainderId) implements Change {}

    /** A node has another past: while that is open, the cluster is in recovery. */
    @Since(4)
    record OtherPastPut(OtherPastRow past) implements Change {}

    /** A person has ended the recovery: no other past is open any more. */
    @Since(4)
    record RecoveryEnded(String by) implements Change {}

    @Since(4)
    record HoldingPut(HoldingRow holding) implements Change {}

    @Since(4)
    record HoldingRemoved(HoldingId holding) implements Change {}

    @Since(NAMESPACES_LEVEL)
    record NamespacePut(NamespaceRow namespace) implements Change {}

    @Since(NAMESPACES_LEVEL)
    record NamespaceRemoved(String name) implements Change {}

    @Since(SCHEDULING_LEVEL)
    record SchedulingPut(SchedulingRow scheduling) implements Change {}

    @Since(VARIABLES_LEVEL)
    record VariablePut(VariableRow variable) implements Change {}

    @Since(VARIABLES_LEVEL)
    record VariableRemoved(VariableId id) implements Change {}

    @Since(HOST_VOLUMES_LEVEL)
    record HostVolumePut(HostVolumeRow volume) implements Change {}

    @Since(HOST_VOLUMES_LEVEL)
    record HostVolumeRemoved(VolumeId volume) implements Change {}

    @Since(STICKY_LEVEL)
    record StickyClaimPut(StickyClaimRow claim) implements Change {}

    @Since(STICKY_LEVEL)
    record StickyClaimRemoved(String claimId) implements Change {}

    /**
     * A stored version of a job gets a tag, or has none any more.
     *
     * @param tag null for none
     */
    @Since(SCALING_LEVEL)
    record JobTagged(JobVersionId text, @Nullable JobTag tag) implements Change {}

    /** A group was scaled, or something is said about that. */
    @Since(SCALING_LEVEL)
    record ScaleEventAdded(ScaleEventsId of, ScaleEvent event) implements Change {}
}
