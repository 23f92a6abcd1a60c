package io.cleat.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.SystemTime;
import io.cleat.driver.ExitResult;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskDriver;
import io.cleat.driver.TaskHandle;
import io.cleat.driver.exec.ExecSettings;
import io.cleat.kernel.PathWorkers;
import io.cleat.testkit.DyingExecAgent.Point;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The agent killed at each point in the life of an {@code exec} task, with a real runtime: the next agent finds what
 * there is, and nothing is left. The points are tried side by side, each on a ground of its own.
 */
@Timeout(240)
class ExecKilledAgentTest {
    private static final Duration NOW = Duration.ZERO;

    @TempDir
    Path temporary;

    @Test
    void theNextAgentFindsWhatTheLastOneBegan_andNothingIsLeft() throws Exception {
        Map<Point, ExecGround> grounds = new EnumMap<>(Point.class);
        Map<Point, Process> agents = new EnumMap<>(Point.class);
        for (Point point : Point.values()) {
            Path root = Files.createDirectory(temporary.resolve(point.name()));
            ExecGround ground = new ExecGround(root, ExecSettings.STRICT, List.of(runtime(root)));
            grounds.put(point, ground);
            if (point.compareTo(Point.MOUNTED) <= 0) {
                TestImage.archive(TestImage.withShell("{}").saved(), root.resolve("task/local/image.tar"));
            }
            agents.put(point, agent(ground, point));
        }
        List<Throwable> failures = new ArrayList<>();
        for (Point point : Point.values()) {
            try {
                assertEquals(137, required(agents, point).waitFor(), point + ": it was killed");
                after(point, required(grounds, point));
            } catch (AssertionError | Exception failed) {
                failures.add(new AssertionError("killed at " + point + ": " + failed, failed));
            }
            try {
                required(grounds, point).end();
            } catch (AssertionError left) {
                failures.add(new AssertionError("left after " + point + ": " + left, left));
            }
        }
        failures.forEach(Throwable::printStackTrace);
        assertEquals(List.of(), failures);
    }

    private static boolean isEmpty(Path directory) throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.findAny().isEmpty();
        }
    }

    private static <T> T required(Map<Point, T> all, Point point) {
        return Optional.ofNullable(all.get(point)).orElseThrow();
    }

    private static void after(Point point, ExecGround ground) throws Exception {
        Files.deleteIfExists(ground.root().resolve("kill"));
        TaskDriver driver =
                ground.make(ExecSettings.STRICT, List.of(ground.root().resolve("path")));
        TaskConfig config = DyingExecAgent.config(ground.root(), point);
        Optional<TaskHandle> found = driver.find(config);
        switch (point) {
            // Nothing had begun; or all of it was over, and was being forgotten.
            case UNPACKING -> {
                assertTrue(found.isEmpty(), found.toString());
                try (PathWorkers workers = new PathWorkers(ShimProgram.built(), ExecGround.THREADS, new SystemTime())) {
                    ExecGround.images(ground.root().resolve("images"), workers);
                    Eventually.holds(
                            () -> isEmpty(ground.root().resolve("images/fresh")), "nothing half unpacked is left");
                }
                assertTrue(isEmpty(ground.root().resolve("images/layers")));
            }
            case MOUNTED -> {
                assertTrue(found.isEmpty(), found.toString());
                try (Stream<Path> left = Files.list(ground.root().resolve("task"))) {
                    assertEquals(3, left.count());
                }
            }
            case DESCRIBED, REMOVING -> assertTrue(found.isEmpty(), found.toString());
            case ENDED -> {
                assertEquals(7, driver.await(found.orElseThrow()).exitCode());
                driver.destroy(found.orElseThrow());
            }
            // Who was asked to stop is killed in time, though nobody is there any more.
            case STOPPING -> {
                assertEquals(9, driver.await(found.orElseThrow()).signal());
                driver.destroy(found.orElseThrow());
            }
            // A shim goes on without its caller.
            default -> {
                TaskHandle task = found.orElseThrow();
                Eventually.holds(() -> ground.output("stdout").equals("up\n"), "the task runs");
                driver.stop(task, "SIGKILL", NOW);
                ExitResult end = driver.await(task);
                assertEquals(9, end.signal(), end.toString());
                driver.destroy(task);
            }
        }
        assertTrue(driver.find(config).isEmpty());
    }

    private static Process agent(ExecGround ground, Point point) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx96m",
                        "--enable-native-access=ALL-UNNAMED",
                        "-Dcleat.root=" + System.getProperty("cleat.root", "."),
                        "-cp",
                        System.getProperty("java.class.path"),
                        DyingExecAgent.class.getName(),
                        ground.root().toString(),
                        ground.parent(),
                        ground.root().resolve("path").toString(),
                        point.name())
                .inheritIO()
                .start();
    }

    /** Once the file {@code kill} names a process and a point, it is killed there. */
    private static Path runtime(Path root) throws IOException {
        Path directory = Files.createDirectory(root.resolve("path"));
        String script = """
                #!/bin/sh
                verb=
                for word; do case $word in create | start) verb=$word ;; esac; done
                at() {
                  if [ -e %1$s ]; then
                    read -r pid point <%1$s
                    if [ "$point" = "$1" ]; then kill -9 "$pid"; fi
                  fi
                }
                case $verb in create) at BEFORE_CREATE ;; start) at BEFORE_START ;; esac
                %2$s "$@" || exit 1
                case $verb in create) at AFTER_CREATE ;; start) at AFTER_START ;; esac
                """.formatted(root.resolve("kill"), ExecGround.runtime());
        Path runtime = Files.writeString(directory.resolve("runc"), script);
        if (!runtime.toFile().setExecutable(true)) {
            throw new IOException(runtime.toString());
        }
        return directory;
    }
}
