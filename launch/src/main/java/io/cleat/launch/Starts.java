package io.cleat.launch;

import io.cleat.base.DiskTrouble;
import io.cleat.base.InWork;
import io.cleat.base.VisibleText;
import io.cleat.cli.Version;
import io.cleat.kernel.DurableFiles;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Where the last starts of an agent ended by a fault, in the file {@code starts} of its data directory: a line with the
 * format's version, then one per start with the program's version and the place. Forgotten once a start has run for a
 * while. A start that ends three times at the same place will end there again, and a person is told so.
 *
 * <p>Any thread; what is noted by two at once may be one.
 */
final class Starts {
    static final String FILE = "starts";
    private static final String HEAD = "cleat-starts 1";
    private static final int KEPT = 8;
    private static final int SAME = 3;
    private static final int LONGEST = 300;

    /** That of this process; a fault may come from anywhere in it. */
    private static final AtomicReference<Starts> OF_THIS_PROCESS = new AtomicReference<>();

    private final Path data;
    private final Path file;
    private final WorkNotes work;

    Starts(Path data) {
        this.data = data;
        this.work = new WorkNotes(data);
        this.file = data.resolve(FILE);
    }

    /** From now on faults of this process are noted here; says what those before it left. */
    void begin(PrintStream err) {
        OF_THIS_PROCESS.set(this);
        warn(err);
        work.begin(err);
    }

    /** What this process works on. */
    InWork work() {
        return work;
    }

    /** This process has ended in order. */
    void endedInOrder(PrintStream err) {
        work.inOrder(err);
    }

    /** Notes a fault that ends this process, and says if it is always the same. */
    static void ended(String where, PrintStream err) {
        Starts starts = OF_THIS_PROCESS.get();
        if (starts != null) {
            starts.work.keep();
            starts.note(where, err);
        }
    }

    /** Notes where a start ended, durably. */
    void note(String where, PrintStream err) {
        List<String> lines = new ArrayList<>(lines());
        lines.add(Version.CURRENT + " " + oneLine(where));
        List<String> last = lines.subList(Math.max(0, lines.size() - KEPT), lines.size());
        String text = HEAD + "\n" + String.join("\n", last) + "\n";
        try {
            DurableFiles.write(file, text.getBytes(StandardCharsets.UTF_8));
        } catch (DiskTrouble unwritten) {
            err.println("cleat: where it ended is not written down: " + unwritten.reason());
        }
        warn(err);
    }

    /** Says where the last starts ended, and how to go on, if it was always the same place. */
    void warn(PrintStream err) {
        List<String> lines = lines();
        if (lines.size() < SAME) {
            return;
        }
        List<String> last = lines.subList(lines.size() - SAME, lines.size());
        if (last.stream().distinct().count() > 1) {
            return;
        }
        String line = last.getFirst();
        int space = line.indexOf(' ');
        err.println("cleat: the last "
                + SAME
                + " starts of this agent, of version "
                + line.substring(0, Math.max(0, space))
                + ", ended at the same place: "
                + line.substring(space + 1));
        if (Files.isDirectory(data.resolve("server"))) {
            err.println("  What the log holds there: " + inspect(data));
            RecoveryAdvice.ofTheLog(data).forEach(step -> err.println("  " + step));
        } else {
            err.println("  Start another version of the program, or report it with these lines.");
        }
    }

    private static String inspect(Path data) {
        return "cleat " + LogRole.INSPECT.name() + " -data-dir=" + data;
    }

    /** This start has taken up work: the ends before it say nothing any more. */
    void settled() throws DiskTrouble {
        work.settled();
        if (Files.exists(file)) {
            DurableFiles.delete(file);
        }
    }

    /** What is noted; nothing where the file cannot be read, which must not keep an agent down. */
    private List<String> lines() {
        try {
            if (!Files.exists(file)) {
                return List.of();
            }
            byte[] bytes = Files.readAllBytes(file);
            List<String> lines =
                    new String(bytes, StandardCharsets.UTF_8).lines().toList();
            return lines.isEmpty() || !lines.getFirst().equals(HEAD) ? List.of() : lines.subList(1, lines.size());
        } catch (IOException unreadable) {
            return List.of();
        }
    }

    private static String oneLine(String where) {
        String line = where.replaceAll("\\p{Cntrl}+", " ");
        return VisibleText.head(line, LONGEST);
    }
}
