package io.cleat.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** How an agent's process ends, and what it says of faults that it survives. */
final class ProcessFaultsTest {
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final List<Integer> codes = new ArrayList<>();
    private final ProcessFaults faults =
            new ProcessFaults(new PrintStream(said, true, StandardCharsets.UTF_8), code -> codes.add(code));

    private String firstLine() {
        return said.toString(StandardCharsets.UTF_8).lines().findFirst().orElse("");
    }

    @Test
    void aVitalFaultEndsTheProcessWithOneLineThatSaysWhyAndWhatToDo() {
        faults.fault("commit/decider", new IllegalStateException("a\nb"));
        assertEquals(List.of(70), codes);
        assertEquals(
                "cleat: this agent ends with exit code 70, since a fault in commit/decider leaves"
                        + " in doubt what it knows (java.lang.IllegalStateException: a b);"
                        + " workloads, plugins and mounts go on without it: start the agent again"
                        + " (its systemd unit does); if it ends again: cleat operator log inspect"
                        + " -data-dir DIR",
                firstLine());
    }

    @Test
    void whatIsStuckEndsTheProcessWithACodeOfItsOwn() {
        faults.stuck("3 decisions wait for 70 s", "/data/dumps/threads-1.txt");
        assertEquals(List.of(71), codes);
        assertTrue(firstLine().contains("since 3 decisions wait for 70 s"), firstLine());
        assertTrue(firstLine().contains("/data/dumps/threads-1.txt"), firstLine());
    }

    @Test
    void aContainedFaultIsCountedAndItsStackLoggedOnce() {
        List<LogRecord> records = new ArrayList<>();
        Handler listening = new Handler() {
            @Override
            public void publish(LogRecord line) {
                records.add(line);
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger log = Logger.getLogger(ProcessFaults.class.getName());
        log.addHandler(listening);
        try {
            for (int i = 0; i < 3; i++) {
                faults.contained("http PUT /v1/jobs, request " + i, new StackOverflowError());
            }
        } finally {
            log.removeHandler(listening);
        }
        assertEquals(3, faults.contained());
        assertEquals(List.of(), codes);
        assertEquals(3, records.size());
        assertEquals(
                1, records.stream().filter(line -> line.getThrown() != null).count(), "stacks");
        assertTrue(records.getLast().getMessage().contains("as fault"), "the first is named");
    }
}
