package io.cleat.driverkit;

import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.driverschema.Cookie;
import io.grpc.BindableService;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A program that is a driver plugin: started by whoever runs plugins, it says where it listens and serves until it is
 * told to end. Its {@code main} is one line:
 *
 * <pre>System.exit(DriverProgram.serve(new MyDriver(), threads, time));</pre>
 */
public final class DriverProgram {
    private static final int USAGE = 2;

    /** Whoever runs plugins kills what has not ended after two. */
    private static final long CLOSING_SECONDS = 1;

    private DriverProgram() {}

    /**
     * Serves until it is told to end; tasks run on.
     *
     * @return an exit code: 0 told to end, 1 could not serve, 2 started by somebody who runs no plugins
     */
    public static int serve(PluginDriver driver, Threads threads, Time time) throws InterruptedException {
        return serve(driver, threads, time, System.getenv(), System.out, System.err);
    }

    static int serve(
            PluginDriver driver,
            Threads threads,
            Time time,
            Map<String, String> environment,
            PrintStream out,
            PrintStream err)
            throws InterruptedException {
        if (!Cookie.VALUE.equals(environment.get(Cookie.VARIABLE))) {
            err.println("This program is the task driver "
                    + driver.name()
                    + ", a plugin: it is started by an agent, from the directory of -driver-dir."
                    + " To see what it does: cleat driver try PROGRAM");
            return USAGE;
        }
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().name("end").unstarted(() -> told(end, closed)));
        List<BindableService> services = new ArrayList<>(ProcessServices.of(end));
        services.add(new BaseService(driver));
        services.add(new DriverService(driver, threads, time));
        try {
            Path socket = socket(environment);
            DriverServer server = DriverServer.open(socket, services, threads);
            try {
                out.print(Greeting.line(socket));
                out.flush();
                end.await();
            } finally {
                server.close();
                driver.close();
                closed.countDown();
            }
            return 0;
        } catch (IOException failed) {
            err.println("the driver " + driver.name() + " could not be served: " + failed);
            return 1;
        }
    }

    /** By a signal: the process ends when this does. */
    private static void told(CountDownLatch end, CountDownLatch closed) {
        end.countDown();
        try {
            closed.await(CLOSING_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException impatient) {
            Thread.currentThread().interrupt();
        }
    }

    private static Path socket(Map<String, String> environment) throws IOException {
        String directory = environment.getOrDefault(Greeting.DIRECTORY_VARIABLE, "");
        Path parent = directory.isEmpty()
                ? Files.createTempDirectory("cleat-driver")
                : Path.of(directory).toAbsolutePath();
        return parent.resolve("driver-" + ProcessHandle.current().pid());
    }
}
