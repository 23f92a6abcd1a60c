package io.cleat.sim;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A directory for what agents write, in memory where the machine has such a place. Its path is the same in each program
 * that runs alone, since the order of what is hashed depends on it.
 */
public final class Workplace implements AutoCloseable {
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final int MOST = 100;

    private final int number;
    private final Path directory;
    private final FileChannel lock;

    private Workplace(int number, Path directory, FileChannel lock) {
        this.number = number;
        this.directory = directory;
        this.lock = lock;
    }

    /** Takes the first place that no other program has. */
    public static Workplace take() throws IOException {
        return take(0);
    }

    /** Takes the first place from {@code first} on. */
    static Workplace take(int first) throws IOException {
        Path parent = Files.isWritable(MEMORY) ? MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
        Path all = parent.resolve("cleat-sim-" + System.getProperty("user.name"));
        Files.createDirectories(all);
        for (int i = first; i < MOST; i++) {
            FileChannel channel =
                    FileChannel.open(all.resolve(i + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            @Nullable FileLock taken = channel.tryLock();
            if (taken != null) {
                return new Workplace(i, all.resolve(String.valueOf(i)), channel);
            }
            channel.close();
        }
        throw new IOException("all " + MOST + " places below " + all + " are taken");
    }

    Path directory() {
        return directory;
    }

    /** From 0. */
    int number() {
        return number;
    }

    /** Removes everything in it. */
    void clear() {
        World.clear(directory);
    }

    @Override
    public void close() throws IOException {
        clear();
        lock.close();
    }
}
