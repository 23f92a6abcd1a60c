package io.cleat.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A command that runs while a lock is held. */
class VariableLockingTest {
    private static final String ACQUIRE = "PUT /v1/var/job/lock?lock-acquire=true";
    private static final String RENEW = "PUT /v1/var/job/lock?lock-renew=true";
    private static final String RELEASE = "PUT /v1/var/job/lock?lock-release=true";

    @TempDir
    Path directory = Path.of("");

    private FakeAgent agent;
    private Session session;

    @BeforeEach
    void open() throws IOException {
        agent = new FakeAgent();
        session = new Session();
        session.directory = directory;
        session.variables.put("NOMAD_ADDR", agent.address());
        agent.answers(RELEASE, variable(""));
    }

    @AfterEach
    void close() {
        agent.close();
    }

    private static String variable(String ttl) {
        String lock = ttl.isEmpty() ? "" : ",\"Lock\":{\"ID\":\"l-1\",\"LockDelay\":\"15s\",\"TTL\":\"" + ttl + "\"}";
        return "{\"Namespace\":\"default\",\"Path\":\"job/lock\",\"ModifyIndex\":7" + lock + "}";
    }

    private int lock(String... words) {
        List<String> all = new ArrayList<>(List.of("var", "lock"));
        all.addAll(List.of(words));
        return session.run(all);
    }

    @Test
    void theCommandRuns_andTheLockIsGivenBack() throws Exception {
        agent.answers(ACQUIRE, variable("15s"));
        assertEquals(
                3, lock("-ttl=20s", "-delay=1m", "job/lock", "echo", "ran", ">out;", "exit", "3"), () -> session.err);
        assertEquals("ran\n", Files.readString(directory.resolve("out")));
        assertTrue(
                agent.bodyOf(ACQUIRE).contains("\"Lock\":{\"LockDelay\":\"1m0s\",\"TTL\":\"20s\"}"),
                agent.bodyOf(ACQUIRE));
        assertEquals(List.of(ACQUIRE, RELEASE), agent.requests());
        assertTrue(agent.bodyOf(RELEASE).contains("\"ID\":\"l-1\""), agent.bodyOf(RELEASE));
    }

    @Test
    void aLockThatSomebodyHolds_isWaitedFor() {
        agent.answers(ACQUIRE, 409, variable("")).answers(ACQUIRE, 409, variable(""));
        agent.answers(ACQUIRE, variable("15s"));
        assertEquals(0, lock("-shell=false", "job/lock", "true"), () -> session.err);
        assertEquals(2, session.slept.size());
        assertEquals("Variable job/lock is locked: waiting for its lock\n", session.err);
    }

    @Test
    void aLockThatIsRenewed_isHeldUntilTheCommandEnds() throws Exception {
        agent.answers(ACQUIRE, variable("20ms"));
        agent.answers(RENEW, variable("20ms"));
        assertEquals(0, lock("job/lock", "sleep", "0.2"), () -> session.err);
        assertTrue(agent.requests().contains(RENEW), agent.requests().toString());
        assertEquals(RELEASE, agent.requests().getLast());
    }

    @Test
    void aLockThatIsLost_endsTheCommand() throws Exception {
        agent.answers(ACQUIRE, variable("40ms"));
        agent.answers(RENEW, 409, variable(""));
        assertEquals(1, lock("job/lock", "sleep", "60;", "touch", "ran"));
        assertTrue(session.err.contains("the lock is lost, and the command was ended"), session.err);
        assertFalse(Files.exists(directory.resolve("ran")));
    }

    @Test
    void whatCannotBe_isRefusedBeforeAnythingIsAsked() {
        assertEquals(1, lock("-ttl=5s", "job/lock", "true"));
        assertTrue(session.err.contains("-ttl \"5s\" is not a time"), session.err);
        assertEquals(1, lock("a b", "true"));
        assertEquals(1, lock("job/lock"));
        assertEquals(List.of(), agent.requests());
    }
}
