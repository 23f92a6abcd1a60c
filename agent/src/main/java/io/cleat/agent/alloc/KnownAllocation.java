package io.cleat.agent.alloc;

import io.cleat.agent.task.OwnUser;
import io.cleat.agent.task.TaskRecord;
import io.cleat.base.InvariantBroken;
import io.cleat.base.Ordered;
import io.cleat.model.AllocAddress;
import io.cleat.model.AllocHealth;
import io.cleat.model.AllocatedPort;
import io.cleat.model.ClientStatus;
import io.cleat.model.DesiredStatus;
import io.cleat.model.JobSpec;
import io.cleat.model.TaskGroup;
import io.cleat.model.TaskState;
import io.cleat.model.VolumeId;
import io.cleat.wire.ToNode;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the node has written down of an allocation: enough to go on with it, or to undo it, without a server. Grants are
 * not part of it: leave to mount is given anew by a server after each restart.
 *
 * @param volumes by alias: which are its, all else of them comes with the grant
 * @param tasks by name
 * @param ended whether its tasks are over and its volumes undone
 * @param failure why it could not be run; empty if that is not so
 * @param noShutdownDelay whether its tasks end without their shutdown delay
 * @param endingSince when its tasks began to be ended; null before
 * @param restarting whether its tasks are ended to be started again, from the first
 * @param watch what is looked at of its health; null for an allocation of which nobody asks
 * @param user whom its tasks run as that name no user; null until that is decided, where nothing is to be, and of one
 *     that an earlier program began
 * @param begunAt when the first of its tasks was first started, where its time is limited; null before
 * @param ports of the node that it was given
 * @param address in a network of its own; null if it has none, or none yet
 */
record KnownAllocation(
        String allocId,
        String name,
        int index,
        String evalId,
        JobSpec job,
        long jobVersion,
        String group,
        DesiredStatus desired,
        Map<String, VolumeId> volumes,
        Map<String, TaskRecord> tasks,
        boolean ended,
        String failure,
        boolean noShutdownDelay,
        @Nullable Instant endingSince,
        boolean restarting,
        @Nullable Watch watch,
        @Nullable OwnUser user,
        @Nullable Instant begunAt,
        List<AllocatedPort> ports,
        @Nullable AllocAddress address) {

    /**
     * A look at an allocation's health.
     *
     * @param deploymentId the deployment that asks; empty for none
     * @param since when it began
     * @param found null until it is known
     */
    record Watch(
            String deploymentId, Instant since, @Nullable AllocHealth found) {}

    KnownAllocation {
        volumes = Ordered.copyOf(volumes);
        tasks = Ordered.copyOf(tasks);
        ports = List.copyOf(ports);
    }

    /** What is known of an allocation that is new to the node. */
    static KnownAllocation of(ToNode.Assignment assignment, Instant now) {
        Map<String, TaskRecord> tasks = new TreeMap<>();
        assignment
                .job()
                .group(assignment.group())
                .ifPresent(group -> group.tasks().forEach(task -> tasks.put(task.name(), TaskRecord.NEW)));
        Map<String, VolumeId> volumes = new TreeMap<>();
        assignment.volumes().forEach((alias, volume) -> volumes.put(alias, volume.volume()));
        return new KnownAllocation(
                        assignment.allocId(),
                        assignment.name(),
                        assignment.index(),
                        assignment.evalId(),
                        assignment.job(),
                        assignment.jobVersion(),
                        assignment.group(),
                        assignment.desired(),
                        volumes,
                        tasks,
                        false,
                        "",
                        false,
                        null,
                        false,
                        null,
                        null,
                        null,
                        assignment.ports(),
                        null)
                .with(assignment, now);
    }

    TaskGroup taskGroup() {
        return job.group(group)
                .orElseThrow(() -> new InvariantBroken("an allocation's job has its group", name + " of " + job.id()));
    }

    /** Whether one of its tasks is a storage plugin, which others may need to the end. */
    boolean isPlugin() {
        return job.group(group).stream()
                .flatMap(found -> found.tasks().stream())
                .anyMatch(task -> task.csiPlugin() != null);
    }

    /** Whether it is to run, by what is written down. */
    boolean isWanted() {
        return desired == DesiredStatus.RUN && failure.isEmpty();
    }

    /** The same with another state for each task, none of which runs. */
    KnownAllocation withStates(UnaryOperator<TaskState> change) {
        KnownAllocation changed = this;
        for (Map.Entry<String, TaskRecord> task : tasks.entrySet()) {
            TaskRecord record = task.getValue();
            changed = changed.withTask(task.getKey(), record.idle(change.apply(record.state())));
        }
        return changed;
    }

    /** How the allocation is, as its tasks tell. */
    ClientStatus status() {
        if (hasFailed()) {
            return ClientStatus.FAILED;
        }
        boolean running = false;
        boolean pending = false;
        boolean failed = false;
        for (TaskRecord task : tasks.values()) {
            switch (task.state().phase()) {
                case RUNNING -> running = true;
                case PENDING -> pending = true;
                case DEAD -> failed |= task.state().failed();
            }
        }
        if (ended) {
            return failed ? ClientStatus.FAILED : ClientStatus.COMPLETE;
        }
        return running || (!pending && failure.isEmpty()) ? ClientStatus.RUNNING : ClientStatus.PENDING;
    }

    /**
     * Whether it has failed and nothing of it runs or will. Its volumes may still be there, which their own phases
     * tell: a server that heard of the failure frees none of them for it.
     */
    private boolean hasFailed() {
        return !failure.isEmpty()
                && (ended
                        || tasks.values().stream().allMatch(task -> task.state().phase() == TaskState.Phase.DEAD));
    }

    /** The status in a sentence. */
    String description() {
        if (!failure.isEmpty()) {
            return failure;
        }
        return switch (status()) {
            case PENDING -> "No tasks have started";
            case RUNNING -> "Tasks are running";
            case COMPLETE -> "All tasks have completed";
            case FAILED -> "Failed tasks";
            case LOST, UNKNOWN -> "";
        };
    }

    /** When the last of its tasks ended; the epoch if none was begun. */
    Instant endedAt() {
        return tasks.values().stream()
                .flatMap(task -> Stream.ofNullable(task.state().finishedAt()))
                .max(Instant::compareTo)
                .orElse(Instant.EPOCH);
    }

    /** The states of its tasks, by name. */
    Map<String, TaskState> states() {
        Map<String, TaskState> states = new TreeMap<>();
        tasks.forEach((task, record) -> states.put(task, record.state()));
        return states;
    }

    /** With the newest of what the server wants. */
    KnownAllocation with(ToNode.Assignment assignment, Instant now) {
        return edit(draft -> {
            draft.desired = assignment.desired();
            draft.job = assignment.job();
            draft.jobVersion = assignment.jobVersion();
            draft.noShutdownDelay = assignment.noShutdownDelay();
            String asking = Objects.requireNonNullElse(assignment.deploymentId(), "");
            if (watch == null || !watch.deploymentId().equals(asking)) {
                draft.watch = new Watch(asking, now, null);
            }
        });
    }

    KnownAllocation withTask(String task, TaskRecord known) {
        Map<String, TaskRecord> more = new HashMap<>(tasks);
        more.put(task, known);
        return edit(draft -> draft.tasks = more);
    }

    KnownAllocation failed(String why) {
        return edit(draft -> draft.failure = why);
    }

    /** As {@link #failed}; its tasks end without their shutdown delay. */
    KnownAllocation failedAtOnce(String why) {
        return edit(draft -> {
            draft.failure = why;
            draft.noShutdownDelay = true;
        });
    }

    KnownAllocation over() {
        return edit(draft -> draft.ended = true);
    }

    /** Its tasks are ended from now on. */
    KnownAllocation ending(Instant now) {
        return edit(draft -> draft.endingSince = now);
    }

    /** Its tasks are to be ended, and started again from the first. */
    KnownAllocation restart() {
        return edit(draft -> draft.restarting = true);
    }

    KnownAllocation notRestarting() {
        return edit(draft -> draft.restarting = false);
    }

    /** All its tasks are as before their first start, but for what is told of them. */
    KnownAllocation fromTheFirst() {
        Map<String, TaskRecord> anew = new HashMap<>();
        tasks.forEach((task, record) -> anew.put(task, record.anew()));
        return edit(draft -> {
            draft.tasks = anew;
            draft.restarting = false;
            draft.endingSince = null;
        });
    }

    /** Its tasks that name no user run as this one. */
    KnownAllocation as(OwnUser chosen) {
        return edit(draft -> draft.user = chosen);
    }

    /** Where it is in a network of its own. */
    KnownAllocation at(@Nullable AllocAddress found) {
        return edit(draft -> draft.address = found);
    }

    /** From then on the time counts that it may run. */
    KnownAllocation begun(Instant at) {
        return edit(draft -> draft.begunAt = at);
    }

    /** What was found of its health. */
    KnownAllocation found(AllocHealth health) {
        return edit(
                draft -> draft.watch = watch == null ? null : new Watch(watch.deploymentId(), watch.since(), health));
    }

    private KnownAllocation edit(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return new KnownAllocation(
                allocId,
                name,
                index,
                evalId,
                draft.job,
                draft.jobVersion,
                group,
                draft.desired,
                volumes,
                draft.tasks,
                draft.ended,
                draft.failure,
                draft.noShutdownDelay,
                draft.endingSince,
                draft.restarting,
                draft.watch,
                draft.user,
                draft.begunAt,
                ports,
                draft.address);
    }

    /** What may change while it lives. */
    private static final class Draft {
        private JobSpec job;
        private long jobVersion;
        private DesiredStatus desired;
        private Map<String, TaskRecord> tasks;
        private boolean ended;
        private String failure;
        private boolean noShutdownDelay;
        private @Nullable Instant endingSince;
        private boolean restarting;
        private @Nullable Watch watch;
        private @Nullable OwnUser user;
        private @Nullable Instant begunAt;
        private @Nullable AllocAddress address;

        Draft(KnownAllocation from) {
            job = from.job;
            jobVersion = from.jobVersion;
            desired = from.desired;
            tasks = from.tasks;
            ended = from.ended;
            failure = from.failure;
            noShutdownDelay = from.noShutdownDelay;
            endingSince = from.endingSince;
            restarting = from.restarting;
            watch = from.watch;
            user = from.user;
            begunAt = from.begunAt;
            address = from.address;
        }
    }
}
