package io.cleat.log;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotRetentionPolicy;
import org.apache.ratis.util.MD5FileUtil;
import org.apache.ratis.util.SizeInBytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which snapshots are kept. */
class SnapshotStorageTest {
    @TempDir
    private Path temporary;

    private RaftStorage raft;
    private SnapshotStorage storage;

    @BeforeEach
    void open() throws Exception {
        raft = RaftStorage.newBuilder()
                .setDirectory(temporary.toFile())
                .setOption(RaftStorage.StartupOption.FORMAT)
                .setStorageFreeSpaceMin(SizeInBytes.ZERO)
                .build();
        raft.initialize();
        storage = new SnapshotStorage();
        storage.init(raft);
    }

    @AfterEach
    void close() throws Exception {
        raft.close();
    }

    private Path snapshot(long index) throws Exception {
        Path file = Files.writeString(storage.getSnapshotFile(1, index).toPath(), "image " + index);
        sum(file);
        return file;
    }

    private static void sum(Path file) throws Exception {
        MD5FileUtil.computeAndSaveMd5ForFile(file.toFile());
    }

    private List<String> names() throws Exception {
        Path directory =
                Objects.requireNonNull(storage.getSnapshotFile(1, 1).toPath().getParent());
        try (Stream<Path> all = Files.list(directory)) {
            return all.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    /**
     * Asked for a snapshot, the library has old ones removed while the new one is written, and with them the sum that
     * stood there already: the next start found a snapshot without its sum, and a damaged log.
     */
    @Test
    void theSumOfASnapshotThatIsBeingWrittenStays_whenTheLibraryHasOldOnesRemoved() throws Exception {
        Path written = snapshot(5);
        Path unfinished = Files.move(written, written.resolveSibling("unfinished"));

        storage.cleanupOldSnapshots(new SnapshotRetentionPolicy() {
            @Override
            public int getNumSnapshotsRetained() {
                return 1;
            }
        });
        Files.move(unfinished, written);

        assertEquals(List.of("snapshot.1_5", "snapshot.1_5.md5"), names());
    }

    @Test
    void theNewestTwoAreKept_andNoSumWithoutItsSnapshot() throws Exception {
        for (int index = 1; index <= 4; index++) {
            var _ = snapshot(index);
        }
        Files.delete(snapshot(9));

        storage.removeOld();

        assertEquals(List.of("snapshot.1_3", "snapshot.1_3.md5", "snapshot.1_4", "snapshot.1_4.md5"), names());
    }
}
