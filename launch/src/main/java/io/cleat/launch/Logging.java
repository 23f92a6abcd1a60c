package io.cleat.launch;

import io.cleat.base.VisibleText;
import io.cleat.http.AgentLog;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.logging.ConsoleHandler;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** One line per event on standard error; libraries speak only when something is wrong. */
final class Logging {
    /** What each library may say. The last is not wrong at all: it is said of every Unix socket. */
    private static final Map<String, Level> QUIETED = Map.of(
            "org.apache.ratis", Level.WARNING,
            "org.eclipse.jetty", Level.WARNING,
            "io.grpc", Level.WARNING,
            "io.netty", Level.WARNING,
            "io.netty.bootstrap.Bootstrap", Level.SEVERE);

    /** The JDK forgets the level of a logger that nobody holds. */
    private static final List<Logger> HELD =
            QUIETED.keySet().stream().map(Logger::getLogger).toList();

    private static final Lines LINES = new Lines();

    /** Made once: each agent of the process is followed in one log. */
    private static final LogFollowers FOLLOWERS = new LogFollowers(Logger.getLogger(""), LINES);

    private Logging() {}

    /** For those who follow what is logged. */
    static AgentLog followed() {
        return FOLLOWERS;
    }

    /** Of a command that says all that there is to say itself. */
    static void silence() {
        for (Handler handler : Logger.getLogger("").getHandlers()) {
            Logger.getLogger("").removeHandler(handler);
        }
    }

    static void begin() {
        HELD.forEach(logger -> logger.setLevel(QUIETED.get(logger.getName())));
        Logger root = Logger.getLogger("");
        for (Handler handler : root.getHandlers()) {
            root.removeHandler(handler);
        }
        ConsoleHandler console = new ConsoleHandler();
        console.setFormatter(LINES);
        root.addHandler(console);
        root.addHandler(FOLLOWERS);
    }

    /**
     * Texts of others are in messages: none of them acts on a terminal that the log is read on, and none begins a line
     * of its own.
     */
    static final class Lines extends Formatter {
        @Override
        public String format(LogRecord record) {
            StringBuilder line = new StringBuilder();
            line.append(Instant.ofEpochMilli(record.getMillis()).truncatedTo(ChronoUnit.MILLIS))
                    .append(' ')
                    .append(record.getLevel().getName())
                    .append(' ')
                    .append(shortName(record.getLoggerName()))
                    .append(": ")
                    .append(VisibleText.line(formatMessage(record).strip()))
                    .append('\n');
            @Nullable Throwable thrown = record.getThrown();
            if (thrown != null) {
                StringWriter trace = new StringWriter();
                thrown.printStackTrace(new PrintWriter(trace));
                trace.toString()
                        .lines()
                        .forEach(each -> line.append("  ").append(shown(each)).append('\n'));
            }
            return line.toString();
        }

        private static String shown(String traced) {
            return VisibleText.lines(traced);
        }

        private static String shortName(@Nullable String logger) {
            return logger == null ? "" : logger.substring(logger.lastIndexOf('.') + 1);
        }
    }
}
