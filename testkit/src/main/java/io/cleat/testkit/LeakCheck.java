package io.cleat.testkit;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * After each class of tests nothing of it is left on the machine; else the class fails. Registered by itself in every
 * module that has this one among its tests' libraries. Only what carries the mark of this JVM counts: other JVMs and
 * other builds have theirs.
 */
public final class LeakCheck implements AfterEachCallback, AfterAllCallback {
    private static final long LIMIT_SECONDS = 10;
    private static final AtomicLong CHECKED = new AtomicLong();
    private static final Leaks LEAKS = new Leaks(RunDirectory.MARK);

    /** What an earlier class has failed for. */
    private static final Set<String> SAID = new ConcurrentSkipListSet<>();

    /** Counts a control group that a test has made, of that name below each hierarchy's root. */
    public static void noteGroup(String name) {
        LEAKS.noteGroup(name);
    }

    /** Remembers the nodes that are there now, before a test removes what it has of them. */
    public static void noteNodes() throws IOException {
        LEAKS.noteNodes();
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        LEAKS.noteNodes();
    }

    @Override
    public void afterAll(ExtensionContext context) throws Exception {
        // To look costs some 20 ms; whoever made no directory has nothing that carries the mark.
        if (CHECKED.getAndSet(RunDirectory.made()) == RunDirectory.made()) {
            return;
        }
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        List<String> left = left();
        while (!left.isEmpty() && System.nanoTime() < end) {
            // What was killed a moment ago is still on its way out.
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            left = left();
        }
        SAID.addAll(left);
        if (!left.isEmpty()) {
            throw new AssertionError(context.getDisplayName() + " left on this machine: " + String.join("; ", left));
        }
    }

    private static List<String> left() throws Exception {
        return LEAKS.found().stream().filter(one -> !SAID.contains(one)).toList();
    }
}
