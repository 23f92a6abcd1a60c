package io.cleat.launch;

import io.cleat.base.Deadline;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.kernel.TemporaryTree;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * Server and node in one process, with the bundled plugin as an ordinary job, in the foreground.
 *
 * <p>Ends on SIGTERM or SIGINT. Without a data directory of its own everything that runs is ended
 * and removed first; with one it goes on, and the next agent takes it over.
 */
record DevRole(List<String> args) implements Role {
    static final String WORD = "dev";
    static final String SUMMARY = "Start a server, a node and the bundled plugin in one process";

    private static final Duration READY_WITHIN = Duration.ofSeconds(60);

    @Override
    public int play() {
        if (args.contains("-help") || args.contains("-h") || args.contains("--help")) {
            System.out.print(DevOptions.USAGE);
            return 0;
        }
        try {
            return run(DevOptions.parse(args));
        } catch (Refused | Trouble e) {
            System.err.println("cleat dev: " + e.getMessage());
            return 1;
        } catch (InterruptedException e) {
            return 1;
        }
    }

    private static int run(DevOptions options) throws Refused, Trouble, InterruptedException {
        if (!"root".equals(System.getProperty("user.name"))) {
            System.err.println(
                    "cleat dev: mounting volumes needs root: run it as root, or with sudo");
            return 1;
        }
        Logging.begin();
        Ports ports = Ports.system(DevRole::fault);
        boolean temporary = options.dataDir().isEmpty();
        Path directory =
                options.dataDir().isPresent() ? options.dataDir().get() : temporaryDirectory();
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(
                                () -> {
                                    asked.countDown();
                                    awaitQuietly(ended);
                                }));
        try (DataDirectory data = DataDirectory.take(directory)) {
            DevAgent agent = DevAgent.start(data, options, httpPort(options), ports);
            try {
                announce(agent, data, temporary);
                boolean ready = agent.awaitPlugin(Deadline.in(ports.time(), READY_WITHIN));
                System.out.println(
                        ready
                                ? "The plugin \"local\" is healthy. Ready."
                                : "The plugin \"local\" is not healthy yet: see cleat plugin status local");
                asked.await();
                System.out.println(
                        temporary ? "Ending all that runs here." : "What runs here goes on.");
            } finally {
                agent.end(temporary);
            }
        } finally {
            if (temporary) {
                removeTemporary(directory, ports);
            }
            ended.countDown();
        }
        return 0;
    }

    private static void announce(DevAgent agent, DataDirectory data, boolean temporary) {
        PrintStream out = System.out;
        out.println("Cleat dev agent: server and node in one process");
        out.println("  HTTP API   " + agent.address());
        out.println("  socket     unix://" + data.file("http.sock"));
        out.println(
                "  data       " + data.root() + (temporary ? "  (goes when the agent ends)" : ""));
        out.println(
                "  warning    without access control any local user can become root through this address");
        out.println("Try:");
        out.println("  export CLEAT_ADDR=" + agent.address());
        out.println("  ./cleat plugin status");
        out.println("  ./cleat node status");
        out.println("  ./cleat volume create examples/counter-data.volume.hcl");
        out.println("  ./cleat job run examples/counter.nomad.hcl");
        out.flush();
    }

    /** The port that was asked for; a free one where the usual one is taken. */
    private static int httpPort(DevOptions options) {
        if (options.httpPort() == 0 || (!options.portGiven() && isTaken(options))) {
            return freePort(options);
        }
        return options.httpPort();
    }

    private static boolean isTaken(DevOptions options) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(options.bind(), options.httpPort()));
            return false;
        } catch (IOException taken) {
            return true;
        }
    }

    private static int freePort(DevOptions options) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(options.bind(), 0));
            return socket.getLocalPort();
        } catch (IOException e) {
            return options.httpPort();
        }
    }

    private static Path temporaryDirectory() {
        try {
            return Files.createTempDirectory("cleat-dev-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Only files of this program are in it: every workload's directory and every volume is gone by
     * now.
     */
    private static void removeTemporary(Path directory, Ports ports) throws InterruptedException {
        try {
            new TemporaryTree(directory).remove(shim(), ports.threads(), ports.time());
        } catch (KernelTrouble stays) {
            System.err.println("cleat dev: " + directory + " stays: " + stays.reason());
        }
    }

    /** The native program, as the launcher says. */
    static Path shim() {
        return Path.of(System.getProperty("cleat.shim", "build/shim"));
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * A broken invariant: nothing more is decided on the strength of it. What runs goes on without
     * us.
     */
    private static void fault(String where, Throwable fault) {
        System.err.println(
                "cleat: a fault in " + where + ", this agent ends; tasks and mounts go on:");
        fault.printStackTrace();
        Runtime.getRuntime().halt(70);
    }
}
