package io.cleat.testkit;

import io.cleat.base.FaultHandler;
import io.cleat.base.Threads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Threads of which those of one name die of an error, as soon as they begin; and what ends the process then. It notes
 * which vital ones there were.
 */
public final class DoomedThreads implements Threads {
    private static final Pattern VITAL_ROW = Pattern.compile("(?m)^\\| `([a-zA-Z.]+)` \\| `([^`]+)` \\| vital \\|");

    private final String doomed;
    private final LinkedBlockingQueue<String> ends = new LinkedBlockingQueue<>();
    private final Set<String> vital = new ConcurrentSkipListSet<>();
    private final Threads threads = Threads.virtual(new FaultHandler() {
        @Override
        public void fault(String where, Throwable fault) {
            ends.add(where);
        }

        @Override
        public void contained(String where, Throwable fault) {
            throw new AssertionError("contained: " + where, fault);
        }
    });

    /** What a doomed thread dies of. */
    private static final class Doom extends Error {
        private static final long serialVersionUID = 1;
    }

    /** @param doomed the whole name; empty for none */
    public DoomedThreads(String doomed) {
        this.doomed = doomed;
    }

    /** The names, or beginnings of names, of the vital threads that docs/threads.md lists of a package. */
    public static Set<String> listed(String inPackage) {
        Set<String> names = new TreeSet<>();
        try {
            Matcher row = VITAL_ROW.matcher(Files.readString(Path.of("../docs/threads.md")));
            while (row.find()) {
                if (row.group(1).startsWith(inPackage)) {
                    names.add(row.group(2));
                }
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return names;
    }

    @Override
    public Thread start(Kind kind, String name, Body body) {
        if (kind instanceof Kind.Vital) {
            vital.add(name);
        }
        return threads.start(
                kind,
                name,
                name.equals(doomed)
                        ? () -> {
                            throw new Doom();
                        }
                        : body);
    }

    @Override
    public FaultHandler faults() {
        return threads.faults();
    }

    /** The names of the vital threads that were started. */
    public Set<String> vital() {
        return Set.copyOf(vital);
    }

    /** The thread whose fault ended the process; empty if none did in 20 s. */
    public Optional<String> end() throws InterruptedException {
        return Optional.ofNullable(ends.poll(20, TimeUnit.SECONDS));
    }
}
