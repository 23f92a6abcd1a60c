package io.cleat.processtests;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * What an agent takes of its machine.
 *
 * @param heap bytes of what is in use, after a collection of all that is not
 * @param files below the data directory, but for the pool and the log
 * @param descriptors that are open
 * @param threads of the kernel
 * @param log bytes of the log's files
 */
record Footprint(long heap, long files, long descriptors, long threads, long log) {
    private static final String LOG = "server/log";

    static Footprint of(ProcessHandle agent, Path data) throws Exception {
        Path process = Path.of("/proc", Long.toString(agent.pid()));
        return new Footprint(
                heap(agent),
                below(data)
                        .filter(file -> !file.startsWith(data.resolve("pool")))
                        .filter(file -> !file.startsWith(data.resolve(LOG)))
                        .count(),
                entries(process.resolve("fd")),
                entries(process.resolve("task")),
                below(data.resolve(LOG)).mapToLong(Footprint::size).sum());
    }

    /** Counting what lives is also a collection of what does not. */
    static long heap(ProcessHandle agent) throws Exception {
        Process jcmd = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin/jcmd").toString(),
                        String.valueOf(agent.pid()),
                        "GC.class_histogram")
                .redirectErrorStream(true)
                .start();
        String histogram = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String total = histogram
                .lines()
                .filter(line -> line.startsWith("Total"))
                .findFirst()
                .orElse("");
        assertTrue(total.matches("Total +[0-9]+ +[0-9]+.*"), histogram);
        return Long.parseLong(total.split(" +", -1)[2]);
    }

    /** What goes while it is counted is not there. */
    private static Stream<Path> below(Path directory) throws IOException {
        Stream.Builder<Path> found = Stream.builder();
        add(directory, found);
        return found.build();
    }

    private static void add(Path directory, Stream.Builder<Path> found) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            for (Path entry : entries.toList()) {
                found.add(entry);
                if (Files.isDirectory(entry) && !Files.isSymbolicLink(entry)) {
                    add(entry, found);
                }
            }
        } catch (NoSuchFileException gone) {
            return;
        }
    }

    private static long entries(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.count();
        }
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException gone) {
            return 0;
        }
    }
}
