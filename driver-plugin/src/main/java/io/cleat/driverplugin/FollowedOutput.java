package io.cleat.driverplugin;

import io.cleat.base.Deadline;
import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.base.Time;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskHandle;
import io.cleat.driver.shim.ShimTasks;
import io.cleat.kernel.ShimDescription;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps in files what others write to two FIFOs, by a process that outlives the agent, so that nobody who writes waits
 * for an agent or dies of its end.
 *
 * <p>Used by any thread.
 */
final class FollowedOutput {
    private static final Duration MADE = Duration.ofSeconds(10);
    private static final Duration LOOK = Duration.ofMillis(2);

    /** Longer than the process itself waits for what is on its way. */
    private static final Duration ENDING = Duration.ofSeconds(5);

    private final ShimTasks followers;
    private final Path shim;
    private final Time time;

    FollowedOutput(ShimTasks followers, Path shim, Time time) {
        this.followers = followers;
        this.shim = shim.toAbsolutePath();
        this.time = time;
    }

    /**
     * Makes {@code out} and {@code err} in a directory, and keeps what is written there.
     *
     * @param id one of its own for each
     * @param name the first part of the names of the files
     */
    void begin(String id, Path directory, String name, TaskConfig.Logs logs)
            throws DriverTrouble, InterruptedException {
        Path out = directory.resolve("out");
        Path err = directory.resolve("err");
        followers.start(
                id,
                ignored -> new ShimDescription(
                        new ShimDescription.Command(
                                shim,
                                List.of("follow", out.toString(), err.toString()),
                                Map.of(),
                                directory,
                                List.of()),
                        name,
                        Optional.of(logs.directory()),
                        logs.maxFiles(),
                        logs.maxFileSize(),
                        ShimTasks.number(ShimTasks.DEFAULT_SIGNAL, id),
                        ENDING,
                        List.of(),
                        followers.shimCgroups()));
        Deadline deadline = Deadline.in(time, MADE);
        while (!Files.exists(out) || !Files.exists(err)) {
            if (deadline.isExpired()) {
                end(id);
                throw new DriverTrouble(
                        "the FIFOs in " + directory + " were not made in time", Effect.NONE, Retry.SAME_CALL);
            }
            time.sleep(LOOK);
        }
    }

    /** How many bytes were not kept so far. */
    long lost(String id) throws DriverTrouble {
        return followers.lostOutput(followers.handle(id));
    }

    /**
     * Keeps what is still on its way, and ends; nothing if it has ended.
     *
     * @return how many bytes were not kept
     */
    long end(String id) throws DriverTrouble, InterruptedException {
        Optional<TaskHandle> follower = followers.find(id);
        if (follower.isEmpty()) {
            return 0;
        }
        followers.stop(follower.get(), "", ENDING);
        long lost = followers.await(follower.get()).lostOutput();
        followers.destroy(follower.get());
        return lost;
    }
}
