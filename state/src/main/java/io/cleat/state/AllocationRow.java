package io.cleat.state;

import io.cleat.base.Flattened;
import io.cleat.base.Ordered;
import io.cleat.base.Since;
import io.cleat.base.StoredOrder;
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
 * @param deployment the one that placed or last changed it; null for none
 */
@StoredOrder("""
        id name index job jobNumber jobModifyVersion group nodeId nodeName desired desiredDescription
        noShutdownDelay status statusDescription tasks volumes previous next evalId followupEval resources
        diskMb metric reschedules createdAt modifiedAt endedAt deployment health ports withdrawn migrates
        address allocModifyVersion createVersion modifyVersion
        """)
public record AllocationRow(
        @Flattened Identity identity,
        @Flattened ByVersion byVersion,
        @Flattened Placed placed,
        @Flattened Wanted wanted,
        @Flattened Seen seen,
        @Flattened Lineage lineage,
        @Since(2) @Nullable InDeployment deployment,
        @Flattened Stamps stamps)
        implements Row<AllocationRow> {
    /**
     * What it is an allocation of.
     *
     * @param name {@code job.group[index]}
     */
    public record Identity(String id, String name, int index, JobId job, String group) {}

    /**
     * What it runs by.
     *
     * @param jobNumber the number of the job's version
     * @param jobModifyVersion the cluster's version that stored it
     * @param withdrawn the ids of its services that somebody has taken out, so that nobody finds them
     */
    public record ByVersion(
            long jobNumber,
            long jobModifyVersion,
            @Since(16) List<String> withdrawn) {
        public ByVersion {
            withdrawn = List.copyOf(withdrawn);
        }
    }

    /**
     * Where it was put, and what it was given there.
     *
     * @param resources of each task, by name
     * @param diskMb MiB for its directory
     * @param ports of its node; they are its own until it has ended
     * @param metric why there
     */
    public record Placed(
            String nodeId,
            String nodeName,
            Map<String, Resources> resources,
            long diskMb,
            @Since(15) List<AllocatedPort> ports,
            PlacementMetric metric) {
        public Placed {
            resources = Ordered.copyOf(resources);
            ports = List.copyOf(ports);
        }
    }

    /**
     * What is to become of it.
     *
     * @param noShutdownDelay whether its tasks stop without their shutdown delay
     * @param migrates whether it is stopped so that another takes its place on another node
     */
    public record Wanted(
            DesiredStatus desired,
            String desiredDescription,
            boolean noShutdownDelay,
            @Since(18) boolean migrates) {
        public static final Wanted TO_RUN = new Wanted(DesiredStatus.RUN, "", false, false);
    }

    /**
     * What its node last said.
     *
     * @param tasks by name
     * @param volumes by alias
     * @param endedAt when it was first known to have ended; null before
     * @param health for its deployment; null until it is found
     * @param address in a network of its own; null if it has none, or none yet
     */
    public record Seen(
            ClientStatus status,
            String statusDescription,
            Map<String, TaskState> tasks,
            Map<String, VolumeProgress> volumes,
            @Nullable Instant endedAt,
            @Since(2) @Nullable AllocHealth health,
            @Since(18) @Nullable AllocAddress address) {
        /** Its node has not said anything yet. */
        public static final Seen NOTHING = new Seen(ClientStatus.PENDING, "", Map.of(), Map.of(), null, null, null);

        public Seen {
            tasks = Ordered.copyOf(tasks);
            volumes = Ordered.copyOf(volumes);
        }

        Seen status(ClientStatus now, String description) {
            return new Seen(now, description, tasks, volumes, endedAt, health, address);
        }

        Seen tasks(Map<String, TaskState> byName) {
            return new Seen(status, statusDescription, byName, volumes, endedAt, health, address);
        }

        Seen volumes(Map<String, VolumeProgress> byAlias) {
            return new Seen(status, statusDescription, tasks, byAlias, endedAt, health, address);
        }

        Seen endedAt(@Nullable Instant at) {
            return new Seen(status, statusDescription, tasks, volumes, at, health, address);
        }

        Seen health(@Nullable AllocHealth found) {
            return new Seen(status, statusDescription, tasks, volumes, endedAt, found, address);
        }

        Seen address(@Nullable AllocAddress now) {
            return new Seen(status, statusDescription, tasks, volumes, endedAt, health, now);
        }
    }

    /**
     * What it came of, and what comes of it.
     *
     * @param previous the allocation it replaces; else empty
     * @param next the allocation that replaces it; else empty
     * @param evalId the evaluation that last decided on it
     * @param followupEval the evaluation that will place it anew later; else empty
     * @param reschedules of it and its predecessors, oldest first
     */
    public record Lineage(
            String previous, String next, String evalId, String followupEval, List<RescheduleEvent> reschedules) {
        public Lineage {
            reschedules = List.copyOf(reschedules);
        }
    }

    /**
     * When what of it changed.
     *
     * @param allocModifyVersion the version of the last change that was not a report of its node
     */
    public record Stamps(
            Instant createdAt, Instant modifiedAt, long allocModifyVersion, long createVersion, long modifyVersion) {
        /** Of what is made now. */
        public static Stamps at(Instant now) {
            return new Stamps(now, now, 0, 0, 0);
        }
    }

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

    public String id() {
        return identity.id();
    }

    public String name() {
        return identity.name();
    }

    public JobId job() {
        return identity.job();
    }

    public String group() {
        return identity.group();
    }

    public String nodeId() {
        return placed.nodeId();
    }

    public ClientStatus status() {
        return seen.status();
    }

    public DesiredStatus desired() {
        return wanted.desired();
    }

    @Override
    public long createVersion() {
        return stamps.createVersion();
    }

    @Override
    public long modifyVersion() {
        return stamps.modifyVersion();
    }

    /** Whether nothing of it runs any more, as far as can be known. */
    public boolean isEnded() {
        return status().isTerminal();
    }

    /** Whether it is not wanted any more, or has ended. */
    public boolean isTerminal() {
        return desired() != DesiredStatus.RUN || isEnded();
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
        return seen.health() != null && seen.health().healthy();
    }

    public boolean isUnhealthy() {
        return seen.health() != null && !seen.health().healthy();
    }

    /** The version of the job that it runs by. */
    public JobVersionId jobVersion() {
        return new JobVersionId(job(), byVersion.jobModifyVersion());
    }

    /** What its tasks may use together. */
    public Resources totalResources() {
        Resources total = Resources.NONE;
        for (Resources each : placed.resources().values()) {
            total = total.plus(each);
        }
        return total;
    }

    /** How long the last reschedule waited; zero before the first. */
    public Duration lastDelay() {
        List<RescheduleEvent> all = lineage.reschedules();
        return all.isEmpty() ? Duration.ZERO : all.getLast().delay();
    }

    // What follows are copies with other parts.

    private AllocationRow with(ByVersion now) {
        return new AllocationRow(identity, now, placed, wanted, seen, lineage, deployment, stamps);
    }

    private AllocationRow with(Wanted now) {
        return new AllocationRow(identity, byVersion, placed, now, seen, lineage, deployment, stamps);
    }

    private AllocationRow with(Seen now) {
        return new AllocationRow(identity, byVersion, placed, wanted, now, lineage, deployment, stamps);
    }

    private AllocationRow with(Lineage now) {
        return new AllocationRow(identity, byVersion, placed, wanted, seen, now, deployment, stamps);
    }

    private AllocationRow with(Stamps now) {
        return new AllocationRow(identity, byVersion, placed, wanted, seen, lineage, deployment, now);
    }

    public AllocationRow metric(PlacementMetric why) {
        Placed now = new Placed(
                placed.nodeId(), placed.nodeName(), placed.resources(), placed.diskMb(), placed.ports(), why);
        return new AllocationRow(identity, byVersion, now, wanted, seen, lineage, deployment, stamps);
    }

    /** Its services of these ids are found by nobody. */
    public AllocationRow withdrawn(List<String> ids) {
        return with(new ByVersion(byVersion.jobNumber(), byVersion.jobModifyVersion(), ids));
    }

    /** Lets it run by another version of its job, whose services are all found. */
    public AllocationRow jobVersion(long number, long storedVersion) {
        return with(new ByVersion(number, storedVersion, List.of()));
    }

    public AllocationRow desired(DesiredStatus now, String description) {
        return with(new Wanted(now, description, wanted.noShutdownDelay(), wanted.migrates()));
    }

    /** It is stopped so that another takes its place on another node. */
    public AllocationRow migrating() {
        return with(new Wanted(wanted.desired(), wanted.desiredDescription(), wanted.noShutdownDelay(), true));
    }

    public AllocationRow noShutdownDelay(boolean none) {
        return with(new Wanted(wanted.desired(), wanted.desiredDescription(), none, wanted.migrates()));
    }

    /** Moves it on as {@link #LIFE} allows. */
    public AllocationRow status(ClientStatus now, String description) {
        return with(seen.status(LIFE.move(seen.status(), now), description));
    }

    /** What a node says; applied as it is. */
    AllocationRow reported(ClientStatus now, String description) {
        return with(seen.status(now, description));
    }

    public AllocationRow tasks(Map<String, TaskState> byName) {
        return with(seen.tasks(byName));
    }

    public AllocationRow volumes(Map<String, VolumeProgress> byAlias) {
        return with(seen.volumes(byAlias));
    }

    AllocationRow endedAt(@Nullable Instant at) {
        return with(seen.endedAt(at));
    }

    public AllocationRow health(@Nullable AllocHealth found) {
        return with(seen.health(found));
    }

    AllocationRow address(@Nullable AllocAddress now) {
        return with(seen.address(now));
    }

    public AllocationRow next(String id) {
        return with(
                new Lineage(lineage.previous(), id, lineage.evalId(), lineage.followupEval(), lineage.reschedules()));
    }

    public AllocationRow evalId(String id) {
        return with(new Lineage(lineage.previous(), lineage.next(), id, lineage.followupEval(), lineage.reschedules()));
    }

    public AllocationRow followupEval(String id) {
        return with(new Lineage(lineage.previous(), lineage.next(), lineage.evalId(), id, lineage.reschedules()));
    }

    /** It takes part in a deployment, which looks at its health anew. */
    public AllocationRow deployment(@Nullable InDeployment part) {
        return new AllocationRow(identity, byVersion, placed, wanted, seen.health(null), lineage, part, stamps);
    }

    public AllocationRow modifiedAt(Instant at) {
        return with(new Stamps(
                stamps.createdAt(), at, stamps.allocModifyVersion(), stamps.createVersion(), stamps.modifyVersion()));
    }

    AllocationRow allocModifyVersion(long version) {
        return with(new Stamps(
                stamps.createdAt(), stamps.modifiedAt(), version, stamps.createVersion(), stamps.modifyVersion()));
    }

    @Override
    public AllocationRow stamped(long newCreate, long newModify) {
        return with(
                new Stamps(stamps.createdAt(), stamps.modifiedAt(), stamps.allocModifyVersion(), newCreate, newModify));
    }
}
