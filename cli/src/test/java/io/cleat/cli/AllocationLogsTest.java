package io.cleat.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.api.Json;
import io.cleat.api.LogFrame;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AllocationLogsTest {
    private static final String LOGS = "GET /v1/client/fs/logs/" + RecordedCluster.ALLOC;

    private FakeAgent agent;
    private Session session;

    @BeforeEach
    void open() throws IOException {
        agent = RecordedCluster.open();
        session = new Session();
        session.variables.put("NOMAD_ADDR", agent.address());
    }

    @AfterEach
    void close() {
        agent.close();
    }

    private static String frames(String... texts) {
        StringBuilder frames = new StringBuilder();
        for (String text : texts) {
            frames.append(frame(text.getBytes(StandardCharsets.UTF_8))).append("{}");
        }
        return frames.toString();
    }

    private static String frame(byte[] bytes) {
        return Json.text(LogFrame.of(bytes, "alloc/logs/t.stdout.0", 1));
    }

    @Test
    void theOutputComesAsItIs() {
        agent.answers(LOGS + "?offset=0&origin=start&task=t&type=stdout", frames("hello\nwo", "rld"));
        assertEquals(0, session.run("alloc logs 2849ded8"));
        assertEquals("hello\nworld", session.out);
        assertEquals("", session.err);
    }

    @Test
    void aCharacterCutInTwoIsPutTogether() {
        byte[] text = "aé€😀z".getBytes(StandardCharsets.UTF_8);
        StringBuilder frames = new StringBuilder();
        for (int i = 0; i < text.length; i++) {
            frames.append(frame(Arrays.copyOfRange(text, i, i + 1)));
        }
        agent.answers(LOGS + "?follow=true&offset=0&origin=start&task=t&type=stdout", frames.toString());
        assertEquals(0, session.run("alloc logs -f 2849ded8 t"));
        assertEquals("aé€😀z", session.out);
    }

    @Test
    void theLastLinesAreCounted() {
        agent.answers(LOGS + "?offset=2048&origin=end&task=t&type=stderr", frames("1\n2\n3\n", "4\n"));
        assertEquals(0, session.run("alloc logs -stderr -n 2 2849ded8"));
        assertEquals("3\n4\n", session.out);
    }

    @Test
    void followingFromTheLastLinesGoesOnWithAll() {
        agent.answers(
                LOGS + "?follow=true&offset=10240&origin=end&task=t&type=stdout", frames(lines(1, 15), lines(16, 30)));
        assertEquals(0, session.run("alloc logs -tail -f 2849ded8"));
        assertEquals(lines(6, 30), session.out);
    }

    private static String lines(int from, int to) {
        StringBuilder lines = new StringBuilder();
        for (int i = from; i <= to; i++) {
            lines.append(i).append('\n');
        }
        return lines.toString();
    }

    @Test
    void theLastBytesAreTheServersToCount() {
        agent.answers(LOGS + "?offset=5&origin=end&task=t&type=stdout", frames("world"));
        assertEquals(0, session.run("alloc logs -c 5 2849ded8"));
        assertEquals("world", session.out);
    }

    @Test
    void aJobStandsForItsNewestAllocation() {
        agent.answers(LOGS + "?offset=0&origin=start&task=t&type=stdout", frames("x"));
        assertEquals(0, session.run("alloc logs -job web"));
        assertEquals("x", session.out);
        assertEquals(1, session.run("alloc logs -job web2"));
        assertEquals("""
                Error: job "web2" has no allocations
                  why: cleat job status web2
                """, session.err);
    }

    @Test
    void aFollowerGoesOnWhereItWasOnceTheAgentIsBack() {
        String follow = LOGS + "?follow=true&offset=%d&origin=start&task=t&type=stdout";
        String list = "GET /v1/client/fs/ls/" + RecordedCluster.ALLOC + "?path=alloc%2Flogs%2F";
        LogFrame frame = LogFrame.of("before ".getBytes(StandardCharsets.UTF_8), "alloc/logs/t.stdout.3", 7);
        agent.answersTorn(follow.formatted(0), Json.text(frame));
        agent.answers(list, 500, "No cluster leader");
        agent.answers(list, """
                [{"Name": "t.stdout.2", "Size": 100, "ModTime": null},
                 {"Name": "t.stdout.3", "Size": 30, "ModTime": null},
                 {"Name": "t.stdout.4", "Size": 5, "ModTime": null},
                 {"Name": "t.stderr.1", "Size": 9, "ModTime": null}]
                """);
        agent.answers(follow.formatted(107), frames("after"));
        assertEquals(0, session.run("alloc logs -f 2849ded8"), () -> session.err);
        assertEquals("before after", session.out);
        assertEquals("cleat: the agent went away; going on once it is back\n", session.err);
        assertEquals(2, session.slept.size());
    }

    @Test
    void aFollowerWhoseAgentStaysAwayGivesUp() {
        String follow = LOGS + "?follow=true&offset=0&origin=start&task=t&type=stdout";
        agent.answersTorn(follow, frames("before"));
        assertEquals(1, session.run("alloc logs -f 2849ded8"));
        assertEquals(60, session.slept.size());
    }

    @Test
    void aWrongCountIsRefused() {
        assertEquals(1, session.run("alloc logs -n 0 2849ded8"));
        assertEquals("Error: flag -n takes a number above 0, got \"0\"\n", session.err);
    }
}
