package io.cleat.image;

import io.cleat.artifact.Confinement;
import io.cleat.base.Deadline;
import io.cleat.base.DiskTrouble;
import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.driver.Starting;
import io.cleat.driver.exec.TaskImages;
import io.cleat.driver.registry.RegistryLogin;
import io.cleat.kernel.Place;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The processes that get one image for one start of a task, one after the other: at the end the layers are there and
 * held, or nothing is left of it. One thread.
 */
final class ImageRun {
    private static final Duration LOOK = Duration.ofMillis(500);

    /** For so long an image may come with less than 1 KiB/s. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final StoreSettings settings;
    private final Path shim;
    private final LayerStore layers;
    private final Threads threads;
    private final Time time;
    private final TaskImages.Wanted wanted;
    private final Starting starting;
    private final Holding holding;
    private final List<Path> directories = new ArrayList<>();
    private boolean succeeded;

    ImageRun(
            StoreSettings settings,
            Path shim,
            LayerStore layers,
            Threads threads,
            Time time,
            TaskImages.Wanted wanted,
            Starting starting,
            Holding holding) {
        this.settings = settings;
        this.shim = shim;
        this.layers = layers;
        this.threads = threads;
        this.time = time;
        this.wanted = wanted;
        this.starting = starting;
        this.holding = holding;
    }

    /**
     * Unpacks what is not there.
     *
     * @param place of an archive, or of a directory with an OCI image layout
     */
    void unpack(Place place, boolean isArchive) throws IOException, DiskTrouble, DriverTrouble, InterruptedException {
        unpackInto(directory(), place, isArchive);
        succeeded = true;
    }

    private void unpackInto(Path directory, Place place, boolean isArchive)
            throws IOException, DiskTrouble, DriverTrouble, InterruptedException {
        UnpackLimits limits = settings.limits();
        finish(
                new ImageProcess(
                        new ImageProcess.Setup(
                                UnpackMain.class,
                                new Confinement(shim, settings.user(), true),
                                directory,
                                limits.bytes()),
                        to -> {
                            Wire.write(to, directory.toString());
                            to.writeBoolean(isArchive);
                            limits.write(to);
                        },
                        Optional.of(new OfferedFiles(place)),
                        holding,
                        threads),
                limits.time(),
                UnpackMeter.late(limits));
        layers.take(directory, holding.made());
        holding.requireAll();
    }

    /**
     * Downloads what is not there, and unpacks it.
     *
     * @param pulled where it is kept what the name stands for
     */
    void pull(TaskImages.Source.Remote remote, Optional<RegistryLogin> login, PulledImages pulled)
            throws IOException, DiskTrouble, DriverTrouble, InterruptedException {
        Path directory = directory();
        PullOrder order = new PullOrder(
                directory,
                remote.name().registry(),
                remote.name().path(),
                remote.name().pulled(),
                login,
                settings.allowed(),
                remote.within(),
                settings.limits().bytes(),
                PATIENCE);
        finish(
                new ImageProcess(
                        new ImageProcess.Setup(
                                PullMain.class,
                                new Confinement(shim, settings.user()),
                                directory,
                                settings.limits().bytes()),
                        order::write,
                        Optional.empty(),
                        holding,
                        threads),
                remote.within(),
                "it was not downloaded after " + remote.within().toSeconds() + " s: set image_pull_timeout higher");
        if (holding.isClaiming()) {
            unpackInto(directory(), new Place(directory, ""), false);
        } else {
            holding.requireAll();
        }
        pulled.keep(remote.name(), directory.resolve(RegistryFiles.KEPT));
        succeeded = true;
    }

    private Path directory() throws DiskTrouble {
        Path directory = layers.freshDirectory();
        directories.add(directory);
        return directory;
    }

    private void finish(ImageProcess process, Duration within, String late) throws DriverTrouble, InterruptedException {
        Optional<String> ended = await(process, Deadline.in(time, within), late);
        if (ended.isPresent()) {
            throw trouble(ended.get(), Retry.SAME_CALL);
        }
        ImageProcess.End end = process.end();
        if (end.why().isPresent()) {
            throw trouble(end.why().get(), end.again() ? Retry.SAME_CALL : Retry.NEVER);
        }
    }

    private DriverTrouble trouble(String why, Retry retry) {
        return new DriverTrouble("the image " + wanted.shown() + ": " + why, Effect.NONE, retry);
    }

    /** Why it was ended before its time; empty if it has ended by itself. */
    private Optional<String> await(ImageProcess process, Deadline deadline, String late) throws InterruptedException {
        Optional<String> why = Optional.empty();
        try {
            while (!process.hasEnded(LOOK)) {
                if (why.isPresent()) {
                    process.kill();
                } else if (deadline.isExpired()) {
                    why = Optional.of(late);
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

    /** Lets others have what was claimed; of a run that has failed nothing is held. */
    void end() throws InterruptedException {
        holding.over();
        if (!succeeded) {
            holding.close();
        }
        for (Path directory : directories) {
            layers.remove(directory);
        }
    }
}
