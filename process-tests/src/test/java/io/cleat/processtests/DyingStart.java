package io.cleat.processtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.agent.task.StartPoint;
import io.cleat.model.DesiredStatus;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A process that starts an allocation and ends, as by SIGKILL, at one point of it: arguments are a directory, the shim,
 * the control group's parent, and the point.
 */
final class DyingStart {
    private static final int KILLED = 137;

    private DyingStart() {}

    /** Lets such a process reach the point and die there. */
    static void killAt(StartPoint point, Path directory, Path shim, String group) throws Exception {
        Path log = directory.resolve("log");
        Process agent = new ProcessBuilder(TestJvm.agent(List.of(
                        DyingStart.class.getName(), directory.toString(), shim.toString(), group, point.name())))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertTrue(agent.waitFor(100, TimeUnit.SECONDS), () -> point + " was not reached: " + TestJvm.text(log));
            assertEquals(KILLED, agent.exitValue(), () -> point + " was not reached: " + TestJvm.text(log));
        } finally {
            agent.destroyForcibly();
        }
    }

    public static void main(String[] arguments) throws Exception {
        StartPoint end = StartPoint.valueOf(arguments[3]);
        StartPoint.Listener killer = point -> {
            if (point == end) {
                Runtime.getRuntime().halt(KILLED);
            }
        };
        StartNode node = new StartNode(Path.of(arguments[0]), Path.of(arguments[1]), arguments[2], killer);
        node.assign(1, DesiredStatus.RUN);
        Thread.currentThread().join();
    }
}
