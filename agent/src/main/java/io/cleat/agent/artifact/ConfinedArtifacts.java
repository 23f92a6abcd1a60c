package io.cleat.agent.artifact;

import io.cleat.artifact.AddressRange;
import io.cleat.artifact.Confinement;
import io.cleat.artifact.FetchLimits;
import io.cleat.artifact.FetchProcess;
import io.cleat.artifact.Outcome;
import io.cleat.base.Deadline;
import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Ids;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.kernel.MountTable;
import io.cleat.kernel.PathWorkers;
import io.cleat.kernel.Place;
import io.cleat.kernel.SafeRemove;
import io.cleat.kernel.TreeMoves;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches in a process of a user of its own, that sees nothing of the machine's and of tasks' files and may write
 * nowhere but into a fresh directory; gives what came to its owner and moves it to where it is wanted, over no link of
 * a workload.
 */
public final class ConfinedArtifacts implements Artifacts {
    private static final Logger LOG = LoggerFactory.getLogger(ConfinedArtifacts.class);
    private static final String WORKERS = "artifacts";
    private static final Duration MOVING = Duration.ofMinutes(5);
    private static final Duration CLEARING = Duration.ofMinutes(5);
    private static final Owner OURS = new Owner(-1, -1);

    private final Settings settings;
    private final Path shim;
    private final TreeMoves moves;
    private final SafeRemove clearing;
    private final Threads threads;
    private final Time time;
    private final Ids ids;

    /**
     * What an operator may say.
     *
     * @param readable the directories of the machine that artifacts may be taken from
     * @param allowed the addresses of the machine and its link that they may be taken from
     * @param user as whom it is fetched: a number of user and group that nobody else has
     */
    public record Settings(List<Path> readable, List<AddressRange> allowed, FetchLimits limits, long user) {
        public Settings {
            readable = List.copyOf(readable);
            allowed = List.copyOf(allowed);
        }

        /** No path and no address of the machine; the usual limits and user. */
        public static Settings standard() {
            return allowing(List.of());
        }

        /** As {@link #standard}, with some addresses of the machine. */
        public static Settings allowing(List<AddressRange> allowed) {
            return new Settings(List.of(), allowed, FetchLimits.standard(), Confinement.USUAL_USER);
        }
    }

    private final Path root;

    /** @param root for what is on its way; on the file system of the allocations, whose moves are then at once */
    public ConfinedArtifacts(
            Path root, Settings settings, Path shim, PathWorkers workers, Threads threads, Time time, Ids ids) {
        this.root = root;
        this.settings = settings;
        this.shim = shim;
        this.moves = workers.moves(WORKERS);
        this.clearing = new SafeRemove(workers, WORKERS, MountTable::read);
        this.threads = threads;
        this.time = time;
        this.ids = ids;
    }

    /** Removes what an earlier agent left on its way, whose processes ended with it. */
    public void clear() {
        threads.contained(
                "artifacts/clear",
                () -> {
                    try (DirectoryStream<Path> left = Files.newDirectoryStream(root)) {
                        for (Path each : left) {
                            remove(each);
                        }
                    } catch (IOException unreadable) {
                        LOG.warn("what artifacts left in {} is not known: {}", root, unreadable);
                    }
                },
                Threads.OnFault.NOTHING_MORE);
    }

    @Override
    public Download begin(List<Wanted> wanted, long disk) throws DiskTrouble {
        Path directory = root.resolve(ids.next());
        try {
            Files.createDirectory(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            FetchProcess process = FetchProcess.start(
                    Optional.of(new Confinement(shim, settings.user())),
                    directory,
                    settings.readable(),
                    settings.allowed(),
                    settings.limits().onDisk(disk),
                    wanted.stream().map(Wanted::artifact).toList(),
                    threads);
            return new Running(process, directory, wanted);
        } catch (IOException failed) {
            throw new DiskTrouble(
                    "fetching into " + directory + " cannot be begun: " + failed, Effect.NONE, Retry.SAME_CALL, failed);
        }
    }

    private void remove(Path directory) throws InterruptedException {
        try {
            clearing.tree(Place.of(root, directory), Deadline.in(time, CLEARING));
        } catch (KernelTrouble trouble) {
            LOG.warn("{} is left, and removed when the agent starts again: {}", directory, trouble.reason());
        }
    }

    private final class Running implements Download {
        private final FetchProcess process;
        private final Path directory;
        private final List<Wanted> wanted;

        Running(FetchProcess process, Path directory, List<Wanted> wanted) {
            this.process = process;
            this.directory = directory;
            this.wanted = List.copyOf(wanted);
        }

        @Override
        public void cancel() {
            process.cancel();
        }

        @Override
        public List<Optional<String>> await() throws InterruptedException {
            List<Outcome> outcomes = process.await();
            List<Optional<String>> results = new ArrayList<>();
            for (int i = 0; i < outcomes.size(); i++) {
                results.add(
                        switch (outcomes.get(i)) {
                            case Outcome.Failed(String why) -> Optional.of(why);
                            case Outcome.Fetched fetched -> put(fetched, wanted.get(i));
                        });
            }
            remove(directory);
            return results;
        }

        private Optional<String> put(Outcome.Fetched fetched, Wanted wish) throws InterruptedException {
            Place from = new Place(directory, fetched.below());
            Deadline deadline = Deadline.in(time, MOVING);
            Owner owner = wish.owner().orElse(OURS);
            try {
                moves.own(from, settings.user(), owner.uid(), owner.gid(), deadline);
                if (fetched.isDirectory()) {
                    moves.entries(from, wish.destination(), deadline);
                } else {
                    moves.file(
                            from,
                            wish.isFile()
                                    ? wish.destination()
                                    : wish.destination().child(nameOf(fetched.below())),
                            deadline);
                }
                return Optional.empty();
            } catch (KernelTrouble trouble) {
                return Optional.of("it is fetched and cannot be put at its destination: " + trouble.reason());
            }
        }
    }

    private static String nameOf(String below) {
        return below.substring(below.lastIndexOf('/') + 1);
    }
}
