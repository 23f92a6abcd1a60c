package io.cleat.state;

import io.cleat.model.AllocAddress;
import io.cleat.model.AllocHealth;
import io.cleat.model.ClientStatus;
import io.cleat.model.DesiredStatus;
import io.cleat.model.TaskState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parts of an {@link AllocationRow} to change. Used by one thread, once. */
public final class AllocationDraft {
    private final AllocationRow from;
    private long jobNumber;
    private long jobModifyVersion;
    private DesiredStatus desired;
    private String desiredDescription;
    private boolean noShutdownDelay;
    private ClientStatus status;
    private String statusDescription;
    private Map<String, TaskState> tasks;
    private Map<String, VolumeProgress> volumes;
    private String next;
    private String evalId;
    private String followupEval;
    private PlacementMetric metric;
    private Instant modifiedAt;
    private @Nullable Instant endedAt;
    private @Nullable InDeployment deployment;
    private @Nullable AllocHealth health;
    private List<String> withdrawn;
    private boolean migrates;
    private @Nullable AllocAddress address;
    private long allocModifyVersion;
    private long createVersion;
    private long modifyVersion;

    AllocationDraft(AllocationRow from) {
        this.from = from;
        this.jobNumber = from.jobNumber();
        this.jobModifyVersion = from.jobModifyVersion();
        this.desired = from.desired();
        this.desiredDescription = from.desiredDescription();
        this.noShutdownDelay = from.noShutdownDelay();
        this.status = from.status();
        this.statusDescription = from.statusDescription();
        this.tasks = from.tasks();
        this.volumes = from.volumes();
        this.next = from.next();
        this.evalId = from.evalId();
        this.followupEval = from.followupEval();
        this.metric = from.metric();
        this.modifiedAt = from.modifiedAt();
        this.endedAt = from.endedAt();
        this.deployment = from.deployment();
        this.health = from.health();
        this.withdrawn = from.withdrawn();
        this.migrates = from.migrates();
        this.address = from.address();
        this.allocModifyVersion = from.allocModifyVersion();
        this.createVersion = from.createVersion();
        this.modifyVersion = from.modifyVersion();
    }

    public AllocationDraft metric(PlacementMetric seen) {
        metric = seen;
        return this;
    }

    /** Its services of these ids are found by nobody. */
    public AllocationDraft withdrawn(List<String> ids) {
        withdrawn = ids;
        return this;
    }

    /** Lets it run by another version of its job, whose services are all found. */
    public AllocationDraft jobVersion(long number, long storedVersion) {
        jobNumber = number;
        jobModifyVersion = storedVersion;
        withdrawn = List.of();
        return this;
    }

    public AllocationDraft desired(DesiredStatus wanted, String description) {
        desired = wanted;
        desiredDescription = description;
        return this;
    }

    /** It is stopped so that another takes its place on another node. */
    public AllocationDraft migrates() {
        migrates = true;
        return this;
    }

    AllocationDraft address(@Nullable AllocAddress now) {
        address = now;
        return this;
    }

    public AllocationDraft noShutdownDelay(boolean none) {
        noShutdownDelay = none;
        return this;
    }

    /** Moves it on as {@link AllocationRow#LIFE} allows. */
    public AllocationDraft status(ClientStatus now, String description) {
        status = AllocationRow.LIFE.move(from.status(), now);
        statusDescription = description;
        return this;
    }

    /** What a node says; applied as it is. */
    AllocationDraft reported(ClientStatus now, String description) {
        status = now;
        statusDescription = description;
        return this;
    }

    public AllocationDraft tasks(Map<String, TaskState> byName) {
        tasks = byName;
        return this;
    }

    public AllocationDraft volumes(Map<String, VolumeProgress> byAlias) {
        volumes = byAlias;
        return this;
    }

    public AllocationDraft next(String id) {
        next = id;
        return this;
    }

    public AllocationDraft evalId(String id) {
        evalId = id;
        return this;
    }

    public AllocationDraft followupEval(String id) {
        followupEval = id;
        return this;
    }

    public AllocationDraft modifiedAt(Instant at) {
        modifiedAt = at;
        return this;
    }

    AllocationDraft endedAt(@Nullable Instant at) {
        endedAt = at;
        return this;
    }

    /** It takes part in a deployment, which looks at its health anew. */
    public AllocationDraft deployment(@Nullable InDeployment part) {
        deployment = part;
        health = null;
        return this;
    }

    public AllocationDraft health(@Nullable AllocHealth found) {
        health = found;
        return this;
    }

    AllocationDraft allocModifyVersion(long version) {
        allocModifyVersion = version;
        return this;
    }

    AllocationDraft versions(long create, long modify) {
        createVersion = create;
        modifyVersion = modify;
        return this;
    }

    public AllocationRow done() {
        return new AllocationRow(
                from.id(),
                from.name(),
                from.index(),
                from.job(),
                jobNumber,
                jobModifyVersion,
                from.group(),
                from.nodeId(),
                from.nodeName(),
                desired,
                desiredDescription,
                noShutdownDelay,
                status,
                statusDescription,
                tasks,
                volumes,
                from.previous(),
                next,
                evalId,
                followupEval,
                from.resources(),
                from.diskMb(),
                metric,
                from.reschedules(),
                from.createdAt(),
                modifiedAt,
                endedAt,
                deployment,
                health,
                from.ports(),
                withdrawn,
                migrates,
                address,
                allocModifyVersion,
                createVersion,
                modifyVersion);
    }
}
