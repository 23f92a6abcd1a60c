package io.cleat.image;

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
import io.cleat.driver.registry.ImageName;
import io.cleat.driver.registry.RegistryLogin;
import io.cleat.kernel.LocalFiles;
import io.cleat.kernel.PathStat;
import io.cleat.kernel.PathWorkers;
import io.cleat.kernel.Place;
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
    private static final Duration SWEEPING = Duration.ofMinutes(1);

    private final StoreSettings settings;
    private final Path shim;
    private final LayerStore layers;
    private final PulledImages pulled;
    private final KnownArchives archives = new KnownArchives();
    private final PathWorkers workers;
    private final Threads threads;
    private final Time time;
    private final ImageSlots slots;

    /**
     * @param root the agent's alone, on a local disk that survives it; on the file system of nothing else that matters
     * @param shim the shim program, which confines
     */
    public ImageStore(
            Path root, StoreSettings settings, Path shim, PathWorkers workers, Threads threads, Time time, Ids ids)
            throws DiskTrouble {
        this.settings = settings;
        this.shim = shim.toAbsolutePath();
        this.layers = new LayerStore(root.toAbsolutePath(), workers, threads, time, ids);
        this.pulled = new PulledImages(root.toAbsolutePath().resolve("pulled"), layers);
        this.workers = workers;
        this.threads = threads;
        this.time = time;
        this.slots = new ImageSlots(time);
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
        try {
            return switch (wanted.source()) {
                case Source.Local(Place place) -> read(wanted, place, starting);
                case Source.Remote remote -> pull(wanted, remote, starting);
            };
        } catch (DriverTrouble own) {
            throw own;
        } catch (Trouble | IOException failed) {
            throw new DriverTrouble(
                    "the image " + wanted.shown() + ": " + failed.getMessage(), Effect.NONE, Retry.SAME_CALL, failed);
        }
    }

    private Held read(Wanted wanted, Place place, Starting starting)
            throws DriverTrouble, DiskTrouble, KernelTrouble, IOException, InterruptedException {
        boolean isArchive = isArchive(wanted, place);
        Optional<String> identity = isArchive ? Optional.of(LocalFiles.identity(place)) : Optional.empty();
        Optional<Held> known = identity.flatMap(it -> known(it, wanted, starting));
        if (known.isPresent()) {
            return known.get();
        }
        Holding holding = holding(wanted, starting, settings.limits().time());
        ImageRun run = begin(wanted, starting, holding);
        try {
            run.unpack(place, isArchive);
            if (identity.isPresent() && identity.get().equals(LocalFiles.identity(place))) {
                archives.put(identity.get(), holding.facts());
            }
        } finally {
            end(run);
        }
        return holding;
    }

    private Held pull(Wanted wanted, Source.Remote remote, Starting starting)
            throws DriverTrouble, DiskTrouble, IOException, InterruptedException {
        boolean mayBeKnown = !remote.force() && !remote.name().moves();
        Optional<Held> known = mayBeKnown ? known(key(remote.name()), wanted, starting) : Optional.empty();
        if (known.isPresent()) {
            return known.get();
        }
        known = mayBeKnown ? kept(wanted, remote.name(), starting) : Optional.empty();
        if (known.isPresent()) {
            return known.get();
        }
        Optional<RegistryLogin> login = remote.login().isPresent()
                ? remote.login()
                : settings.logins().find(remote.name().registry());
        starting.told("Downloading image " + wanted.shown());
        Holding holding = holding(wanted, starting, remote.within());
        ImageRun run = begin(wanted, starting, holding);
        try {
            run.pull(remote, login, pulled);
            archives.put(key(remote.name()), holding.facts());
        } finally {
            end(run);
        }
        return holding;
    }

    /** What an earlier agent pulled, if its layers are all there; it is read and verified again. */
    private Optional<Held> kept(Wanted wanted, ImageName name, Starting starting)
            throws DriverTrouble, DiskTrouble, IOException, InterruptedException {
        Optional<Place> place = pulled.find(name);
        if (place.isEmpty()) {
            return Optional.empty();
        }
        Holding holding = holding(wanted, starting, settings.limits().time()).claimingNothing();
        ImageRun run = begin(wanted, starting, holding);
        try {
            run.unpack(place.get(), false);
            archives.put(key(name), holding.facts());
            return Optional.of(holding);
        } catch (DriverTrouble notWhole) {
            LOG.info("{} is pulled again: {}", name, notWhole.reason());
            return Optional.empty();
        } finally {
            end(run);
        }
    }

    private static String key(ImageName name) {
        return "name " + name;
    }

    private Holding holding(Wanted wanted, Starting starting, Duration within) {
        return new Holding(wanted, layers, starting, Deadline.in(time, within));
    }

    /** Takes a place in the room, for all processes of the run: it keeps what others wait for. */
    private ImageRun begin(Wanted wanted, Starting starting, Holding holding)
            throws DriverTrouble, InterruptedException {
        if (!slots.enter(starting)) {
            holding.close();
            throw refused(wanted, "it is not wanted any more");
        }
        return new ImageRun(settings, shim, layers, threads, time, wanted, starting, holding);
    }

    private void end(ImageRun run) throws InterruptedException {
        try {
            run.end();
        } finally {
            slots.leave();
        }
    }

    /** What was read before and has not changed since, if its layers are all there. */
    private Optional<Held> known(String identity, Wanted wanted, Starting starting) {
        Optional<ImageFacts> facts = archives.get(identity);
        if (facts.isEmpty()) {
            return Optional.empty();
        }
        Holding holding = holding(wanted, starting, Duration.ZERO);
        if (holding.isWhole(facts.get())) {
            return Optional.of(holding);
        }
        holding.close();
        return Optional.empty();
    }

    /** Whether a file is there, not a directory. */
    private boolean isArchive(Wanted wanted, Place place) throws KernelTrouble, DriverTrouble, InterruptedException {
        Optional<PathStat> found = workers.of(WORKERS).stat(place, Deadline.in(time, LOOKING));
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

    private static DriverTrouble refused(Wanted wanted, String why) {
        return new DriverTrouble("the image " + wanted.shown() + ": " + why, Effect.NONE, Retry.AFTER_OBSERVING);
    }
}
