package io.cleat.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

/** One line per event, whatever others said that is in it. */
class LoggingTest {
    private static LogRecord event(String message) {
        LogRecord event = new LogRecord(Level.WARNING, message);
        event.setLoggerName("io.cleat.agent.Tasks");
        event.setInstant(Instant.parse("2026-11-22T12:00:00Z"));
        return event;
    }

    @Test
    void anEventIsOneLineThatActsOnNoTerminal() {
        assertEquals(
                "2026-11-22T12:00:00Z WARNING Tasks: plugin said \\u001b[2J\\u202e"
                        + "\\u000a2026-11-22T12:00:01Z INFO Tasks: all is well\n",
                new Logging.Lines()
                        .format(event("plugin said \u001b[2J\u202e\n2026-11-22T12:00:01Z INFO Tasks: all is well\n")));
    }

    @Test
    void noLineOfATraceLooksLikeAnEvent() {
        LogRecord event = event("it failed");
        event.setThrown(new IllegalStateException("x\n2026-11-22T12:00:01Z INFO\u001b[2J"));
        String text = new Logging.Lines().format(event);
        assertEquals(1, text.lines().filter(line -> line.startsWith("2026")).count(), text);
        assertTrue(text.contains("\\u001b[2J"), text);
        assertTrue(text.contains("noLineOfATraceLooksLikeAnEvent"), text);
    }
}
