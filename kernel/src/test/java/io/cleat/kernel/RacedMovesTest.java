package io.cleat.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Deadline;
import io.cleat.base.KernelTrouble;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Copies into a directory in which another user makes something else of a name at the worst moment: between two calls
 * of the path worker, which {@code src/test/c/raced.c} finds each time.
 */
@Timeout(120)
class RacedMovesTest {
    private static final Path OTHER_FILE_SYSTEM = Path.of("/dev/shm");
    private static final int OWNER = 4242;

    @TempDir
    Path temporary;

    private final SystemTime time = new SystemTime();
    private final Threads threads = Threads.virtual((where, fault) -> System.err.println(where + ": " + fault));
    private Path from = Path.of("/");
    private Path to = Path.of("/");
    private Path victim = Path.of("/");
    private PathWorkers workers = new PathWorkers(List.of("false"), threads, time);

    @BeforeEach
    void start() throws Exception {
        Root.required("giving files away");
        ShimProgram.built();
        from = Files.createDirectories(temporary.toRealPath().resolve("from"));
        Assumptions.assumeTrue(
                Files.isWritable(OTHER_FILE_SYSTEM)
                        && !Files.getFileStore(OTHER_FILE_SYSTEM).equals(Files.getFileStore(from)),
                "reason: no second file system to move to");
        to = Files.createTempDirectory(OTHER_FILE_SYSTEM, "raced");
        victim = Files.writeString(to.resolve("victim"), "of somebody else");
        workers = new PathWorkers(List.of(raced().toString(), "path"), threads, time);
    }

    @AfterEach
    void stop() throws IOException {
        workers.close();
        if (!to.equals(Path.of("/"))) {
            try (Stream<Path> all = Files.walk(to)) {
                for (Path each : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
                    Files.delete(each);
                }
            }
        }
    }

    /** The native program, with the moments in which a name becomes another thing. */
    private Path raced() throws Exception {
        Path program = temporary.resolve("raced");
        List<String> command = new ArrayList<>(List.of("cc", "-static", "-O1"));
        for (String call : List.of("symlinkat", "fstatat", "fstat")) {
            command.add("-Wl,--wrap=" + call);
        }
        command.add("-DVICTIM=\"" + victim + "\"");
        command.add("-DSOURCE=\"" + from.resolve("file") + "\"");
        try (Stream<Path> sources = Files.list(ShimProgram.project().resolve("shim"))) {
            sources.map(Path::toString).filter(name -> name.endsWith(".c")).forEach(command::add);
        }
        command.add(ShimProgram.project().resolve("kernel/src/test/c/raced.c").toString());
        command.addAll(List.of("-o", program.toString()));
        Process compiler = new ProcessBuilder(command).redirectErrorStream(true).start();
        String words = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, compiler.waitFor(), words);
        return program;
    }

    private void move(String name) throws Exception {
        workers.moves("moves")
                .file(new Place(from, name), new Place(to, "d/" + name), Deadline.in(time, Duration.ofSeconds(5)));
    }

    @Test
    void aNewLinkThatBecomesANameOfSomebodyElsesFile_givesNobodyThatFile() throws Exception {
        Path link = Files.createSymbolicLink(from.resolve("link"), Path.of("anywhere"));
        Files.setAttribute(link, "unix:uid", OWNER, LinkOption.NOFOLLOW_LINKS);
        KernelTrouble refused = assertThrows(KernelTrouble.class, () -> move("link"));
        assertTrue(refused.reason().contains("EPERM"), refused.reason());
        assertEquals(0, Files.getAttribute(victim, "unix:uid"));
        assertEquals("of somebody else", Files.readString(victim));
        assertTrue(Files.isSymbolicLink(link), "what could not be moved stays");
        assertFalse(Files.exists(to.resolve("d/link"), LinkOption.NOFOLLOW_LINKS));
    }

    @Test
    void aFileThatBecomesAPipeOnceItWasLookedAt_isCopiedAsItWasAndHoldsNobodyUp() throws Exception {
        Files.writeString(from.resolve("file"), "as it was");
        move("file");
        assertTrue(Files.isRegularFile(to.resolve("d/file"), LinkOption.NOFOLLOW_LINKS));
        assertEquals("as it was", Files.readString(to.resolve("d/file")));
    }
}
