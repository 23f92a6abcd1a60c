package io.cleat.bench;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Threads;
import io.cleat.kernel.DurableFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What an allocation with one volume needs of a disk until that is published, and nothing else: its file, nine
 * directories (five of its own, four for the staging and the target), and four records at a file's end, each durable
 * before the next.
 */
final class FilesByHand {
    private static final int DIRECTORIES = 9;
    private static final int RECORDS = 4;
    private static final int FILE_BYTES = 2048;
    private static final int RECORD_BYTES = 512;

    private final Path directory;
    private final Threads threads;
    private int count;

    FilesByHand(Path directory, Threads threads) {
        this.directory = directory;
        this.threads = threads;
    }

    /** From the beginning of each turn until each one's last record is durable. */
    Samples run(int sideBySide, int turns) throws InterruptedException {
        Samples times = new Samples();
        for (int i = 0; i < turns; i++) {
            AtomicLongArray ends = new AtomicLongArray(sideBySide);
            List<Thread> writing = new ArrayList<>();
            long begin = System.nanoTime();
            for (int j = 0; j < sideBySide; j++) {
                int own = j;
                Path at = directory.resolve("hand-" + count++);
                writing.add(threads.vitalWork("bench/hand", () -> {
                    write(at);
                    ends.set(own, System.nanoTime());
                }));
            }
            for (Thread one : writing) {
                one.join();
            }
            for (int j = 0; j < sideBySide; j++) {
                times.add(ends.get(j) - begin);
            }
        }
        return times;
    }

    private static void write(Path at) {
        try {
            DurableFiles.write(at.resolveSibling(at.getFileName() + ".file"), new byte[FILE_BYTES]);
            Files.createDirectory(at);
            for (int i = 1; i < DIRECTORIES; i++) {
                Files.createDirectory(at.resolve("d" + i));
            }
            try (FileChannel records = FileChannel.open(
                    at.resolveSibling(at.getFileName() + ".records"),
                    StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.WRITE)) {
                for (int i = 0; i < RECORDS; i++) {
                    records.write(ByteBuffer.allocate(RECORD_BYTES));
                    records.force(false);
                }
            }
        } catch (IOException | DiskTrouble failed) {
            throw new IllegalStateException("writing " + at, failed);
        }
    }
}
