package io.cleat.processtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.agent.volumes.JournalPoint;
import io.cleat.model.AccessMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A process that mounts and unmounts a volume and ends, as by SIGKILL, at one point of it: arguments are a directory,
 * the shim, the point, how volumes are used, the volume, and that of the other allocation.
 */
final class DyingAgent {
    private static final int KILLED = 137;

    private DyingAgent() {}

    /** Lets such a process reach the point and die there. */
    static void killAt(JournalPoint point, Path directory, Path shim, AccessMode mode, String own, String other)
            throws Exception {
        Path log = directory.resolve("log");
        List<String> arguments = List.of(
                DyingAgent.class.getName(),
                directory.toString(),
                shim.toString(),
                point.name(),
                mode.name(),
                own,
                other);
        Process agent = new ProcessBuilder(TestJvm.agent(arguments))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertTrue(agent.waitFor(60, TimeUnit.SECONDS), () -> "the agent hangs: " + TestJvm.text(log));
            assertEquals(KILLED, agent.exitValue(), () -> point + " was not reached: " + TestJvm.text(log));
        } finally {
            agent.destroyForcibly();
        }
    }

    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[0]);
        JournalPoint end = JournalPoint.valueOf(arguments[2]);
        AtomicBoolean armed = new AtomicBoolean();
        JournalPoint.Listener killer = point -> {
            if (armed.get() && point == end) {
                Runtime.getRuntime().halt(KILLED);
            }
        };
        AccessMode mode = AccessMode.valueOf(arguments[3]);
        VolumeNode node = new VolumeNode(directory, Path.of(arguments[1]), mode, killer);
        Files.writeString(node.publish("other", arguments[5]).resolve("other"), "other's data");
        armed.set(true);
        Files.writeString(node.publish("own", arguments[4]).resolve("own"), "own data");
        node.unpublish("own");
        System.exit(0);
    }
}
