package io.cleat.localplugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Ids;
import io.cleat.base.SystemTime;
import io.cleat.csi.v1.CreateVolumeGroupSnapshotRequest;
import io.cleat.csi.v1.DeleteVolumeGroupSnapshotRequest;
import io.cleat.csi.v1.GetSnapshotRequest;
import io.cleat.csi.v1.GetVolumeGroupSnapshotRequest;
import io.cleat.csi.v1.ListSnapshotsRequest;
import io.cleat.csi.v1.Snapshot;
import io.cleat.csi.v1.VolumeGroupSnapshot;
import io.cleat.kernel.DurableFiles;
import io.cleat.kernel.FileSystems;
import io.cleat.kernel.LoopDevice;
import io.cleat.kernel.LoopDevices;
import io.cleat.kernel.Mounts;
import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Snapshots, their groups, and volumes made from them and from other volumes; on a pool that copies and on one that
 * shares blocks.
 */
class CopiesTest {
    private static final int DATA = 8 << 20;
    private static final long LITTLE = 2 << 20;

    @TempDir
    Path directory;

    private final LoopDevices loops = LoopDevices.linux(new SystemTime());

    @BeforeEach
    void volumesCanBeMounted() {
        Ground.needsImages();
    }

    @AfterEach
    void takeTheRestAway() throws Exception {
        new Ground(directory).clear();
        if (Files.exists(disk())) {
            loops.detach(disk());
        }
    }

    private Path disk() {
        return directory.resolve("disk");
    }

    private Path pool() {
        return directory.resolve("pool");
    }

    /** Puts the pool on an XFS, which can share blocks. */
    private void shareBlocks() throws Exception {
        new Images(new Programs())
                .make(disk(), VolumeType.XFS, 1024 * Sizes.MIB, Ids.random().next());
        LoopDevice loop = loops.attach(disk(), false);
        DurableFiles.makeDirectory(pool());
        Mounts.linux().mount(loop.path().toString(), pool(), "xfs", Set.of(), "");
        Files.setPosixFilePermissions(pool(), PosixFilePermissions.fromString("rwx------"));
    }

    private static byte[] noise() {
        byte[] bytes = new byte[DATA];
        new Random(7).nextBytes(bytes);
        return bytes;
    }

    /** A volume in use, with {@code text} and some data in it. */
    private String inUse(Served served, VolumeType type, String name, String text) throws Exception {
        String id = served.caller().create(name, type, type.least());
        served.caller().stage(id, served.staging(name), Caller.writer(type));
        use(served, type, name, id);
        Content.write(type, served.target(name), text);
        if (type != VolumeType.BLOCK) {
            Files.write(served.target(name).resolve("noise"), noise());
        }
        return id;
    }

    private static void use(Served served, VolumeType type, String name, String id) throws Exception {
        served.caller().publish(id, served.staging(name), served.target(name), Caller.writer(type));
    }

    private static void leave(Served served, String name, String id) throws Exception {
        served.caller().unpublish(id, served.target(name));
        served.caller().unstage(id, served.staging(name));
    }

    @ParameterizedTest
    @EnumSource
    void aSnapshotOfAVolumeInUseIsOfItsMoment(VolumeType type) throws Exception {
        shareBlocks();
        try (Served served = Served.process(directory)) {
            Caller caller = served.caller();
            String id = inUse(served, type, "v", "before");
            if (type == VolumeType.DIRECTORY) {
                PluginTest.refused(
                        Status.Code.FAILED_PRECONDITION, served.target("v").toString(), () -> caller.snapshot("s", id));
                caller.unpublish(id, served.target("v"));
            }
            sync(served.staging("v"));
            sync(pool());
            long used = FileSystems.linux().usage(pool()).used();
            Snapshot snapshot = caller.snapshot("s", id);
            assertEquals(snapshot, caller.snapshot("s", id));
            if (type == VolumeType.DIRECTORY) {
                use(served, type, "v", id);
            }
            Content.write(type, served.target("v"), "after");
            String restored = caller.restore("r", type, snapshot.getSnapshotId(), 0);
            assertEquals(restored, caller.restore("r", type, snapshot.getSnapshotId(), 0));
            long grown = FileSystems.linux().usage(pool()).used() - used;
            assertTrue(grown < DATA, () -> "two copies took " + grown + " bytes");
            caller.stage(restored, served.staging("r"), Caller.writer(type));
            use(served, type, "r", restored);
            assertEquals("before", Content.read(type, served.target("r")));
            assertEquals("after", Content.read(type, served.target("v")));
            if (type != VolumeType.BLOCK) {
                assertEquals(
                        -1,
                        Files.mismatch(
                                served.target("v").resolve("noise"),
                                served.target("r").resolve("noise")));
            }
            leave(served, "r", restored);
            leave(served, "v", id);
            caller.delete(id);
            caller.delete(restored);
            caller.deleteSnapshot(snapshot.getSnapshotId());
            caller.deleteSnapshot(snapshot.getSnapshotId());
            assertEquals(List.of(), new Ground(directory).entries("pool/volumes"));
            assertEquals(List.of(), new Ground(directory).entries("pool/snapshots"));
            assertEquals(List.of(), new Ground(directory).entries("pool/trash"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aCopyHasTheBytesAndTheBlocksOfItsSource(VolumeType type) throws Exception {
        try (Served served = new Served(directory)) {
            Caller caller = served.caller();
            String id = inUse(served, type, "v", "content");
            leave(served, "v", id);
            Snapshot snapshot = caller.snapshot("s", id);
            String clone = caller.copy("c", type, id);
            Path from = pool().resolve("volumes").resolve(id);
            Path kept = pool().resolve("snapshots").resolve(snapshot.getSnapshotId());
            Path copied = pool().resolve("volumes").resolve(clone);
            if (type.isImage()) {
                Path image = from.resolve("image");
                long held = allocated(image);
                for (Path copy : List.of(kept.resolve("image"), copied.resolve("image"))) {
                    assertEquals(Files.size(image), Files.size(copy));
                    assertTrue(
                            allocated(copy) < held + LITTLE,
                            () -> copy + " takes more than the " + held + " of its source");
                }
                assertTrue(held < type.least() || type == VolumeType.BLOCK);
                assertEquals(-1, Files.mismatch(image, kept.resolve("image")));
            } else {
                assertEquals(-1, Files.mismatch(from.resolve("data/noise"), copied.resolve("data/noise")));
            }
            caller.delete(id);
            caller.deleteSnapshot(snapshot.getSnapshotId());
            caller.stage(clone, served.staging("c"), Caller.writer(type));
            use(served, type, "c", clone);
            assertEquals("content", Content.read(type, served.target("c")));
            leave(served, "c", clone);
            caller.delete(clone);
            new Ground(directory).assertNothingLeft();
        }
    }

    private static void sync(Path of) throws Exception {
        assertEquals(0, new ProcessBuilder("sync", "-f", of.toString()).start().waitFor());
    }

    /** What a file takes on its disk. */
    private static long allocated(Path file) throws Exception {
        Process stat = new ProcessBuilder("stat", "-c", "%b", file.toString()).start();
        String blocks = new String(stat.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        assertEquals(0, stat.waitFor());
        return Long.parseLong(blocks.strip()) * 512;
    }

    @ParameterizedTest
    @EnumSource(names = {"EXT4", "XFS", "BTRFS"})
    void aMountedFileSystemIsFrozenWhileItIsCopiedAndItsCopyIsMountedBesideIt(VolumeType type) throws Exception {
        try (Served served = new Served(directory)) {
            Caller caller = served.caller();
            String id = inUse(served, type, "v", "before");
            String clone = caller.copy("c", type, id);
            Content.write(type, served.target("v"), "after");
            caller.stage(clone, served.staging("c"), Caller.WRITER);
            use(served, type, "c", clone);
            assertEquals("before", Content.read(type, served.target("c")));
            assertEquals("after", Content.read(type, served.target("v")));
            assertEquals(4, new Ground(directory).mounted().size());
        }
    }

    @Test
    void aRawVolumeInUseIsCopiedOnlyWhereThatTakesOneMoment() throws Exception {
        try (Served served = new Served(directory)) {
            String id = inUse(served, VolumeType.BLOCK, "v", "x");
            PluginTest.refused(
                    Status.Code.FAILED_PRECONDITION,
                    "keep the pool on XFS or Btrfs",
                    () -> served.caller().snapshot("s", id));
            assertEquals(List.of(), new Ground(directory).entries("pool/snapshots"));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"EXT4", "XFS", "BTRFS", "BLOCK"})
    void aCopyCanBeBiggerThanItsSource(VolumeType type) throws Exception {
        try (Served served = new Served(directory)) {
            Caller caller = served.caller();
            String id = inUse(served, type, "v", "content");
            leave(served, "v", id);
            Snapshot snapshot = caller.snapshot("s", id);
            long bytes = 512 * Sizes.MIB;
            String restored = caller.restore("r", type, snapshot.getSnapshotId(), bytes);
            caller.stage(restored, served.staging("r"), Caller.writer(type));
            use(served, type, "r", restored);
            assertEquals("content", Content.read(type, served.target("r")));
            long total = caller.usage(restored, served.target("r")).getFirst().getTotal();
            assertTrue(total > bytes * 3 / 4, () -> "it shows " + total);
            PluginTest.refused(
                    Status.Code.INVALID_ARGUMENT,
                    "of type " + type.word(),
                    () -> caller.restore("d", VolumeType.DIRECTORY, snapshot.getSnapshotId(), 0));
            PluginTest.refused(
                    Status.Code.ALREADY_EXISTS,
                    "not from",
                    () -> caller.restore("v", type, snapshot.getSnapshotId(), 0));
        }
    }

    @Test
    void snapshotsAreListedByPageVolumeAndId() throws Exception {
        try (Served served = new Served(directory)) {
            Caller caller = served.caller();
            String one = caller.create("one", VolumeType.DIRECTORY, 0);
            String two = caller.create("two", VolumeType.DIRECTORY, 0);
            Snapshot first = caller.snapshot("1", one);
            Snapshot second = caller.snapshot("2", two);
            Snapshot third = caller.snapshot("3", one);
            PluginTest.refused(Status.Code.ALREADY_EXISTS, one, () -> caller.snapshot("1", two));
            var page = ListSnapshotsRequest.newBuilder().setMaxEntries(2).build();
            var answer = caller.controller().listSnapshots(page);
            assertEquals(List.of(first, second), snapshots(caller, page));
            assertEquals(
                    List.of(third),
                    snapshots(
                            caller,
                            page.toBuilder()
                                    .setStartingToken(answer.getNextToken())
                                    .build()));
            assertEquals(
                    List.of(first, third),
                    snapshots(
                            caller,
                            ListSnapshotsRequest.newBuilder()
                                    .setSourceVolumeId(one)
                                    .build()));
            assertEquals(
                    second,
                    caller.controller()
                            .getSnapshot(GetSnapshotRequest.newBuilder()
                                    .setSnapshotId(second.getSnapshotId())
                                    .build())
                            .getSnapshot());
        }
    }

    private static List<Snapshot> snapshots(Caller caller, ListSnapshotsRequest request) {
        return caller.controller().listSnapshots(request).getEntriesList().stream()
                .map(entry -> entry.getSnapshot())
                .toList();
    }

    @Test
    void aGroupIsMadeAndGoesAsOne() throws Exception {
        try (Served served = new Served(directory)) {
            Caller caller = served.caller();
            String data = inUse(served, VolumeType.EXT4, "data", "data");
            String log = inUse(served, VolumeType.XFS, "log", "log");
            var request = CreateVolumeGroupSnapshotRequest.newBuilder()
                    .setName("g")
                    .addSourceVolumeIds(data)
                    .addSourceVolumeIds(log)
                    .build();
            VolumeGroupSnapshot group =
                    caller.groups().createVolumeGroupSnapshot(request).getGroupSnapshot();
            assertEquals(
                    group, caller.groups().createVolumeGroupSnapshot(request).getGroupSnapshot());
            assertEquals(2, group.getSnapshotsCount());
            Content.write(VolumeType.EXT4, served.target("data"), "goes on");
            PluginTest.refused(
                    Status.Code.ALREADY_EXISTS,
                    data,
                    () -> caller.groups()
                            .createVolumeGroupSnapshot(request.toBuilder()
                                    .clearSourceVolumeIds()
                                    .addSourceVolumeIds(data)
                                    .build()));
            Snapshot member = group.getSnapshots(0);
            assertEquals(group.getGroupSnapshotId(), member.getGroupSnapshotId());
            PluginTest.refused(
                    Status.Code.INVALID_ARGUMENT,
                    "DeleteVolumeGroupSnapshot",
                    () -> caller.deleteSnapshot(member.getSnapshotId()));
            PluginTest.refused(
                    Status.Code.INVALID_ARGUMENT,
                    "names others",
                    () -> caller.groups()
                            .getVolumeGroupSnapshot(GetVolumeGroupSnapshotRequest.newBuilder()
                                    .setGroupSnapshotId(group.getGroupSnapshotId())
                                    .addSnapshotIds(member.getSnapshotId())
                                    .build()));
            caller.groups()
                    .deleteVolumeGroupSnapshot(DeleteVolumeGroupSnapshotRequest.newBuilder()
                            .setGroupSnapshotId(group.getGroupSnapshotId())
                            .build());
            assertEquals(List.of(), new Ground(directory).entries("pool/snapshots"));
            assertEquals(List.of(), new Ground(directory).entries("pool/groups"));
        }
    }

    @Test
    void aGroupWithAVolumeThatIsNotThereLeavesNothing() throws Exception {
        try (Served served = new Served(directory)) {
            Caller caller = served.caller();
            String there = inUse(served, VolumeType.EXT4, "v", "x");
            PluginTest.refused(
                    Status.Code.NOT_FOUND,
                    "00000000-",
                    () -> caller.groups()
                            .createVolumeGroupSnapshot(CreateVolumeGroupSnapshotRequest.newBuilder()
                                    .setName("g")
                                    .addSourceVolumeIds(there)
                                    .addSourceVolumeIds("00000000-0000-0000-0000-000000000000")
                                    .build()));
            Content.write(VolumeType.EXT4, served.target("v"), "not frozen");
            assertEquals(List.of(), new Ground(directory).entries("pool/snapshots"));
        }
    }

    @Test
    void whatAKilledProcessLeftFrozenIsThawedAtTheNextStartAndItsMembersAreCleared() throws Exception {
        String id;
        try (Served served = new Served(directory)) {
            id = inUse(served, VolumeType.EXT4, "v", "before");
            Pool pool = opened();
            Volume volume = pool.volumes().require(id);
            Volume.Frozen frozen = new Volume.Frozen(
                    Served.NODE, served.staging("v").toRealPath().toString());
            pool.volumes().save(volume.with(volume.shape().frozen(Optional.of(frozen))));
            var lost = new io.cleat.localplugin.Snapshot(
                    "11111111-1111-1111-1111-111111111111",
                    "m",
                    VolumeType.DIRECTORY,
                    1,
                    id,
                    0,
                    Optional.of("22222222-2222-2222-2222-222222222222"));
            pool.groups().begin(lost.group().orElseThrow());
            pool.snapshots().create(lost, DurableFiles::makeDirectory);
            assertEquals(List.of(), snapshots(served.caller(), ListSnapshotsRequest.getDefaultInstance()));
            assertTrue(FileSystems.linux().freeze(served.staging("v")));
        }
        try (Served served = new Served(directory)) {
            Content.write(VolumeType.EXT4, served.target("v"), "after");
            assertNotEquals(List.of(), new Ground(directory).entries("pool/volumes"));
            assertEquals(List.of(), new Ground(directory).entries("pool/snapshots"));
            assertEquals(List.of(), new Ground(directory).entries("pool/groups"));
            assertTrue(opened().volumes().require(id).shape().frozen().isEmpty());
        }
    }

    /** As a second process of the pool sees it. */
    private Pool opened() throws Exception {
        return Pool.open(pool(), Optional.empty(), new SystemTime(), Ids.random());
    }
}
