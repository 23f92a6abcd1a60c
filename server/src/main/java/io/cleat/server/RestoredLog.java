package io.cleat.server;

import io.cleat.base.Deadline;
import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Ids;
import io.cleat.base.LogTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.base.Trouble;
import io.cleat.log.LogSettings;
import io.cleat.log.RatisLog;
import io.cleat.log.ReplicatedLog;
import io.cleat.log.StoredLog;
import io.cleat.server.commit.Committer;
import io.cleat.server.commit.Saved;
import io.cleat.state.ClusterState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Optional;

/**
 * Gives a server that does not run a log that begins with a saved image. The log that it had stays beside it under
 * another name. A restore that is cut off between its steps is told by the next start, which does not begin another
 * cluster in the place of a log that is on its way.
 *
 * <p>It begins with a reign that no other log has: nodes that have acted on what the saved image lacks put the cluster
 * into recovery, and so does the server's own note of what it has acknowledged.
 */
public final class RestoredLog {
    private static final String UNFINISHED = "log.unfinished";
    private static final String WHOLE = "log.restored";
    private static final String BEFORE = "log.before-";
    private static final Duration WITHIN = Duration.ofMinutes(10);
    private static final Duration PAUSE = Duration.ofMillis(20);

    private final Path server;
    private final Time time;
    private final Threads threads;
    private final Ids ids;

    /** @param server the server's data directory; made when absent */
    public RestoredLog(Path server, Time time, Threads threads, Ids ids) {
        this.server = server;
        this.time = time;
        this.threads = threads;
        this.ids = ids;
    }

    /**
     * Makes the log.
     *
     * @return where the log is that was there before
     * @throws DiskTrouble a process has the directory in use, or it cannot be written; the log that was there is in its
     *     place
     */
    public Optional<Path> of(Saved<ClusterState> saved) throws Trouble, InterruptedException {
        Path log = server.resolve(ServerSettings.LOG);
        Path unfinished = server.resolve(UNFINISHED);
        try {
            Files.createDirectories(server);
            requireEnded(server);
            if (Files.exists(unfinished)) {
                throw new DiskTrouble(
                        unfinished + " is left of a restore that did not come to its end: remove it, and restore again",
                        Effect.NONE,
                        Retry.NEVER);
            }
            boolean hadLog = Files.exists(log);
            if (hadLog) {
                // Nobody may have it open.
                StoredLog.open(log).close();
            }
            write(unfinished, saved);
            Optional<Path> before = hadLog ? Optional.of(besides()) : Optional.empty();
            Path whole = move(unfinished, server.resolve(WHOLE));
            if (before.isPresent()) {
                move(log, before.get());
            }
            move(whole, log);
            return before;
        } catch (IOException failed) {
            throw new DiskTrouble(
                    "a log in " + server + " cannot be made: " + failed, Effect.UNKNOWN, Retry.SAME_CALL, failed);
        }
    }

    /**
     * A restore that ended between two of its steps has left no log, or the one from before.
     *
     * @throws DiskTrouble that is so; it says the step that is left
     */
    static void requireEnded(Path server) throws DiskTrouble {
        Path whole = server.resolve(WHOLE);
        if (Files.exists(whole)) {
            throw new DiskTrouble(
                    "a restore did not come to its end, and "
                            + whole
                            + " is what it made: move it to "
                            + server.resolve(ServerSettings.LOG)
                            + ", and what may be there out of its way; or remove it to do without the restore",
                    Effect.NONE,
                    Retry.NEVER);
        }
    }

    private static Path move(Path from, Path to) throws IOException {
        return Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }

    private Path besides() {
        int number = 1;
        while (Files.exists(server.resolve(BEFORE + number))) {
            number++;
        }
        return server.resolve(BEFORE + number);
    }

    private void write(Path directory, Saved<ClusterState> saved) throws Trouble, InterruptedException {
        try (ReplicatedLog log = new RatisLog(LogSettings.in(directory), time, threads, ids, threads.faults())) {
            log.start(Committer.follower(new ClusterMachine(), saved.applied()));
            Deadline deadline = Deadline.in(time, WITHIN);
            boolean isOpened = false;
            while (log.status().snapshotIndex() < 0) {
                if (deadline.isExpired()) {
                    throw new LogTrouble(
                            "a snapshot in " + directory + " was not written in time", Effect.UNKNOWN, Retry.SAME_CALL);
                }
                if (isOpened) {
                    log.takeSnapshot();
                } else if (log.status().leading()) {
                    // Of a log without entries no snapshot is taken; and this is where it parts
                    // from the one that was saved.
                    log.append(Committer.opening(ids.next()), outcome -> {});
                    isOpened = true;
                }
                time.sleep(PAUSE);
            }
        }
    }
}
