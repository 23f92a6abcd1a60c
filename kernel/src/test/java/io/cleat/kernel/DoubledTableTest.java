package io.cleat.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Deadline;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A mount table that a plugin has doubled again and again, in a mount namespace of the test's own: undoing it takes the
 * same few calls however long it is. {@code -Dcleat.mounts.doublings=16} makes the 65,536 mounts that a real one came
 * to, which takes a busy machine minutes.
 */
@Timeout(900)
class DoubledTableTest {
    private static final int DOUBLINGS = Integer.getInteger("cleat.mounts.doublings", 11);

    @TempDir
    Path temporary;

    private final SystemTime time = new SystemTime();
    private final Threads threads = Threads.virtual((where, fault) -> System.err.println(where + ": " + fault));

    @BeforeEach
    void isRoot() {
        Root.required("mounting");
    }

    /**
     * The native program, which doubles the table as it starts and counts its calls.
     *
     * @param doublings how often
     */
    private Path program(int doublings) throws Exception {
        ShimProgram.built();
        Path directory = Files.createDirectories(directory(doublings));
        Path program = directory.resolveSibling("counted-" + doublings);
        List<String> command = new ArrayList<>(List.of("cc", "-static", "-O1"));
        for (String call : List.of("mount", "umount2", "unlinkat")) {
            command.add("-Wl,--wrap=" + call);
        }
        command.add("-DDIRECTORY=\"" + directory + "\"");
        command.add("-DCOUNTED=\"" + calls(doublings) + "\"");
        command.add("-DDOUBLED=" + doublings);
        try (Stream<Path> sources = Files.list(ShimProgram.project().resolve("shim"))) {
            sources.map(Path::toString).filter(name -> name.endsWith(".c")).forEach(command::add);
        }
        command.add(ShimProgram.project().resolve("kernel/src/test/c/counted.c").toString());
        command.addAll(List.of("-o", program.toString()));
        Process compiler = new ProcessBuilder(command).redirectErrorStream(true).start();
        String words = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, compiler.waitFor(), words);
        return program;
    }

    private Path directory(int doublings) throws IOException {
        return temporary.toRealPath().resolve("table-" + doublings);
    }

    private Path calls(int doublings) throws IOException {
        return temporary.toRealPath().resolve("calls-" + doublings);
    }

    /** How many mounts lie in the directory, as the worker sees them. */
    private static long mounts(Path program, Path directory) throws IOException {
        long worker = ProcessHandle.current()
                .descendants()
                .filter(each ->
                        each.info().command().filter(program.toString()::equals).isPresent())
                .findFirst()
                .orElseThrow()
                .pid();
        try (Stream<String> lines = Files.lines(Path.of("/proc/" + worker + "/mountinfo"))) {
            return lines.filter(line -> line.contains(" " + directory + "/d ")).count();
        }
    }

    /** The calls that tearing the directory off took. */
    private List<String> undone(int doublings) throws Exception {
        Path program = program(doublings);
        Path directory = directory(doublings);
        try (PathWorkers workers = new PathWorkers(List.of(program.toString(), "path"), threads, time)) {
            Paths paths = workers.of("plugin");
            Deadline late = Deadline.in(time, Duration.ofMinutes(10));
            paths.stat(new Place(directory, ""), late);
            long before = mounts(program, directory);
            assertTrue(before >= 1L << (doublings - 1), before + " mounts");
            assertTrue(paths.tear(new Place(directory, "d"), late));
            assertEquals(0, mounts(program, directory));
        }
        return Files.readAllLines(calls(doublings));
    }

    @Test
    void howeverOftenTheTableIsDoubled_itIsUndoneByTheSameFewCalls() throws Exception {
        List<String> few = undone(2);
        assertEquals(1, Collections.frequency(few, "mount-recursive"), few.toString());
        assertEquals(1, Collections.frequency(few, "unmount-detached"), few.toString());
        assertEquals(few, undone(DOUBLINGS));
    }
}
