package io.cleat.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.artifact.Confinement;
import io.cleat.base.Ids;
import io.cleat.base.SystemTime;
import io.cleat.driver.Starting;
import io.cleat.driver.exec.TaskImages;
import io.cleat.image.ImageStore;
import io.cleat.image.StoreSettings;
import io.cleat.image.UnpackLimits;
import io.cleat.kernel.PathWorkers;
import io.cleat.kernel.Place;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Layers are made once, kept while they are of use, and removed after. */
@Timeout(60)
final class ImageStoreTest {
    @TempDir
    Path temporary;

    private Path root = Path.of("/");
    private PathWorkers workers = new PathWorkers(Path.of("/"), ExecGround.THREADS, new SystemTime());

    @BeforeEach
    void begin() throws Exception {
        Assumptions.assumeTrue(
                "root".equals(System.getProperty("user.name")),
                "reason: a mount namespace needs root, and the tests run as another user");
        root = temporary.toRealPath();
        workers = new PathWorkers(ShimProgram.built(), ExecGround.THREADS, new SystemTime());
    }

    @AfterEach
    void end() {
        workers.close();
    }

    /** One that keeps layers for no longer than it must. */
    private ImageStore store() throws Exception {
        return new ImageStore(
                root.resolve("images"),
                new StoreSettings(
                        UnpackLimits.standard(),
                        Confinement.USUAL_USER,
                        List.of(),
                        Optional.empty(),
                        "",
                        Optional.of(Duration.ZERO)),
                ShimProgram.built(),
                workers,
                ExecGround.THREADS,
                new SystemTime(),
                Ids.random());
    }

    private TaskImages.Wanted image(String name, String... contents) throws Exception {
        TestImage image = new TestImage("{}");
        for (String content : contents) {
            image.layer(new TestImage.Layer().text("file", content));
        }
        TestImage.archive(image.saved(), root.resolve(name));
        return new TaskImages.Wanted(name, new TaskImages.Source.Local(new Place(root, name)));
    }

    private List<String> names(String directory) throws Exception {
        try (Stream<Path> all = Files.list(root.resolve("images").resolve(directory))) {
            return all.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void aLayerStaysWhileItIsUsedOrHeld_andGoesAfter() throws Exception {
        ImageStore store = store();
        List<Path> used;
        try (TaskImages.Held first = store.hold(image("a", "base", "a"), Starting.ALONE)) {
            used = first.layers();
        }
        store.hold(image("b", "base", "b"), Starting.ALONE).close();
        TaskImages.Held held = store.hold(image("c", "c"), Starting.ALONE);
        assertEquals(4, names("layers").size());
        List<String> kept = Stream.concat(used.stream(), held.layers().stream())
                .map(path -> path.getFileName().toString())
                .sorted()
                .toList();
        store.start(() -> Set.copyOf(used));
        Eventually.holds(() -> names("layers").equals(kept), "what nobody uses is gone");
        held.close();
        Eventually.holds(() -> names("layers").size() == 2, "what nobody holds is gone");
        Eventually.holds(() -> names("fresh").isEmpty(), "nothing is left");
    }

    @Test
    void whoWantsWhatAnotherMakesWaitsForIt() throws Exception {
        ImageStore store = store();
        TaskImages.Wanted wanted = image("a", "base", "a");
        List<String> told = Collections.synchronizedList(new ArrayList<>());
        Starting starting = new Starting() {
            @Override
            public void told(String words) {
                told.add(words);
            }

            @Override
            public boolean isWanted() {
                return true;
            }
        };
        try (ExecutorService both = Executors.newFixedThreadPool(2)) {
            List<Future<TaskImages.Held>> holding =
                    both.invokeAll(Collections.nCopies(2, () -> store.hold(wanted, starting)));
            for (Future<TaskImages.Held> each : holding) {
                assertEquals(2, each.get().layers().size());
                each.get().close();
            }
        }
        assertEquals(List.of("Getting 2 of the 2 layers of image a"), told);
        assertEquals(List.of(), names("fresh"));
    }

    @Test
    void whatAnEarlierAgentLeftHalfMadeIsRemoved() throws Exception {
        Path left = Files.createDirectories(root.resolve("images/fresh/left/tree"));
        Files.writeString(left.resolve("file"), "half");
        store();
        Eventually.holds(() -> names("fresh").isEmpty(), "nothing is left");
    }
}
