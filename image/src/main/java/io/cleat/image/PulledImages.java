package io.cleat.image;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.driver.registry.ImageName;
import io.cleat.kernel.DurableFiles;
import io.cleat.kernel.Place;
import io.cleat.kernel.TextPath;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.Optional;

/**
 * What names at registries stood for when they were last pulled: of each its manifests and its configuration, as an OCI
 * image layout without layers. So a task is started again though the registry is away, also by a later agent. Who reads
 * one verifies it: damage costs another pull. Any thread.
 */
final class PulledImages {
    private static final int MOST = 200;

    private final Path directory;
    private final LayerStore layers;

    /**
     * @param directory the agent's alone
     * @param layers where what is not wanted any more goes to be removed
     */
    PulledImages(Path directory, LayerStore layers) throws DiskTrouble {
        this.directory = directory;
        this.layers = layers;
        DurableFiles.makeDirectory(directory);
    }

    /** What was kept of a name. */
    Optional<Place> find(ImageName name) {
        Place place = place(name);
        return Files.isDirectory(place.path(), LinkOption.NOFOLLOW_LINKS) ? Optional.of(place) : Optional.empty();
    }

    private Place place(ImageName name) {
        return new Place(directory, TextPath.encoded(name.toString()));
    }

    /** Keeps what a name stands for now; beyond two hundred the oldest goes. */
    void keep(ImageName name, Path layout) throws DiskTrouble, InterruptedException {
        Path kept = place(name).path();
        try {
            drop(kept);
            Files.move(layout, kept, StandardCopyOption.ATOMIC_MOVE);
            DurableFiles.sync(directory);
            Optional<Path> oldest = oldest();
            if (oldest.isPresent()) {
                drop(oldest.get());
            }
        } catch (IOException failed) {
            throw new DiskTrouble(
                    "keeping what " + name + " stands for failed: " + failed, Effect.NONE, Retry.SAME_CALL, failed);
        }
    }

    private void drop(Path kept) throws IOException, DiskTrouble, InterruptedException {
        Path away = layers.freshDirectory();
        try {
            Files.move(kept, away.resolve("old"), StandardCopyOption.ATOMIC_MOVE);
        } catch (NoSuchFileException none) {
            // It was never pulled before, or another start has dropped it.
            return;
        } finally {
            layers.remove(away);
        }
    }

    /** The oldest, where there are too many. */
    private Optional<Path> oldest() throws IOException {
        Path oldest = null;
        FileTime since = null;
        int count = 0;
        try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
            for (Path each : all) {
                FileTime made = Files.getLastModifiedTime(each, LinkOption.NOFOLLOW_LINKS);
                count++;
                if (since == null || made.compareTo(since) < 0) {
                    oldest = each;
                    since = made;
                }
            }
        } catch (DirectoryIteratorException failed) {
            throw failed.getCause();
        }
        return count > MOST ? Optional.ofNullable(oldest) : Optional.empty();
    }
}
