package io.cleat.agent.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.agent.task.TestTasks;
import io.cleat.driver.TaskConfig;
import io.cleat.model.AllocatedPort;
import io.cleat.model.DesiredStatus;
import io.cleat.model.JobType;
import io.cleat.model.Resources;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** An update gives a port to what it places while the one before may still have it. */
class PortTurnTest extends AgentFixture {
    /** Sorted after {@link #ID}: an agent that takes both over finds the new one first. */
    private static final String OLD = "fb49ded8-c520-74d0-6e49-2a300b1810ee";

    private static ToNode.Assignment on(String allocId, int port, DesiredStatus desired) {
        return new ToNode.Assignment(
                allocId,
                "web.g[0]",
                0,
                "eval",
                TestTasks.job(JobType.SERVICE, Map.of(), TestTasks.task("t", 0, null)),
                0,
                "g",
                desired,
                Map.of(),
                false,
                null,
                List.of(new AllocatedPort("http", port, 0, "10.0.0.1", false)));
    }

    private void begin() throws Exception {
        driver.holdStops();
        allocations.assign(1, List.of(on(OLD, 8080, DesiredStatus.RUN)));
        TaskConfig old = driver.awaitStart(1);
        assertEquals("10.0.0.1:8080", old.env().get("NOMAD_ADDR_http"));
    }

    @Test
    void whatGetsThePort_startsOnceTheOneBeforeHasEnded() throws Exception {
        begin();
        allocations.assign(2, List.of(on(OLD, 8080, DesiredStatus.STOP), on(ID, 8080, DesiredStatus.RUN)));
        ToServer.AllocReport waits = awaitReport(r -> events(r, "t").contains("Waiting"));
        String message = state(waits, "t").events().getLast().message();
        assertTrue(message.contains("port 8080 of 10.0.0.1 is free once allocation " + OLD), message);
        assertEquals(1, driver.starts());
        driver.letStopsReturn();
        assertEquals(ID, driver.awaitStart(2).allocId());
    }

    @Test
    void anotherPort_isNotWaitedFor() throws Exception {
        begin();
        allocations.assign(2, List.of(on(OLD, 8080, DesiredStatus.STOP), on(ID, 8081, DesiredStatus.RUN)));
        assertEquals(ID, driver.awaitStart(2).allocId());
        driver.letStopsReturn();
    }

    /** Of what nobody knows nothing is written down, not its ports either. */
    @Test
    void whatNobodyKnows_isEndedBeforeAPortIsUsed() throws Exception {
        driver.start(new TaskConfig(
                "lost/t/00000000",
                "lost",
                "t",
                Map.of(),
                Map.of(),
                "",
                Resources.NONE,
                dir,
                dir,
                List.of(),
                new TaskConfig.Logs(dir, 1, 1, false)));
        driver.holdStops();
        allocations.assign(1, List.of(on(ID, 8080, DesiredStatus.RUN)));
        ToServer.AllocReport waits = awaitReport(r -> events(r, "t").contains("Waiting"));
        String message = state(waits, "t").events().getLast().message();
        assertTrue(message.contains("may have a port of this one"), message);
        driver.letStopsReturn();
        assertEquals(ID, driver.awaitStart(2).allocId());
    }

    /** It is told what it was given also by an agent that hears of no server. */
    @Test
    void anAgentThatTakesItOver_knowsItsPorts() throws Exception {
        begin();
        restart();
        allocations.assign(2, List.of(on(OLD, 8080, DesiredStatus.STOP), on(ID, 8080, DesiredStatus.RUN)));
        awaitReport(r -> events(r, "t").contains("Waiting"));
        driver.letStopsReturn();
        assertEquals(ID, driver.awaitStart(2).allocId());
    }
}
