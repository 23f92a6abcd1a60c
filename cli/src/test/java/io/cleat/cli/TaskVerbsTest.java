package io.cleat.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TaskVerbsTest {
    private static final String RESTART = "PUT /v1/client/allocation/" + RecordedCluster.ALLOC + "/restart";

    private FakeAgent agent;
    private Session session;

    @BeforeEach
    void open() throws IOException {
        agent = RecordedCluster.open();
        agent.answers(RESTART, "{}");
        session = new Session();
        session.variables.put("NOMAD_ADDR", agent.address());
    }

    @AfterEach
    void close() {
        agent.close();
    }

    @ParameterizedTest
    @CsvSource({
        "alloc restart 2849ded8, false, ''",
        "alloc restart 2849ded8 t, false, t",
        "alloc restart -task=t 2849ded8, false, t",
        "alloc restart -all-tasks 2849ded8, true, ''",
    })
    void whatRunsIsRestartedUnlessATaskOrAllAreNamed(String line, boolean all, String task) {
        assertEquals(0, session.run(line), () -> session.err);
        assertEquals("{\"AllTasks\":%s,\"TaskName\":\"%s\"}".formatted(all, task), agent.bodyOf(RESTART));
    }

    @Test
    void aTaskAndAllOfThemAreNotMeantBoth() {
        assertEquals(1, session.run("alloc restart -all-tasks 2849ded8 t"));
        assertEquals("Error: name a task or give -all-tasks, not both\n", session.err);
        assertEquals("", agent.bodyOf(RESTART));
    }
}
