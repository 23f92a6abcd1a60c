package io.cleat.localplugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Ids;
import io.cleat.csi.v1.ControllerGetVolumeHealthRequest;
import io.cleat.csi.v1.ControllerGetVolumeRequest;
import io.cleat.csi.v1.ControllerListVolumeHealthRequest;
import io.cleat.csi.v1.CreateVolumeGroupSnapshotRequest;
import io.cleat.csi.v1.DeleteVolumeGroupSnapshotRequest;
import io.cleat.csi.v1.GetCapacityRequest;
import io.cleat.csi.v1.GetSnapshotRequest;
import io.cleat.csi.v1.GetVolumeGroupSnapshotRequest;
import io.cleat.csi.v1.ListSnapshotsRequest;
import io.cleat.csi.v1.ListVolumesRequest;
import io.cleat.csi.v1.NodeGetStorageHealthRequest;
import io.cleat.csi.v1.ProbeRequest;
import io.cleat.csi.v1.VolumeGroupSnapshot;
import io.cleat.kernel.DurableFiles;
import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** One file of the pool that is damaged or gone takes what it describes, and nothing else. */
class DamagedRecordTest {
    @TempDir
    Path directory;

    @BeforeEach
    void volumesCanBeMounted() {
        Ground.needsMounting();
    }

    @AfterEach
    void takeTheRestAway() throws Exception {
        new Ground(directory).clear();
    }

    private Path pool() {
        return directory.resolve("pool");
    }

    private Path record(String id) {
        return pool().resolve("volumes").resolve(id).resolve("volume");
    }

    /** A way to damage a file, which can be undone by writing its bytes again. */
    @FunctionalInterface
    private interface Damage {
        void to(Path file, byte[] whole) throws Exception;
    }

    /**
     * All ways.
     *
     * @param step a bit is flipped in one byte of so many
     */
    private static Map<String, Damage> damages(byte[] whole, int step) {
        Map<String, Damage> kinds = new LinkedHashMap<>();
        for (int i = 0; i < whole.length; i += step) {
            int at = i;
            kinds.put("bit " + at % 8 + " of byte " + at, (file, bytes) -> {
                byte[] changed = bytes.clone();
                changed[at] ^= (byte) (1 << (at % 8));
                Files.write(file, changed);
            });
        }
        for (int i = 0; i < whole.length; i++) {
            int end = i;
            if (whole[end] == '\n') {
                kinds.put("cut before line end " + end, (file, bytes) -> Files.write(file, Arrays.copyOf(bytes, end)));
                if (end < whole.length - 1) {
                    kinds.put(
                            "cut behind line end " + end,
                            (file, bytes) -> Files.write(file, Arrays.copyOf(bytes, end + 1)));
                }
            }
        }
        kinds.put("empty", (file, bytes) -> Files.write(file, new byte[0]));
        kinds.put("zeros", (file, bytes) -> Files.write(file, new byte[bytes.length]));
        kinds.put("garbage behind", (file, bytes) -> Files.write(file, Arrays.copyOf(bytes, bytes.length + 9)));
        kinds.put("bigger than any", (file, bytes) -> Files.write(file, new byte[5 << 20]));
        kinds.put(
                "newer",
                (file, bytes) -> Files.writeString(
                        file, new String(bytes, StandardCharsets.UTF_8).replaceFirst(" 1\n", " 2\n")));
        kinds.put("deleted", (file, bytes) -> Files.delete(file));
        kinds.put("a directory", (file, bytes) -> {
            Files.delete(file);
            Files.createDirectories(file.resolve("inside"));
        });
        kinds.put("a pipe", (file, bytes) -> {
            Files.delete(file);
            assertEquals(
                    0, new ProcessBuilder("mkfifo", file.toString()).start().waitFor());
        });
        return kinds;
    }

    private static void restore(Path file, byte[] whole) throws Exception {
        if (Files.isDirectory(file)) {
            Files.delete(file.resolve("inside"));
        }
        Files.deleteIfExists(file);
        Files.write(file, whole);
    }

    private Pool open() throws Exception {
        Pool pool = Pool.open(pool(), Optional.of(Served.NODE), new FakeTime(), Ids.random());
        pool.clearLeftovers();
        pool.markNames();
        return pool;
    }

    @Test
    void oneDamagedVolumeIsRefusedHoweverItIsDamagedAndTheOthersGoOn() throws Exception {
        String ill;
        String well;
        try (Served served = new Served(directory)) {
            ill = served.caller().create("ill", VolumeType.DIRECTORY, 0);
            well = served.caller().create("well", VolumeType.DIRECTORY, 0);
            served.caller().attach(ill, Caller.WRITER, false);
            served.caller().detach(ill);
        }
        Path data = Files.writeString(record(ill).resolveSibling("data").resolve("f"), "kept");
        byte[] whole = Files.readAllBytes(record(ill));
        for (Map.Entry<String, Damage> damage : damages(whole, 7).entrySet()) {
            damage.getValue().to(record(ill), whole);
            Pool pool = open();
            String kind = damage.getKey();
            List<String> said =
                    pool.damages().stream().map(RecordDamaged::reason).toList();
            assertEquals(1, said.size(), kind);
            assertTrue(said.getFirst().contains(record(ill).toString()), kind + ": " + said);
            assertTrue(said.getFirst().contains("Put a copy of the file back"), kind);
            assertThrows(RecordDamaged.class, () -> pool.volumes().find(ill), kind);
            assertThrows(CallRefused.class, () -> pool.volumes().named("ill"), kind);
            assertEquals(Optional.empty(), pool.volumes().named("new"), kind);
            assertEquals(well, pool.volumes().named("well").orElseThrow().id(), kind);
            assertEquals(
                    List.of(well),
                    pool.volumes().list().stream().map(Volume::id).toList(),
                    kind);
            restore(record(ill), whole);
            assertEquals("ill", open().volumes().require(ill).name());
        }
        assertEquals("kept", Files.readString(data));
    }

    @Test
    void eachCallThatNamesADamagedVolumeIsRefusedWithItsFileAndTheOthersAreServed() throws Exception {
        String ill;
        try (Served served = new Served(directory)) {
            ill = served.caller().create("ill", VolumeType.DIRECTORY, 0);
        }
        byte[] whole = Files.readAllBytes(record(ill));
        for (String kind : List.of("empty", "deleted")) {
            Objects.requireNonNull(damages(whole, 29).get(kind)).to(record(ill), whole);
            try (Served served = new Served(directory)) {
                Caller caller = served.caller();
                Path staging = served.staging(kind);
                Path target = served.target(kind);
                List<Executable> calls = new ArrayList<>();
                calls.add(() -> caller.create("ill", VolumeType.DIRECTORY, 0));
                calls.add(() -> caller.copy("copy", VolumeType.DIRECTORY, ill));
                calls.add(() -> caller.delete(ill));
                calls.add(() -> caller.attach(ill, Caller.WRITER, false));
                calls.add(() -> caller.detach(ill));
                calls.add(() -> caller.expand(ill, 1));
                calls.add(() -> caller.snapshot("s", ill));
                calls.add(() -> caller.stage(ill, staging, Caller.WRITER));
                calls.add(() -> caller.publish(ill, staging, target, Caller.WRITER));
                calls.add(() -> caller.unpublish(ill, target));
                calls.add(() -> caller.unstage(ill, staging));
                calls.add(() -> caller.usage(ill, staging));
                calls.add(() -> caller.controller()
                        .controllerGetVolume(ControllerGetVolumeRequest.newBuilder()
                                .setVolumeId(ill)
                                .build()));
                for (Executable call : calls) {
                    PluginTest.refused(
                            Status.Code.FAILED_PRECONDITION, record(ill).toString(), call);
                }
                String other = caller.create("other " + kind, VolumeType.DIRECTORY, 0);
                caller.stage(other, staging, Caller.WRITER);
                caller.publish(other, staging, target, Caller.WRITER);
                caller.unpublish(other, target);
                caller.unstage(other, staging);
                assertToldOf(caller, ill);
                caller.delete(other);
            }
            assertTrue(Files.isDirectory(record(ill).resolveSibling("data")), kind);
            restore(record(ill), whole);
        }
        try (Served served = new Served(directory)) {
            assertEquals(ill, served.caller().create("ill", VolumeType.DIRECTORY, 0));
            served.caller().delete(ill);
            new Ground(directory).assertNothingLeft();
        }
    }

    /** It is listed, and what is wrong with it is said by each call for that. */
    private static void assertToldOf(Caller caller, String ill) {
        assertTrue(caller.controller().listVolumes(ListVolumesRequest.getDefaultInstance()).getEntriesList().stream()
                .anyMatch(entry -> entry.getVolume().getVolumeId().equals(ill)));
        assertEquals(
                "RecordDamaged",
                caller.controller()
                        .controllerGetVolumeHealth(ControllerGetVolumeHealthRequest.newBuilder()
                                .setVolumeId(ill)
                                .build())
                        .getVolumeHealth()
                        .getHealthStatuses(0)
                        .getReason());
        assertEquals(
                ill,
                caller.controller()
                        .controllerListVolumeHealth(ControllerListVolumeHealthRequest.getDefaultInstance())
                        .getEntries(0)
                        .getVolumeId());
        assertEquals(
                "RecordDamaged",
                caller.node()
                        .nodeGetStorageHealth(NodeGetStorageHealthRequest.getDefaultInstance())
                        .getBackendHealth(0)
                        .getReason());
    }

    @Test
    void whatIsNotServedIsSaidAtTheStart() throws Exception {
        String ill;
        try (Served served = new Served(directory)) {
            ill = served.caller().create("ill", VolumeType.DIRECTORY, 0);
        }
        Files.delete(record(ill));
        try (PluginProcess _ = new PluginProcess(directory)) {
            String said = Files.readString(directory.resolve("output"));
            assertTrue(said.contains(record(ill) + " is gone"), said);
            assertTrue(said.contains("1 of the pool's files cannot be used"), said);
        }
    }

    @Test
    void withoutItsMarkADamagedVolumeMayHaveAnyName() throws Exception {
        Pool pool = open();
        Volume volume = Volume.created(pool.label("v", 0), VolumeType.DIRECTORY, Optional.empty(), Volume.Shape.of(0));
        pool.volumes().create(volume, DurableFiles::makeDirectory);
        Path mark = mark(volume.id());
        Files.delete(mark);
        open();
        assertEquals(mark, mark(volume.id()), "a start marks what an earlier program made");
        Files.delete(mark);
        Files.write(record(volume.id()), new byte[0]);
        CallRefused refused =
                assertThrows(CallRefused.class, () -> open().volumes().named("another"));
        assertEquals(Status.Code.FAILED_PRECONDITION, refused.code());
        assertTrue(refused.sentence().contains("'another' exists is not known"), refused::sentence);
        assertTrue(refused.sentence().contains(record(volume.id()).toString()), refused::sentence);
    }

    private Path mark(String id) throws Exception {
        try (var entries = Files.list(record(id).getParent())) {
            return entries.filter(e -> e.getFileName().toString().startsWith("name-"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void theFileOfOneVolumeInThePlaceOfAnothersLetsNoCallHitTheOther() throws Exception {
        try (Served served = new Served(directory)) {
            Caller caller = served.caller();
            String one = caller.create("one", VolumeType.DIRECTORY, 0);
            String two = caller.create("two", VolumeType.DIRECTORY, 0);
            Files.copy(record(two), record(one), StandardCopyOption.REPLACE_EXISTING);
            PluginTest.refused(Status.Code.FAILED_PRECONDITION, "of another", () -> caller.delete(one));
            assertTrue(Files.exists(record(two)));
        }
    }

    @Test
    void thePromiseToADamagedVolumeStillCounts() throws Exception {
        Ground.needsImages();
        try (Served served = new Served(directory, "--capacity=" + 64 * Sizes.MIB)) {
            String id = served.caller().create("v", VolumeType.BLOCK, 40 * Sizes.MIB);
            Files.write(record(id), new byte[3]);
            assertEquals(
                    24 * Sizes.MIB,
                    served.caller()
                            .controller()
                            .getCapacity(GetCapacityRequest.getDefaultInstance())
                            .getAvailableCapacity());
        }
    }

    @Test
    void aDamagedSnapshotIsRefusedAndTheOthersGoOn() throws Exception {
        try (Served served = new Served(directory)) {
            Caller caller = served.caller();
            String id = caller.create("v", VolumeType.DIRECTORY, 0);
            String ill = caller.snapshot("ill", id).getSnapshotId();
            String well = caller.snapshot("well", id).getSnapshotId();
            Path file = pool().resolve("snapshots").resolve(ill).resolve("snapshot");
            byte[] whole = Files.readAllBytes(file);
            for (Map.Entry<String, Damage> damage : damages(whole, 29).entrySet()) {
                damage.getValue().to(file, whole);
                assertEquals(1, open().damages().size(), damage.getKey());
                for (Executable call : List.<Executable>of(
                        () -> caller.deleteSnapshot(ill),
                        () -> caller.snapshot("ill", id),
                        () -> caller.restore("r", VolumeType.DIRECTORY, ill, 0),
                        () -> snapshots(caller, ill),
                        () -> caller.controller()
                                .getSnapshot(GetSnapshotRequest.newBuilder()
                                        .setSnapshotId(ill)
                                        .build()))) {
                    PluginTest.refused(Status.Code.FAILED_PRECONDITION, file.toString(), call);
                }
                assertEquals(List.of(well), snapshots(caller, ""), damage.getKey());
                assertEquals(well, caller.snapshot("well", id).getSnapshotId());
                restore(file, whole);
            }
            caller.deleteSnapshot(caller.snapshot("new", id).getSnapshotId());
            caller.deleteSnapshot(ill);
        }
    }

    private static List<String> snapshots(Caller caller, String id) {
        return caller
                .controller()
                .listSnapshots(
                        ListSnapshotsRequest.newBuilder().setSnapshotId(id).build())
                .getEntriesList()
                .stream()
                .map(entry -> entry.getSnapshot().getSnapshotId())
                .toList();
    }

    @Test
    void aDamagedOrLostGroupIsRefusedAndItsMembersAreKept() throws Exception {
        String id;
        VolumeGroupSnapshot group;
        Path file;
        try (Served served = new Served(directory)) {
            id = served.caller().create("v", VolumeType.DIRECTORY, 0);
            group = group(served.caller(), "g", id);
            file = pool().resolve("groups").resolve(group.getGroupSnapshotId());
        }
        assertEquals(List.of(group.getGroupSnapshotId()), new Ground(directory).entries("pool/groups"));
        String member = group.getSnapshots(0).getSnapshotId();
        byte[] whole = Files.readAllBytes(file);
        for (Map.Entry<String, Damage> damage : damages(whole, 29).entrySet()) {
            damage.getValue().to(file, whole);
            Pool pool = open();
            String kind = damage.getKey();
            assertEquals(1, pool.damages().size(), kind);
            assertTrue(pool.damages().getFirst().reason().contains(file.toString()), kind);
            assertEquals(member, pool.snapshots().require(member).id(), kind);
            restore(file, whole);
        }
        for (String kind : List.of("empty", "deleted")) {
            Objects.requireNonNull(damages(whole, 29).get(kind)).to(file, whole);
            try (Served served = new Served(directory)) {
                Caller caller = served.caller();
                PluginTest.refused(Status.Code.FAILED_PRECONDITION, file.toString(), () -> get(caller, group));
                assertEquals(List.of(member), snapshots(caller, ""), kind);
                String restored = caller.restore(kind, VolumeType.DIRECTORY, member, 0);
                caller.delete(restored);
                if (kind.equals("empty")) {
                    PluginTest.refused(Status.Code.FAILED_PRECONDITION, file.toString(), () -> delete(caller, group));
                    PluginTest.refused(
                            Status.Code.FAILED_PRECONDITION, "'h' exists is not known", () -> group(caller, "h", id));
                    restore(file, whole);
                } else {
                    // Its members say themselves whose they are.
                    delete(caller, group);
                    assertEquals(List.of(), snapshots(caller, ""));
                    assertNotEquals("", group(caller, "g", id).getGroupSnapshotId());
                }
            }
        }
    }

    private static VolumeGroupSnapshot group(Caller caller, String name, String volume) {
        return caller.groups()
                .createVolumeGroupSnapshot(CreateVolumeGroupSnapshotRequest.newBuilder()
                        .setName(name)
                        .addSourceVolumeIds(volume)
                        .build())
                .getGroupSnapshot();
    }

    private static void get(Caller caller, VolumeGroupSnapshot group) {
        var request = GetVolumeGroupSnapshotRequest.newBuilder()
                .setGroupSnapshotId(group.getGroupSnapshotId())
                .build();
        assertEquals(group, caller.groups().getVolumeGroupSnapshot(request).getGroupSnapshot());
    }

    private static void delete(Caller caller, VolumeGroupSnapshot group) {
        var request = DeleteVolumeGroupSnapshotRequest.newBuilder()
                .setGroupSnapshotId(group.getGroupSnapshotId())
                .build();
        assertTrue(caller.groups().deleteVolumeGroupSnapshot(request).isInitialized());
    }

    @Test
    void aDamagedPoolFileEndsTheStartWithOneSentenceAndNothingIsMadeAnew() throws Exception {
        Path file = pool().resolve("pool");
        try (Served served = new Served(directory)) {
            Caller caller = served.caller();
            String id = caller.create("v", VolumeType.DIRECTORY, 0);
            byte[] whole = Files.readAllBytes(file);
            for (Map.Entry<String, Damage> damage : damages(whole, 29).entrySet()) {
                String kind = damage.getKey();
                damage.getValue().to(file, whole);
                RecordDamaged said = assertThrows(RecordDamaged.class, this::open, kind);
                assertTrue(said.reason().contains(file.toString()), said::reason);
                assertTrue(said.reason().contains("Put a copy of it back"), said::reason);
                for (Executable call : List.<Executable>of(
                        () -> caller.delete(id),
                        () -> caller.create("w", VolumeType.DIRECTORY, 0),
                        () -> caller.identity().probe(ProbeRequest.getDefaultInstance()))) {
                    PluginTest.refused(Status.Code.FAILED_PRECONDITION, pool().toString(), call);
                }
                assertEquals(kind.equals("deleted"), Files.notExists(file), kind);
                restore(file, whole);
            }
            caller.delete(id);
            Files.delete(file);
        }
        assertNotEquals("", open().id(), "a pool without volumes is made anew");
    }

    @Test
    void whatIsWrongIsSaidWithItsPlace() throws Exception {
        byte[] whole = new Facts("volume", 1).add("id", "x").add("name", "n").bytes();
        String text = new String(whole, StandardCharsets.UTF_8);
        for (Map.Entry<String, String> said : Map.of(
                        "",
                        "is empty",
                        text.substring(0, 26),
                        "ends at byte 26",
                        text.replace("name", "nqme"),
                        "does not fit its 4 lines",
                        text.replace("cleat", "clea7"),
                        "from byte 4 on",
                        text.replace(" 1\n", " 2\n"),
                        "may be damaged",
                        text.replace(" 1\n", " x\n"),
                        "no format version")
                .entrySet()) {
            RecordDamaged damaged = assertThrows(
                    RecordDamaged.class,
                    () -> new Facts("volume", 1).read(said.getKey().getBytes(StandardCharsets.UTF_8), "f"));
            assertTrue(damaged.reason().contains(said.getValue()), damaged::reason);
        }
        byte[] wrong = new Facts("volume", 1).add("id", "x").bytes();
        String line = new String(wrong, StandardCharsets.UTF_8).replaceFirst("id x", "id %G");
        int end = line.indexOf("end ");
        var sum = new CRC32();
        sum.update(line.substring(0, end).getBytes(StandardCharsets.UTF_8));
        String signed = line.substring(0, end) + "end " + String.format("%08x", sum.getValue());
        RecordDamaged damaged = assertThrows(
                RecordDamaged.class,
                () -> new Facts("volume", 1).read((signed + "\n").getBytes(StandardCharsets.UTF_8), "f"));
        assertTrue(damaged.reason().contains("unreadable line 2"), damaged::reason);
    }
}
