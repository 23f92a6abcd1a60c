package io.cleat.processtests;

import io.cleat.agent.volumes.JournalPoint;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A process that mounts and unmounts a volume and ends, as by SIGKILL, at one point of it:
 * arguments are a directory, the shim, the point, and the volume of the other allocation.
 */
final class DyingAgent {
    static final int KILLED = 137;

    private DyingAgent() {}

    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[0]);
        JournalPoint end = JournalPoint.valueOf(arguments[2]);
        AtomicBoolean armed = new AtomicBoolean();
        JournalPoint.Listener killer =
                point -> {
                    if (armed.get() && point == end) {
                        Runtime.getRuntime().halt(KILLED);
                    }
                };
        VolumeNode node = new VolumeNode(directory, Path.of(arguments[1]), killer);
        Files.writeString(node.publish("other", arguments[3]).resolve("other"), "other's data");
        armed.set(true);
        Files.writeString(node.publish("own", "ext-1").resolve("own"), "own data");
        node.unpublish("own");
        System.exit(0);
    }
}
