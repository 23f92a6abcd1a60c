package io.cleat.processtests;

import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.driver.NetworkMaker;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskHandle;
import io.cleat.driverkit.BlockField;
import io.cleat.driverkit.BlockShape;
import io.cleat.driverkit.BlockValues;
import io.cleat.driverkit.DriverProgram;
import io.cleat.driverkit.ProcessDriver;
import io.cleat.model.DriverFacts;
import io.cleat.model.DriverNetwork;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;

/**
 * A driver plugin whose tasks join no network but one that it has made itself, where it says that each has an address.
 * It writes down what it is asked to make and to undo.
 */
final class NamespaceDriver extends ProcessDriver {
    /** Where it says that it has put each task. */
    static final String ADDRESS = "192.0.2.9";

    private final String name;
    private final Path log;
    private final Time time;

    private NamespaceDriver(String name, Path shim, Path log, Time time) {
        super(shim, time);
        this.name = name;
        this.log = log;
        this.time = time;
    }

    /** Its name, the shim, and where it writes down what it does. */
    public static void main(String[] args) throws InterruptedException {
        Time time = new SystemTime();
        Threads threads = Threads.virtual((where, fault) -> System.err.println(where + ": " + fault));
        System.exit(DriverProgram.serve(
                new NamespaceDriver(args[0], Path.of(args[1]), Path.of(args[2]), time), threads, time));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String version() {
        return "1.0.0";
    }

    @Override
    public BlockShape taskConfig() {
        return BlockShape.of(
                BlockField.text("command").required(), BlockField.texts("args").required());
    }

    @Override
    public DriverFacts fingerprint() {
        return new DriverFacts(true, true, "Healthy", Map.of("driver." + name, "1"), time.now());
    }

    @Override
    protected Program program(TaskConfig task) {
        BlockValues block = new BlockValues(task.config());
        return new Program(Path.of(block.text("command").orElseThrow()), block.texts("args"));
    }

    @Override
    public Optional<NetworkMaker> networkMaker() {
        return Optional.of(new Namespaces());
    }

    @Override
    public Optional<DriverNetwork> network(TaskHandle task) {
        return Optional.of(new DriverNetwork(ADDRESS, Map.of("http", 8080), false));
    }

    private final class Namespaces implements NetworkMaker {
        @Override
        public Made make(String allocId, String hostname) throws DriverTrouble, InterruptedException {
            Path file = Path.of("/run/netns", namespace(allocId));
            if (!Files.exists(file)) {
                ip("add", allocId);
            }
            note("make " + allocId);
            return new Made(file.toString(), Map.of("by", name));
        }

        @Override
        public void unmake(String allocId, Made made) throws DriverTrouble, InterruptedException {
            if (Files.exists(Path.of("/run/netns", namespace(allocId)))) {
                ip("delete", allocId);
            }
            note("unmake " + allocId + " " + made.labels());
        }
    }

    /** The namespace of an allocation. */
    static String namespace(String allocId) {
        return "made-" + allocId;
    }

    private static void ip(String verb, String allocId) throws DriverTrouble, InterruptedException {
        try {
            Process ip = new ProcessBuilder("ip", "netns", verb, namespace(allocId))
                    .redirectErrorStream(true)
                    .start();
            String words = new String(ip.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (ip.waitFor() != 0) {
                throw trouble(words);
            }
        } catch (IOException failed) {
            throw trouble(failed.toString());
        }
    }

    private void note(String what) throws DriverTrouble {
        try {
            Files.writeString(log, what + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException failed) {
            throw trouble(failed.toString());
        }
    }

    private static DriverTrouble trouble(String words) {
        return new DriverTrouble(words, Effect.UNKNOWN, Retry.SAME_CALL);
    }
}
