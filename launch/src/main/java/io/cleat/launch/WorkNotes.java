package io.cleat.launch;

import io.cleat.base.DiskTrouble;
import io.cleat.base.InWork;
import io.cleat.kernel.DurableFiles;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an agent works on, in the file {@code in-work} of its data directory: a line with the format's version, then
 * what is in work now, what was at the unclean end before, and what is quarantined. The file is there while an agent
 * runs, and is removed at an end in order: who finds one begins after an unclean end.
 *
 * <p>After such an end each piece of work is written down before it is begun, until the start has lasted: so even an
 * end that nobody can catch, such as the kernel's, is known by its work. At other times nothing is written but by
 * {@link #keep}. Written without fsync: what ends a process leaves what it wrote.
 *
 * <p>Guarded by {@code lock}.
 */
final class WorkNotes implements InWork {
    static final String FILE = "in-work";
    private static final Logger LOG = LoggerFactory.getLogger(WorkNotes.class);
    private static final String HEAD = "cleat-in-work 1";
    private static final String NOW = "now ";
    private static final String BEFORE = "before ";
    private static final String QUARANTINED = "quarantined ";
    private static final int LONGEST = 64 * 1024;

    /**
     * What was killed while nothing was in work is hardly killed again by what it takes up. If it is, whatever was in
     * work with that is taken up alone by the next start.
     */
    static final int SIDE_BY_SIDE = 16;

    private final Path file;
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<String> now = new TreeSet<>();
    private final Set<String> before = new TreeSet<>();
    private volatile Set<String> quarantined = Set.of();
    private boolean isCareful;
    private boolean isSettled;

    WorkNotes(Path data) {
        this.file = data.resolve(FILE);
    }

    /** A start begins: says what is quarantined from now on. */
    void begin(PrintStream err) {
        lock.lock();
        try {
            isCareful = Files.exists(file);
            if (isCareful) {
                read();
            }
            quarantined.forEach(what -> err.println(
                    "cleat: " + what + " is quarantined: this agent ended twice in a row while it worked on it"));
            DurableFiles.write(file, bytes());
        } catch (DiskTrouble unwritten) {
            err.println("cleat: what is in work is not written down: " + unwritten.reason());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void begin(String what) {
        lock.lock();
        try {
            now.add(oneLine(what));
            if (isCareful) {
                write();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void end(String what) {
        lock.lock();
        try {
            now.remove(oneLine(what));
            relax();
            if (isCareful) {
                write();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isQuarantined(String what) {
        return quarantined.contains(oneLine(what));
    }

    @Override
    public int mostAtOnce() {
        lock.lock();
        try {
            if (!isCareful) {
                return Integer.MAX_VALUE;
            }
            return before.isEmpty() ? SIDE_BY_SIDE : 1;
        } finally {
            lock.unlock();
        }
    }

    /** This start has lasted: the ends before it count no more, but for what is in work still. */
    void settled() {
        lock.lock();
        try {
            isSettled = true;
            relax();
        } finally {
            lock.unlock();
        }
    }

    private void relax() {
        if (isSettled && isCareful && now.isEmpty()) {
            before.clear();
            write();
            isCareful = false;
        }
    }

    /** The process ends by a fault: notes what is in work. Waits for nobody who may hang. */
    void keep() {
        if (lock.tryLock()) {
            try {
                write();
            } finally {
                lock.unlock();
            }
        }
    }

    /** The process ends in order. */
    void inOrder(PrintStream err) {
        try {
            DurableFiles.delete(file);
        } catch (DiskTrouble stays) {
            err.println("cleat: the next start will be careful: " + stays.reason());
        }
    }

    private void write() {
        try {
            Files.write(file, bytes(), StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
        } catch (IOException unwritten) {
            LOG.warn("What is in work is not written down: {}", unwritten.toString());
        }
    }

    private byte[] bytes() {
        StringBuilder text = new StringBuilder(HEAD).append('\n');
        now.forEach(what -> text.append(NOW).append(what).append('\n'));
        before.forEach(what -> text.append(BEFORE).append(what).append('\n'));
        quarantined.forEach(what -> text.append(QUARANTINED).append(what).append('\n'));
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** What the last start left; nothing where it cannot be read, which must not keep one down. */
    private void read() {
        Set<String> left = new TreeSet<>();
        Set<String> earlier = new TreeSet<>();
        Set<String> known = new TreeSet<>();
        try {
            if (Files.size(file) > LONGEST) {
                throw new IOException("longer than " + LONGEST + " bytes");
            }
            String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
            if (!text.startsWith(HEAD + "\n") || !text.endsWith("\n")) {
                throw new IOException("damaged, or of another version");
            }
            for (String line : text.substring(HEAD.length() + 1).lines().toList()) {
                sort(line, left, earlier, known);
            }
        } catch (IOException unreadable) {
            LOG.warn("{} is passed over: {}", file, unreadable.toString());
            return;
        }
        before.addAll(left);
        left.retainAll(earlier);
        known.addAll(left);
        quarantined = Set.copyOf(known);
    }

    private static void sort(String line, Set<String> left, Set<String> earlier, Set<String> known) throws IOException {
        if (line.startsWith(NOW)) {
            left.add(line.substring(NOW.length()));
        } else if (line.startsWith(BEFORE)) {
            earlier.add(line.substring(BEFORE.length()));
        } else if (line.startsWith(QUARANTINED)) {
            known.add(line.substring(QUARANTINED.length()));
        } else {
            throw new IOException("damaged at a line of " + line.length() + " characters");
        }
    }

    private static String oneLine(String what) {
        return what.replaceAll("\\p{Cntrl}+", " ");
    }
}
