package io.cleat.views;

import io.cleat.base.Refused;
import io.cleat.base.Secrets;
import io.cleat.base.Trouble;
import io.cleat.model.HostVolumeSpec;
import io.cleat.model.JobId;
import io.cleat.model.JobSource;
import io.cleat.model.JobSpec;
import io.cleat.model.JobTag;
import io.cleat.model.Listed;
import io.cleat.model.ListedSnapshot;
import io.cleat.model.ListedVolume;
import io.cleat.model.VariableId;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeSpec;
import io.cleat.schedule.Plan;
import io.cleat.server.decide.DrainNode;
import io.cleat.server.decide.ScaleJob;
import io.cleat.server.decide.TagJobVersion;
import io.cleat.state.ClusterState;
import io.cleat.state.EvaluationRow;
import io.cleat.state.HostVolumeRow;
import io.cleat.state.NamespaceRow;
import io.cleat.state.SchedulingRow;
import io.cleat.state.VariableRow;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What a request can ask the server to change. Each call returns once its change is applied here,
 * or is refused. Under one {@code requestId} (empty for none) a repetition has no second effect.
 */
public interface Writes {
    /**
     * A job was changed and is evaluated.
     *
     * @param evalId empty if nothing is evaluated, since there was no such job
     * @param evalVersion the version that made the evaluation
     * @param version of the change
     */
    record Evaluated(String evalId, long evalVersion, long version, long jobModifyVersion) {}

    /**
     * What registering a job would do.
     *
     * @param before the image as it is
     * @param after the image as it would be, before anything is placed
     */
    record Rehearsed(
            ClusterState before, ClusterState after, EvaluationRow evaluation, Plan plan) {}

    /**
     * A variable was written, or something stands in the way.
     *
     * @param row as it was stored, or as it is that stands in the way; empty for one that is not
     *     there
     * @param version of the cluster with it
     */
    record VariableWritten(boolean conflicts, Optional<VariableRow> row, long version) {}

    /** The items of a variable, which only the server's key reads. */
    Secrets itemsOf(VariableRow row) throws Trouble;

    /**
     * Makes a variable, or gives it other items.
     *
     * @param ifModifyVersion what last changed it; 0 if it must not be there; empty for whatever it
     *     is
     * @param lockId of the lock that the writer holds; empty for none
     */
    VariableWritten putVariable(
            VariableId id,
            Secrets items,
            OptionalLong ifModifyVersion,
            String lockId,
            String requestId)
            throws Refused, Trouble, InterruptedException;

    /** Forgets a variable; one that is not there is gone. */
    VariableWritten deleteVariable(VariableId id, OptionalLong ifModifyVersion, String requestId)
            throws Refused, Trouble, InterruptedException;

    /**
     * Takes the lock of a variable, which is made if it is not there.
     *
     * @param items what it holds from now on; none to leave it as it is
     */
    VariableWritten lockVariable(
            VariableId id, Secrets items, Duration ttl, Duration delay, String requestId)
            throws Refused, Trouble, InterruptedException;

    /** Has the time of a lock that somebody holds begin anew. */
    VariableWritten renewLock(VariableId id, String lockId, String requestId)
            throws Refused, Trouble, InterruptedException;

    /** Gives a lock back. */
    VariableWritten releaseLock(VariableId id, String lockId, String requestId)
            throws Refused, Trouble, InterruptedException;

    /** Registers a job and runs its evaluation on paper; nothing is changed. */
    Rehearsed rehearse(JobSpec job, int priority) throws Refused, Trouble, InterruptedException;

    /**
     * @param source what a person wrote for it; null if that is not known
     * @param ifJobModifyVersion the stored job's, else it is refused; 0 means that there is none
     * @param priority of the evaluation; 0 for the job's
     */
    Evaluated registerJob(
            JobSpec job,
            @Nullable JobSource source,
            OptionalLong ifJobModifyVersion,
            int priority,
            String requestId)
            throws Refused, Trouble, InterruptedException;

    /**
     * @param force though others use volumes of the plugin it runs
     */
    Evaluated deregisterJob(
            JobId job,
            boolean purge,
            boolean force,
            boolean noShutdownDelay,
            int priority,
            String requestId)
            throws Refused, Trouble, InterruptedException;

    Evaluated stopAllocation(String allocId, boolean noShutdownDelay, String requestId)
            throws Refused, Trouble, InterruptedException;

    /**
     * @param forceReschedule failed allocations are placed anew now
     */
    Evaluated evaluateJob(JobId job, boolean forceReschedule, String requestId)
            throws Refused, Trouble, InterruptedException;

    /**
     * A deployment was changed.
     *
     * @param evalId of the evaluation that follows; empty for none
     * @param version of the change
     * @param revertedTo the number of the job's version that came back; null if none did
     */
    record DeploymentChanged(String evalId, long version, @Nullable Long revertedTo) {}

    /**
     * @param pause false to let it go on
     */
    DeploymentChanged pauseDeployment(String id, boolean pause, String requestId)
            throws Refused, Trouble, InterruptedException;

    /**
     * @param groups empty for all
     */
    DeploymentChanged promoteDeployment(String id, List<String> groups, String requestId)
            throws Refused, Trouble, InterruptedException;

    DeploymentChanged failDeployment(String id, String requestId)
            throws Refused, Trouble, InterruptedException;

    DeploymentChanged setHealth(
            String id, List<String> healthy, List<String> unhealthy, String requestId)
            throws Refused, Trouble, InterruptedException;

    /**
     * @param enforced the number that the newest version must have; null for any
     */
    Evaluated revertJob(JobId job, long number, @Nullable Long enforced, String requestId)
            throws Refused, Trouble, InterruptedException;

    /**
     * Has a group of a job have another number of allocations, or keeps what is said of that.
     *
     * @param count null to leave it as it is
     * @param checkedVersion the version that stored the text with which the count was checked
     */
    Evaluated scaleJob(
            JobId job,
            String group,
            @Nullable Integer count,
            long checkedVersion,
            ScaleJob.Said said,
            String requestId)
            throws Refused, Trouble, InterruptedException;

    /** Runs a copy of a periodic job now. */
    Evaluated forcePeriodicJob(JobId job, String requestId)
            throws Refused, Trouble, InterruptedException;

    /**
     * A copy of a job is run.
     *
     * @param version of the change, which stored it
     */
    record Dispatched(String copyId, String evalId, long version) {}

    /**
     * Runs a copy of a parameterized job.
     *
     * @param payload what is sent along, in base64; empty for nothing
     * @param priority of the copy; 0 for the job's
     */
    Dispatched dispatchJob(
            JobId job, String payload, Map<String, String> meta, int priority, String requestId)
            throws Refused, Trouble, InterruptedException;

    /** Returns the version of the change. */
    long markStable(JobId job, long number, boolean stable)
            throws Refused, Trouble, InterruptedException;

    /** Gives a version of a job a tag, or takes it away. */
    Tagged tagVersion(TagJobVersion command) throws Refused, Trouble, InterruptedException;

    /**
     * A tag as it is, or was.
     *
     * @param version of the change
     */
    record Tagged(JobTag tag, long version) {}

    /**
     * Drains a node, or ends that. Returns the version that changed the node; 0 if it was so.
     *
     * @param wish null to end it
     * @param markEligible when it ends, whether the node takes new allocations again
     */
    long drainNode(
            String nodeId,
            DrainNode.@Nullable Wish wish,
            boolean markEligible,
            Map<String, String> meta,
            String requestId)
            throws Refused, Trouble, InterruptedException;

    /** Returns the version that changed the node; 0 if it was so. */
    long markNode(String nodeId, boolean eligible, String requestId)
            throws Refused, Trouble, InterruptedException;

    /**
     * Decides who a quarantined node is. Returns the version of the change.
     *
     * @param accept whether who was not let in is the node from now on
     * @param machineIsOff the node whose former machine is said to be off; empty for no such word
     */
    long endQuarantine(String nodeId, boolean accept, String machineIsOff, String requestId)
            throws Refused, Trouble, InterruptedException;

    /**
     * Evaluations were deleted.
     *
     * @param needed how many stay since something needs them
     * @param version of the change
     */
    record EvaluationsDeleted(int removed, int needed, long version) {}

    /**
     * Deletes evaluations that nothing needs.
     *
     * @param ids at most {@link io.cleat.server.decide.DeleteEvaluations#MOST}
     * @param leavesNeeded whether those that are needed are passed over; else none is deleted for
     *     one that is
     */
    EvaluationsDeleted deleteEvaluations(List<String> ids, boolean leavesNeeded, String requestId)
            throws Refused, Trouble, InterruptedException;

    /**
     * Jobs of a node are evaluated.
     *
     * @param version of the last evaluation
     * @param nodeVersion the version that changed the node last
     */
    record NodeEvaluated(List<String> evalIds, long version, long nodeVersion) {}

    /** Has the jobs of a node, and each system job, evaluated though nothing has changed. */
    NodeEvaluated evaluateNode(String nodeId) throws Refused, Trouble, InterruptedException;

    /** Forgets a node that is down. Returns the version of the change. */
    long purgeNode(String nodeId, String requestId) throws Refused, Trouble, InterruptedException;

    /** Returns the version of the change. */
    long registerVolume(VolumeSpec volume, Secrets secrets, String requestId)
            throws Refused, Trouble, InterruptedException;

    /** Returns the version of the change. */
    long createVolume(VolumeSpec volume, Secrets secrets, String requestId)
            throws Refused, Trouble, InterruptedException;

    /** Returns the version of the change. */
    long deregisterVolume(VolumeId volume, boolean force, String requestId)
            throws Refused, Trouble, InterruptedException;

    /**
     * Returns the version of the change.
     *
     * @param secrets laid over the stored ones
     */
    long deleteVolume(VolumeId volume, Secrets secrets, String requestId)
            throws Refused, Trouble, InterruptedException;

    /** Returns the version of the change. */
    long detachVolume(
            VolumeId volume, String nodeId, boolean abandon, String machineIsOff, String requestId)
            throws Refused, Trouble, InterruptedException;

    /**
     * What was decided about a call that is to be undone.
     *
     * @param message what became of it, or is done next
     */
    record Cancelled(String message, long version) {}

    /** Has a call undone that makes or deletes a volume or a snapshot. */
    Cancelled cancelOperation(String operationId) throws Refused, Trouble, InterruptedException;

    /**
     * The plugin's own list.
     *
     * @param most entries wanted; 0 for the plugin's choice
     * @param token the plugin's own; empty for the first page
     */
    Listed<ListedVolume> listVolumes(String pluginId, int most, String token)
            throws Refused, Trouble, InterruptedException;

    /**
     * Has a plugin make a snapshot of a volume; the same name makes the same snapshot again.
     *
     * @param secrets laid over the stored ones
     */
    ListedSnapshot createSnapshot(
            VolumeId volume,
            String name,
            Map<String, String> parameters,
            Secrets secrets,
            String requestId)
            throws Refused, Trouble, InterruptedException;

    /** Returns the version of the change. */
    long deleteSnapshot(String pluginId, String snapshotId, Secrets secrets, String requestId)
            throws Refused, Trouble, InterruptedException;

    /**
     * The plugin's own list of its snapshots.
     *
     * @param most entries wanted; 0 for the plugin's choice
     * @param token the plugin's own; empty for the first page
     */
    Listed<ListedSnapshot> listSnapshots(String pluginId, int most, String token, Secrets secrets)
            throws Refused, Trouble, InterruptedException;

    /** The names of the nodes that have not said yet what they hold, in a recovery. */
    List<String> unheardInRecovery();

    /**
     * Ends the recovery. Returns how many nodes begin anew.
     *
     * @param by who says so
     * @param force though a node has not said what it holds
     */
    int endRecovery(String by, boolean force) throws Refused, Trouble, InterruptedException;

    /** A person vouches that nothing is left on the node. Returns how many holdings went. */
    int abandonHoldings(String nodeId) throws Refused, Trouble, InterruptedException;

    /**
     * Makes a namespace, or says something else of one.
     *
     * @param wanted valid
     */
    void applyNamespace(NamespaceRow wanted, String requestId)
            throws Refused, Trouble, InterruptedException;

    /** Forgets a namespace that nothing is in. */
    void deleteNamespace(String name, String requestId)
            throws Refused, Trouble, InterruptedException;

    /**
     * How jobs are placed was said.
     *
     * @param updated whether it is as wanted; false if it was changed meanwhile
     * @param version of the change
     */
    record Configured(boolean updated, long version) {}

    /**
     * @param wanted its versions are 0
     * @param ifModifyVersion that of what is said now, else nothing changes; empty for any
     */
    Configured configureScheduling(
            SchedulingRow wanted, OptionalLong ifModifyVersion, String requestId)
            throws Refused, Trouble, InterruptedException;

    /**
     * A host volume was noted.
     *
     * @param version of the change
     */
    record PutVolume(HostVolumeRow volume, long version) {}

    /**
     * Has a node make a host volume, or take in a directory; with an id, changes a known one.
     *
     * @param volume valid
     * @param path of the directory; empty for one that is to be made
     */
    PutVolume putHostVolume(HostVolumeSpec volume, String path, String requestId)
            throws Refused, Trouble, InterruptedException;

    /**
     * Has a node delete a host volume. Returns the version without it.
     *
     * @param force forgets one whose node is not known any more
     */
    long deleteHostVolume(VolumeId volume, boolean force, String requestId)
            throws Refused, Trouble, InterruptedException;

    /** Lets a group have another host volume than it keeps. Returns the version of the change. */
    long deleteHostVolumeClaim(String namespace, String id, String requestId)
            throws Refused, Trouble, InterruptedException;

    /**
     * Has one allocation's service found no more. Returns the version of the change.
     *
     * @param id of the place
     */
    long withdrawService(String namespace, String name, String id, String requestId)
            throws Refused, Trouble, InterruptedException;

    /** Collects all that is done with, whatever its age. */
    void collectGarbage(String requestId) throws Refused, Trouble, InterruptedException;
}
