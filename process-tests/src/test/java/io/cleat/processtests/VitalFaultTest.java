package io.cleat.processtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.AllocationStub;
import io.cleat.api.Params;
import io.cleat.base.Trouble;
import io.cleat.launch.DoomedAgent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An error in a vital thread of a real agent, and what becomes of what runs on it. */
@Timeout(300)
class VitalFaultTest {
    private final LoneAgent agent = new LoneAgent();
    private final Path numbers = agent.place.root.resolve("numbers");

    VitalFaultTest() throws Exception {}

    @AfterEach
    void close() throws Exception {
        agent.close();
    }

    private void run(String job) throws Exception {
        agent.api.run(CountingJobs.ofProcess(job, numbers));
    }

    private List<String> counted() throws IOException {
        return Files.exists(numbers) ? Files.readAllLines(numbers) : List.of();
    }

    private void awaitCounting() throws Exception {
        int before = counted().size();
        Api.await(() -> counted().size() > before + 5, "it counts");
    }

    @Test
    void anErrorInTheDecider_endsTheAgentWith70AndOneLine_andItsTaskIsTakenOverByTheNext() throws Exception {
        Path sign = agent.place.root.resolve("sign");
        Process doomed = agent.startAs(DoomedAgent.class.getName(), sign.toString(), agent.data.toString());
        run("counter");
        AllocationStub before = agent.api.awaitRunning("counter", LoneAgent.NODE);
        awaitCounting();

        Files.createFile(sign);
        assertThrows(Trouble.class, () -> run("undecided"));
        assertTrue(doomed.waitFor(60, TimeUnit.SECONDS), agent::words);
        assertEquals(70, doomed.exitValue(), agent::words);
        List<String> said = agent.errors()
                .lines()
                .filter(line -> line.startsWith("cleat: "))
                .toList();
        assertEquals(1, said.size(), agent::words);
        String line = said.getFirst();
        assertTrue(line.contains("exit code 70, since a fault in commit/decider"), line);
        assertTrue(line.contains("planted by a test"), line);
        assertTrue(line.contains("start the agent again"), line);
        assertTrue(Files.readString(agent.data.resolve("starts")).contains("commit/decider"));
        awaitCounting();

        agent.start();
        AllocationStub after = agent.api.awaitRunning("counter", LoneAgent.NODE);
        assertEquals(before.ID(), after.ID());
        assertEquals(1, agent.api.client().jobs().list(Params.none()).body().size(), agent::words);
        awaitCounting();
        assertEquals(1, counted().stream().distinct().count(), "one process counts all the time");
        assertFalse(agent.words().contains("quarantined"), agent::words);
        agent.api.stop("counter");
        Api.await(() -> !isCounting(), "the next agent can stop what it took over");
    }

    private boolean isCounting() throws IOException {
        return ProcessHandle.of(Long.parseLong(counted().getLast()))
                .map(ProcessHandle::isAlive)
                .orElse(false);
    }
}
