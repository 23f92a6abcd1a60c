package io.cleat.state;

import io.cleat.base.Ordered;
import io.cleat.base.Since;
import io.cleat.model.AllocAddress;
import io.cleat.model.AllocHealth;
import io.cleat.model.AllocatedPort;
import io.cleat.model.ClientStatus;
import io.cleat.model.DesiredStatus;
import io.cleat.model.JobId;
import io.cleat.model.Resources;
import io.cleat.model.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One placement of a task group on a node.
 *
 * @param name {@code job.group[index]}
 * @param jobNumber the number of the job's version that it runs by
 * @param jobModifyVersion the cluster's version that stored it
 * @param noShutdownDelay whether its tasks stop without their shutdown delay
 * @param tasks by name, as the node last said
 * @param volumes by alias, as the node last said
 * @param previous the allocation it replaces; else empty
 * @param next the allocation that replaces it; else empty
 * @param followupEval the evaluation that will place it anew later; else empty
 * @param resources what each task was given, by name
 * @param diskMb MiB for its directory
 * @param reschedules of it and its predecessors, oldest first
 * @param endedAt when it was first known to have ended; null before
 * @param deployment the one that placed or last changed it; null for none
 * @param health what its node found for that deployment; null until it has
 * @param ports of its node that it was given; they are its own until it has ended
 * @param migrates whether it is stopped so that another takes its place on another node
 * @param address in a network of its own, as the node last said; null if it has none, or none yet
 * @param withdrawn the ids of its services that somebody has taken out, so that nobody finds them
 * @param allocModifyVersion the version of the last change that was not a report of its node
 */
public record AllocationRow(
        String id,
        String name,
        int index,
        JobId job,
        long jobNumber,
        long jobModifyVersion,
        String group,
        String nodeId,
        String nodeName,
        DesiredStatus desired,
        String desiredDescription,
        boolean noShutdownDelay,
        ClientStatus status,
        String statusDescription,
        Map<String, TaskState> tasks,
        Map<String, VolumeProgress> volumes,
        String previous,
        String next,
        String evalId,
        String followupEval,
        Map<String, Resources> resources,
        long diskMb,
        PlacementMetric metric,
        List<RescheduleEvent> reschedules,
        Instant createdAt,
        Instant modifiedAt,
        @Nullable Instant endedAt,
        @Since(2) @Nullable InDeployment deployment,
        @Since(2) @Nullable AllocHealth health,
        @Since(15) List<AllocatedPort> ports,
        @Since(16) List<String> withdrawn,
        @Since(18) boolean migrates,
        @Since(18) @Nullable AllocAddress address,
        long allocModifyVersion,
        long createVersion,
        long modifyVersion)
        implements Row<AllocationRow> {
    /** How an allocation's client status moves. A late report may still say how a lost one ended. */
    public static final LifeCycle<ClientStatus> LIFE = LifeCycle.of("allocation", ClientStatus.class)
            .begin(ClientStatus.PENDING)
            .move(
                    ClientStatus.PENDING,
                    ClientStatus.RUNNING,
                    ClientStatus.COMPLETE,
                    ClientStatus.FAILED,
                    ClientStatus.LOST,
                    ClientStatus.UNKNOWN)
            .move(
                    ClientStatus.RUNNING,
                    ClientStatus.COMPLETE,
                    ClientStatus.FAILED,
                    ClientStatus.LOST,
                    ClientStatus.UNKNOWN)
            .move(
                    ClientStatus.UNKNOWN,
                    ClientStatus.PENDING,
                    ClientStatus.RUNNING,
                    ClientStatus.COMPLETE,
                    ClientStatus.FAILED,
                    ClientStatus.LOST)
            .move(ClientStatus.LOST, ClientStatus.COMPLETE, ClientStatus.FAILED)
            .end(ClientStatus.COMPLETE, ClientStatus.FAILED, ClientStatus.LOST)
            .done();

    public AllocationRow {
        tasks = Ordered.copyOf(tasks);
        volumes = Ordered.copyOf(volumes);
        resources = Ordered.copyOf(resources);
        reschedules = List.copyOf(reschedules);
        ports = List.copyOf(ports);
        withdrawn = List.copyOf(withdrawn);
    }

    /** Whether nothing of it runs any more, as far as can be known. */
    public boolean isEnded() {
        return status.isTerminal();
    }

    /** Whether it is not wanted any more, or has ended. */
    public boolean isTerminal() {
        return desired != DesiredStatus.RUN || status.isTerminal();
    }

    /** The deployment that placed or last changed it; empty for none. */
    public String deploymentId() {
        return deployment == null ? "" : deployment.id();
    }

    /** Whether it was placed as a canary of its deployment. */
    public boolean isCanary() {
        return deployment != null && deployment.canary();
    }

    public boolean isHealthy() {
        return health != null && health.healthy();
    }

    public boolean isUnhealthy() {
        return health != null && !health.healthy();
    }

    /** The version of the job that it runs by. */
    public JobVersionId jobVersion() {
        return new JobVersionId(job, jobModifyVersion);
    }

    /** What its tasks may use together. */
    public Resources totalResources() {
        Resources total = Resources.NONE;
        for (Resources each : resources.values()) {
            total = total.plus(each);
        }
        return total;
    }

    /** A copy to change parts of. */
    public AllocationDraft edit() {
        return new AllocationDraft(this);
    }

    @Override
    public AllocationRow stamped(long newCreate, long newModify) {
        return edit().versions(newCreate, newModify).done();
    }

    /** How long the last reschedule waited; zero before the first. */
    public Duration lastDelay() {
        return reschedules.isEmpty() ? Duration.ZERO : reschedules.getLast().delay();
    }
}
