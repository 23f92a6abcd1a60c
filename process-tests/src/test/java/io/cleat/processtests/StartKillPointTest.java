package io.cleat.processtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.agent.task.StartPoint;
import io.cleat.model.ClientStatus;
import io.cleat.model.DesiredStatus;
import io.cleat.model.TaskState;
import io.cleat.testkit.Eventually;
import io.cleat.testkit.RunDirectory;
import io.cleat.testkit.ShimProgram;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The agent is killed at every second point of a start; the task is a process in a shim of its own.
 * {@code -Dcleat.points=all} tries all.
 */
@Timeout(240)
class StartKillPointTest {
    private final Path directory;
    private final Path shim;
    private final String group;

    StartKillPointTest() throws Exception {
        Assumptions.assumeTrue(
                "root".equals(System.getProperty("user.name")),
                "reason: control groups need root, and the tests run as another user");
        shim = ShimProgram.built();
        directory = RunDirectory.make();
        group = "cleat-" + directory.getFileName();
    }

    @AfterEach
    void clear() throws Exception {
        assertEquals(List.of(), new Leavings(directory).processesNaming(StartNode.ALLOC));
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    /** The choice of a user is the driver's that wants them, and not of this one. */
    static Stream<StartPoint> points() {
        return KillPoints.every(
                2,
                0,
                Stream.of(StartPoint.values())
                        .filter(point -> !point.name().endsWith("_USER"))
                        .toList());
    }

    @ParameterizedTest
    @MethodSource("points")
    void killedAgentLeavesOneTaskThatIsSaidToRun_andCanBeEnded(StartPoint point) throws Exception {
        DyingStart.killAt(point, directory, shim, group);
        StartNode node = new StartNode(directory, shim, group, StartPoint.Listener.NONE);
        try {
            node.assign(1, DesiredStatus.RUN);
            Eventually.holds(() -> node.report().status() == ClientStatus.RUNNING, point + ": it runs");
            TaskState state = Objects.requireNonNull(node.report().tasks().get("t"));
            assertTrue(state.startedAt() != null, () -> point + ": " + state);
            assertEquals(1, node.driver.live(StartNode.ALLOC).size(), point.name());
            node.assign(2, DesiredStatus.STOP);
            Eventually.holds(() -> node.report().status() == ClientStatus.COMPLETE, point + ": it ends");
            assertEquals(List.of(), node.driver.live(StartNode.ALLOC));
            assertEquals(List.of(), node.faults);
        } finally {
            node.end();
        }
    }
}
