package io.cleat.testkit;

import io.cleat.base.DriverTrouble;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.driver.Starting;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskHandle;
import io.cleat.driver.exec.ExecDriver;
import io.cleat.driver.exec.ExecSettings;
import io.cleat.kernel.Cgroups;
import io.cleat.kernel.Mounts;
import io.cleat.kernel.PathWorkers;
import io.cleat.kernel.Processes;
import io.cleat.model.Resources;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What an agent does with one {@code exec} task, from start to end, in a process of its own that dies at a given point
 * of it. The runtime kills it at those that only the runtime sees.
 */
final class DyingExecAgent {
    static final String ID = "alloc/web/ffffffff";
    private static final int DEAD = 137;

    private DyingExecAgent() {}

    /** Where it dies. */
    enum Point {
        /** The layers of an image are being unpacked. */
        UNPACKING,
        /** The root of an image is mounted, the container described, and no shim called. */
        MOUNTED,
        /** The container is described, and no shim called. */
        DESCRIBED,
        BEFORE_CREATE,
        AFTER_CREATE,
        BEFORE_START,
        AFTER_START,
        /** The task runs. */
        RUNNING,
        /** The task has been asked to stop, and does not. */
        STOPPING,
        /** The task has ended. */
        ENDED,
        /** What is left of the task is being removed. */
        REMOVING
    }

    /** The task: it ends by a kill only, except at those points that are after its end. */
    static TaskConfig config(Path root, Point point) {
        boolean ends = point == Point.ENDED || point == Point.REMOVING;
        boolean hasImage = point == Point.UNPACKING || point == Point.MOUNTED;
        String script = ends ? "exit 7" : "trap '' TERM; echo up; while :; do sleep 0.05; done";
        return ExecGround.config(
                root,
                ID,
                hasImage
                        ? Map.of("image", "local/image.tar", "command", "/bin/sh")
                        : Map.of("command", "/bin/sh", "args", List.of("-c", script)),
                "",
                Resources.NONE,
                List.of());
    }

    /** @param arguments the ground's root and group, the directory of the runtime, the point */
    public static void main(String[] arguments) throws Exception {
        Path root = Path.of(arguments[0]);
        Point point = Point.valueOf(arguments[3]);
        SystemTime time = new SystemTime();
        Threads threads = Threads.virtual((thread, fault) -> fault.printStackTrace());
        Path shim = ShimProgram.built();
        boolean[] armed = {false};
        PathWorkers workers = new PathWorkers(shim, threads, time);
        ExecDriver driver = new ExecDriver(
                ExecSettings.STRICT,
                new ExecDriver.Parts(
                        shim,
                        root.resolve("exec"),
                        List.of(Path.of(arguments[2])),
                        dying(Cgroups.linux(arguments[1], time), armed, point),
                        Processes.linux(),
                        Mounts.linux(),
                        workers,
                        threads,
                        time,
                        Optional.of(ExecGround.images(root.resolve("images"), workers)),
                        () -> {}));
        Eventually.holds(() -> driver.fingerprint().healthy(), "the runtime's trial, beside those of others");
        armed[0] = true;
        Files.writeString(root.resolve("kill"), ProcessHandle.current().pid() + " " + point + "\n");
        TaskHandle task = driver.start(config(root, point), dying(point));
        if (point == Point.STOPPING) {
            Eventually.holds(() -> KeptOutput.of(root, "stdout").equals("up\n"), "signals are ignored");
            driver.stop(task, "SIGTERM", Duration.ofMillis(300));
        }
        if (point.compareTo(Point.ENDED) >= 0) {
            driver.await(task);
        }
        if (point == Point.REMOVING) {
            Path shims = root.resolve("exec/shims/alloc.web.ffffffff");
            threads.vitalWork("remove", () -> remove(driver, task));
            while (Files.exists(shims)) {
                Thread.onSpinWait();
            }
        }
        Runtime.getRuntime().halt(DEAD);
    }

    private static void remove(ExecDriver driver, TaskHandle task) throws InterruptedException {
        try {
            driver.destroy(task);
        } catch (DriverTrouble trouble) {
            throw new AssertionError(trouble);
        }
    }

    /** Who unpacks says so before it begins. */
    private static Starting dying(Point point) {
        return new Starting() {
            @Override
            public void told(String words) {
                if (point == Point.UNPACKING && words.startsWith("Getting")) {
                    Runtime.getRuntime().halt(DEAD);
                }
            }

            @Override
            public boolean isWanted() {
                return true;
            }
        };
    }

    /** The shims' group is asked for when all is ready for the shim, and nothing started. */
    private static Cgroups dying(Cgroups real, boolean[] armed, Point point) {
        return (Cgroups) Proxy.newProxyInstance(
                Cgroups.class.getClassLoader(), new Class<?>[] {Cgroups.class}, (proxy, method, given) -> {
                    if (armed[0]
                            && (point == Point.DESCRIBED || point == Point.MOUNTED)
                            && method.getName().equals("create")) {
                        Runtime.getRuntime().halt(DEAD);
                    }
                    return method.invoke(real, given);
                });
    }
}
