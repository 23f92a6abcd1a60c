package io.cleat.processtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.Params;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.launch.KilledInTakeover;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A real agent that is killed again and again while it takes one allocation over. */
@Timeout(300)
class QuarantineTest {
    private final LoneAgent agent = new LoneAgent();

    QuarantineTest() throws Exception {}

    @AfterEach
    void close() throws Exception {
        agent.close();
    }

    /** Where the job's task writes its process id, again and again. */
    private Path numbers(String job) {
        return agent.place.root.resolve("numbers-" + job);
    }

    private void run(String job) throws Exception {
        agent.api.run(CountingJobs.ofProcess(job, numbers(job)));
    }

    private static void end(Process process, boolean inOrder) throws Exception {
        if (inOrder) {
            process.destroy();
        } else {
            process.destroyForcibly();
        }
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), "the agent ends");
    }

    private List<String> counted(String job) throws IOException {
        Path file = numbers(job);
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    /** It goes on counting, and one process has done so all the time. */
    private void awaitCounting(String job) throws Exception {
        int before = counted(job).size();
        Api.await(() -> counted(job).size() > before + 5, job + " counts");
        assertEquals(1, counted(job).stream().distinct().count());
    }

    private String description(String job) throws Exception {
        return agent.api.client().jobs().allocations(job, true, Params.none()).body().stream()
                .map(one -> one.ClientStatus() + ": " + one.ClientDescription())
                .collect(Collectors.joining());
    }

    @Test
    void anAllocationAtWhoseTakeoverTheAgentEndedTwice_isLeftAlone_andTheOthersGoOn() throws Exception {
        Process first = agent.start();
        run("harmful");
        run("good");
        String harmful = agent.api.awaitRunning("harmful", LoneAgent.NODE).ID();
        String good = agent.api.awaitRunning("good", LoneAgent.NODE).ID();
        awaitCounting("harmful");
        awaitCounting("good");
        end(first, false);
        for (int i = 0; i < 2; i++) {
            Process killed = agent.begin(KilledInTakeover.class.getName(), harmful, agent.data.toString());
            assertTrue(killed.waitFor(120, TimeUnit.SECONDS), agent::words);
            assertEquals(KilledInTakeover.KILLED, killed.exitValue(), agent::words);
            assertFalse(agent.words().contains("quarantined"), agent::words);
        }

        Process third = agent.start();
        assertTrue(agent.errors().contains("cleat: allocation " + harmful + " is quarantined"), agent::words);
        Api.await(
                () -> description("harmful").startsWith("running: quarantined: this agent ended"),
                "the quarantine is told");
        awaitCounting("harmful");
        awaitCounting("good");
        UnexpectedAnswer refused = assertThrows(
                UnexpectedAnswer.class, () -> agent.api.client().allocations().restart(harmful, "count"));
        assertTrue(refused.body().contains("quarantined"), refused.body());
        agent.api.stop("good");
        run("new");
        agent.api.awaitRunning("new", LoneAgent.NODE);
        assertEquals(harmful, agent.api.awaitRunning("harmful", LoneAgent.NODE).ID());
        assertFalse(good.isEmpty());
        end(third, true);

        agent.start();
        assertFalse(agent.words().contains("quarantined"), agent::words);
        Api.await(() -> description("harmful").equals("running: Tasks are running"), "it is taken over again");
        awaitCounting("harmful");
        agent.api.stop("harmful");
        agent.api.stop("new");
    }
}
