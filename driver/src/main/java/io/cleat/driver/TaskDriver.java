package io.cleat.driver;

import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.model.DriverFacts;
import io.cleat.model.DriverNetwork;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Starts tasks that outlive the agent, and finds them again.
 *
 * <p>All methods may be called from any thread; those about one task are safe at the same time. A handle stays good for
 * later programs: it is stored.
 */
public interface TaskDriver {
    /** The name in job files, such as {@code raw_exec}. */
    String name();

    DriverCapabilities capabilities();

    /**
     * Whom a task runs as.
     *
     * @param asked as its job says; empty if it does not
     * @return a name or numbers; empty for the agent's own user
     */
    default String userOf(String asked) {
        return asked;
    }

    /**
     * Whether the files of such a task are an image's, which may say who the task is: names of users are its own then,
     * of which this machine knows nothing.
     *
     * @param config the driver's own block, as the job has it
     */
    default boolean hasImage(Map<String, Object> config) {
        return capabilities().isolation() == DriverCapabilities.Isolation.IMAGE;
    }

    /**
     * Whether tasks whose job names no user are to have one that only their allocation has
     * ({@link TaskConfig#ownUser}), where that can be; else they run as {@link #userOf} says.
     */
    default boolean wantsOwnUsers() {
        return false;
    }

    /** Whether it can put a task into a network namespace ({@link TaskConfig#network}). */
    default boolean joinsNetworks() {
        return false;
    }

    /**
     * Where it has put a running task, in a network that it knows itself.
     *
     * @return empty if it knows of none
     */
    default Optional<DriverNetwork> network(TaskHandle task) throws DriverTrouble, InterruptedException {
        return Optional.empty();
    }

    /** What makes the networks of its tasks, of a driver that joins no other. */
    default Optional<NetworkMaker> networkMaker() {
        return Optional.empty();
    }

    /** Whether its tasks resolve names as they are told to ({@link TaskNetwork#dns}). */
    default boolean setsDns() {
        return joinsNetworks();
    }

    /** Whether tasks can be run here now, and why not. */
    DriverFacts fingerprint();

    /** All that is wrong with a task's {@code config} block, in words; empty if nothing is. */
    List<String> faults(Map<String, Object> config);

    /**
     * Starts a task. When it returns the task runs, or has run.
     *
     * @throws DriverTrouble with effect NONE if nothing runs; else {@link #find} tells
     */
    TaskHandle start(TaskConfig config) throws DriverTrouble, InterruptedException;

    /**
     * As {@link #start(TaskConfig)}, of a driver for which that may take long.
     *
     * @throws DriverTrouble with effect NONE also if the task is not wanted any more
     */
    default TaskHandle start(TaskConfig config, Starting starting) throws DriverTrouble, InterruptedException {
        return start(config);
    }

    /**
     * Finds what {@link #start} began under that configuration's id, also when its handle was never stored: running or
     * ended.
     *
     * @return empty if nothing was ever started under the id
     */
    Optional<TaskHandle> find(TaskConfig config) throws DriverTrouble, InterruptedException;

    /** The allocations of which a task of this driver runs on this node, also those that nobody knows any more. */
    Set<String> allocations() throws DriverTrouble;

    /**
     * What runs of one allocation's tasks on this node, also what nobody knows any more: whatever is left of a task
     * whose parent is gone, too.
     */
    List<TaskHandle> live(String allocId) throws DriverTrouble;

    /**
     * Waits for the task's end; at once if it has ended, in whatever life of the agent.
     *
     * @throws TaskLost if it has ended, and how cannot be known: its parent is gone without a word
     * @throws DriverTrouble if it is not known whether it has ended
     */
    ExitResult await(TaskHandle task) throws DriverTrouble, InterruptedException;

    /**
     * Asks the task to stop, and kills it with its children when {@code timeout} has passed; goes on to the end though
     * the agent dies. Returns once that has begun; {@link #await} tells the end. Idempotent; of two stops the earlier
     * end holds.
     *
     * @param signal such as {@code SIGTERM}; empty for the driver's own
     */
    void stop(TaskHandle task, String signal, Duration timeout) throws DriverTrouble, InterruptedException;

    /**
     * Sends a signal.
     *
     * @throws TaskHasEnded for a task that has ended
     */
    void signal(TaskHandle task, String signal) throws DriverTrouble, InterruptedException;

    /**
     * Runs a command in a running task: where the task is, as whom it is, with what it may use.
     *
     * @throws DriverTrouble with effect NONE if the command could not be executed, or the driver cannot do this
     *     ({@link DriverCapabilities#exec})
     */
    default ExecSession exec(TaskHandle task, ExecCommand command) throws DriverTrouble, InterruptedException {
        throw new DriverTrouble("the driver " + name() + " runs no commands in its tasks", Effect.NONE, Retry.NEVER);
    }

    /**
     * As {@link #exec}, in frames, by a driver that has them.
     *
     * @return empty for a driver that has only streams
     */
    default Optional<ExecFrames> execFrames(TaskHandle task, ExecCommand command)
            throws DriverTrouble, InterruptedException {
        return Optional.empty();
    }

    /**
     * What the task uses now.
     *
     * @throws TaskHasEnded for a task that has ended, whose use is not nothing but not known any more
     */
    TaskStats stats(TaskHandle task) throws DriverTrouble, InterruptedException;

    /**
     * How many bytes of a running task's output were not kept so far.
     *
     * @return empty from a driver that cannot tell, now or later
     */
    default OptionalLong lostOutput(TaskHandle task) throws DriverTrouble, InterruptedException {
        return OptionalLong.empty();
    }

    /** Forgets an ended task: its shim directory, its cgroup. Kills one that still runs. Idempotent. */
    void destroy(TaskHandle task) throws DriverTrouble, InterruptedException;
}
