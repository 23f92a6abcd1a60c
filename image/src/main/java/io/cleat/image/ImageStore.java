package io.cleat.image;

import io.cleat.artifact.Confinement;
import io.cleat.base.Deadline;
import io.cleat.base.DiskTrouble;
import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Ids;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.base.Trouble;
import io.cleat.driver.Starting;
import io.cleat.driver.exec.TaskImages;
import io.cleat.kernel.LocalFiles;
import io.cleat.kernel.PathStat;
import io.cleat.kernel.PathWorkers;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The images of a node: reads them where jobs say, and keeps their layers for all tasks. */
public final class ImageStore implements TaskImages {
    private static final Logger LOG = LoggerFactory.getLogger(ImageStore.class);
    private static final String WORKERS = "images";
    private static final Duration LOOKING = Duration.ofSeconds(30);
    private static final Duration LOOK = Duration.ofMillis(500);
    private static final Duration SWEEPING = Duration.ofMinutes(1);

    private final StoreSettings settings;
    private final Path shim;
    private final LayerStore layers;
    private final KnownArchives archives = new KnownArchives();
    private final PathWorkers workers;
    private final Threads threads;
    private final Time time;

    /**
     * @param root the agent's alone, on a local disk that survives it; on the file system of
     *     nothing else that matters
     * @param shim the shim program, which confines
     */
    public ImageStore(
            Path root,
            StoreSettings settings,
            Path shim,
            PathWorkers workers,
            Threads threads,
            Time time,
            Ids ids)
            throws DiskTrouble {
        this.settings = settings;
        this.shim = shim.toAbsolutePath();
        this.layers = new LayerStore(root.toAbsolutePath(), workers, threads, time, ids);
        this.workers = workers;
        this.threads = threads;
        this.time = time;
        layers.clear();
    }

    /** The directories of layers that containers have. */
    @FunctionalInterface
    public interface Used {
        Set<Path> directories() throws IOException;
    }

    /** From now on layers are removed that no task uses any more. */
    public void start(Used used) {
        if (settings.keep().isEmpty()) {
            return;
        }
        Duration keep = settings.keep().get();
        Duration pause = keep.compareTo(SWEEPING) < 0 ? keep.plusSeconds(1) : SWEEPING;
        threads.contained(
                "images/sweep",
                () -> {
                    while (true) {
                        time.sleep(pause);
                        sweep(used, keep);
                    }
                },
                Threads.OnFault.NOTHING_MORE);
    }

    private void sweep(Used used, Duration keep) throws InterruptedException {
        long asOf = time.nanos();
        try {
            layers.sweep(used.directories(), asOf, keep);
        } catch (DiskTrouble | IOException trouble) {
            LOG.warn("layers that no task uses stay for now: {}", trouble.getMessage());
        }
    }

    @Override
    public Held hold(Wanted wanted, Starting starting) throws DriverTrouble, InterruptedException {
        Deadline deadline = Deadline.in(time, settings.limits().time());
        try {
            boolean isArchive = isArchive(wanted);
            Optional<String> identity =
                    isArchive ? Optional.of(LocalFiles.identity(wanted.place())) : Optional.empty();
            Optional<Held> known = identity.flatMap(it -> known(it, wanted, starting, deadline));
            if (known.isPresent()) {
                return known.get();
            }
            Path directory = layers.freshDirectory();
            Holding holding = new Holding(wanted, layers, starting, deadline);
            boolean succeeded = false;
            try {
                run(wanted, isArchive, directory, holding, starting, deadline);
                succeeded = true;
                if (identity.isPresent()
                        && identity.get().equals(LocalFiles.identity(wanted.place()))) {
                    archives.put(identity.get(), holding.facts());
                }
            } finally {
                holding.over();
                if (!succeeded) {
                    holding.close();
                }
                layers.remove(directory);
            }
            return holding;
        } catch (DriverTrouble own) {
            throw own;
        } catch (Trouble | IOException failed) {
            throw new DriverTrouble(
                    "the image " + wanted.shown() + ": " + failed.getMessage(),
                    Effect.NONE,
                    Retry.SAME_CALL,
                    failed);
        }
    }

    /** An archive that was read before and has not changed since, if its layers are all there. */
    private Optional<Held> known(
            String identity, Wanted wanted, Starting starting, Deadline deadline) {
        Optional<ImageFacts> facts = archives.get(identity);
        if (facts.isEmpty()) {
            return Optional.empty();
        }
        Holding holding = new Holding(wanted, layers, starting, deadline);
        if (holding.isWhole(facts.get())) {
            return Optional.of(holding);
        }
        holding.close();
        return Optional.empty();
    }

    /** Whether a file is there, not a directory. */
    private boolean isArchive(Wanted wanted)
            throws KernelTrouble, DriverTrouble, InterruptedException {
        Optional<PathStat> found =
                workers.of(WORKERS).stat(wanted.place(), Deadline.in(time, LOOKING));
        if (found.isEmpty()) {
            throw refused(
                    wanted,
                    "nothing is there; an artifact block can bring it, such as"
                            + " { source = \"https://...\" destination = \"local/image.tar\""
                            + " mode = \"file\" options { archive = \"false\" } }");
        }
        return switch (found.get().type()) {
            case FILE -> true;
            case DIRECTORY -> false;
            default -> throw refused(wanted, "it is neither a file nor a directory");
        };
    }

    private void run(
            Wanted wanted,
            boolean isArchive,
            Path directory,
            Holding holding,
            Starting starting,
            Deadline deadline)
            throws IOException, DiskTrouble, DriverTrouble, InterruptedException {
        UnpackProcess process =
                new UnpackProcess(
                        new Confinement(shim, settings.user(), true),
                        directory,
                        wanted.place(),
                        isArchive,
                        settings.limits(),
                        holding,
                        threads);
        Optional<String> ended = await(process, holding, starting, deadline);
        if (ended.isPresent()) {
            throw new DriverTrouble(
                    "the image " + wanted.shown() + ": " + ended.get(),
                    Effect.NONE,
                    Retry.SAME_CALL);
        }
        UnpackProcess.End end = process.end();
        if (end.why().isPresent()) {
            throw new DriverTrouble(
                    "the image " + wanted.shown() + ": " + end.why().get(),
                    Effect.NONE,
                    end.again() ? Retry.SAME_CALL : Retry.NEVER);
        }
        layers.take(directory, holding.made());
        holding.requireAll();
    }

    /** Why it was ended before its time; empty if it has ended by itself. */
    private Optional<String> await(
            UnpackProcess process, Holding holding, Starting starting, Deadline deadline)
            throws InterruptedException {
        Optional<String> why = Optional.empty();
        try {
            while (!process.hasEnded(LOOK)) {
                if (why.isPresent()) {
                    process.kill();
                } else if (deadline.isExpired()) {
                    why = Optional.of(UnpackMeter.late(settings.limits()));
                } else if (!starting.isWanted()) {
                    why = Optional.of("it is not wanted any more");
                }
                if (why.isPresent()) {
                    holding.giveUp();
                    process.cancel();
                }
            }
            return why;
        } catch (InterruptedException end) {
            holding.giveUp();
            process.cancel();
            while (!process.hasEnded(LOOK)) {
                process.kill();
            }
            throw end;
        }
    }

    private static DriverTrouble refused(Wanted wanted, String why) {
        return new DriverTrouble(
                "the image " + wanted.shown() + ": " + why, Effect.NONE, Retry.AFTER_OBSERVING);
    }
}
