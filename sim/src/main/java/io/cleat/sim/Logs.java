package io.cleat.sim;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Has what the program logs told as events of the run. */
final class Logs extends Handler {
    // Loggers that nobody holds forget what was set on them.
    private static final Logger ROOT = Logger.getLogger("");

    private final Trace trace;
    private final String directory;
    private final SimpleFormatter formatter = new SimpleFormatter();

    private Logs(Trace trace, String directory) {
        this.trace = trace;
        this.directory = directory;
    }

    /** @param directory left out of the words, since it differs between programs */
    static void tell(Trace trace, String directory) {
        LogManager.getLogManager().reset();
        ROOT.setLevel(Level.INFO);
        ROOT.addHandler(new Logs(trace, directory));
    }

    @Override
    public void publish(LogRecord log) {
        String name = log.getLoggerName();
        trace.say(
                Thread.currentThread().getName().split(" ", 2)[0],
                "    "
                        + name.substring(name.lastIndexOf('.') + 1)
                        + ": "
                        + formatter.formatMessage(log).replace(directory, ""));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
