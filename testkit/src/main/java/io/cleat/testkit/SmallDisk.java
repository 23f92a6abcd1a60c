package io.cleat.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/**
 * A file system of a few MiB in memory, that a test fills up and empties again. Closing it checks that no file on it
 * was left open.
 */
public final class SmallDisk implements AutoCloseable {
    private final Path mountPoint;

    private SmallDisk(Path mountPoint) {
        this.mountPoint = mountPoint;
    }

    /** Mounts it; the test is skipped where mounting is not allowed. */
    public static SmallDisk mount(Path mountPoint, int mebibytes) throws IOException {
        int code = run("mount", "-t", "tmpfs", "-o", "size=" + mebibytes + "m", "tmpfs", mountPoint.toString());
        Assumptions.assumeTrue(code == 0, "reason: mounting a tmpfs needs root");
        return new SmallDisk(mountPoint);
    }

    /**
     * Writes a file until no more than {@code leave} bytes are free.
     *
     * @return the file; deleting it makes room again
     */
    public Path fill(long leave) throws IOException {
        return fill(mountPoint, leave);
    }

    /** As {@link #fill(long)}, of a file system that somebody else mounted. */
    public static Path fill(Path mountPoint, long leave) throws IOException {
        Path filler = mountPoint.resolve("filler");
        byte[] block = new byte[1 << 20];
        try (OutputStream out = Files.newOutputStream(filler)) {
            for (long more = free(mountPoint) - leave; more > 0; more = free(mountPoint) - leave) {
                out.write(block, 0, (int) Math.min(block.length, more));
            }
        } catch (IOException full) {
            assertEquals(0, leave, full.toString());
        }
        return filler;
    }

    private static long free(Path mountPoint) throws IOException {
        return Files.getFileStore(mountPoint).getUsableSpace();
    }

    @Override
    public void close() throws IOException {
        List<String> open = openFiles();
        // Lazily, so that a failing test leaves no mount behind.
        assertEquals(0, run("umount", "-l", mountPoint.toString()));
        assertEquals(List.of(), open, "files on it are open");
    }

    private List<String> openFiles() throws IOException {
        return OpenFiles.targets().stream()
                .filter(target -> target.startsWith(mountPoint.toString()))
                // The log's library leaves a segment that it could not begin to the collector.
                .filter(target -> !target.endsWith("(deleted)"))
                .toList();
    }

    private static int run(String... command) throws IOException {
        return new ProcessBuilder(command).inheritIO().start().onExit().join().exitValue();
    }
}
