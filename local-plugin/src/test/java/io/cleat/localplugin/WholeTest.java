package io.cleat.localplugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.csi.v1.ControllerGetVolumeHealthRequest;
import io.cleat.csi.v1.ControllerListVolumeHealthRequest;
import io.cleat.csi.v1.ControllerModifyVolumeRequest;
import io.cleat.csi.v1.CreateVolumeRequest;
import io.cleat.csi.v1.DeleteVolumeRequest;
import io.cleat.csi.v1.GetCapacityRequest;
import io.cleat.csi.v1.NodeGetInfoRequest;
import io.cleat.csi.v1.NodeGetStorageHealthRequest;
import io.cleat.csi.v1.NodeGetVolumeHealthRequest;
import io.cleat.csi.v1.ProbeRequest;
import io.cleat.csi.v1.StorageHealthErrorType;
import io.cleat.csi.v1.Topology;
import io.cleat.csi.v1.Volume;
import io.cleat.csi.v1.VolumeCapability.AccessMode.Mode;
import io.cleat.csi.v1.VolumeHealth;
import io.cleat.csi.v1.VolumeHealthErrorType;
import io.cleat.csi.v1.VolumeUsage;
import io.cleat.kernel.Mounts;
import io.grpc.Status;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What else the plugin tells and lets one set: usage, health, places, mutable parameters. */
class WholeTest {
    @TempDir
    Path directory;

    @BeforeEach
    void volumesCanBeMounted() {
        Ground.needsImages();
    }

    @AfterEach
    void takeTheRestAway() throws Exception {
        new Ground(directory).clear();
    }

    @Test
    void usageIsThatOfTheVolumeWhereItIs() throws Exception {
        try (Served served = new Served(directory)) {
            Caller caller = served.caller();
            String id = caller.create("v", VolumeType.EXT4, 32 * Sizes.MIB);
            Path staging = served.staging("v");
            caller.stage(id, staging, Caller.WRITER);
            caller.publish(id, staging, served.target("v"), Caller.WRITER);
            VolumeUsage before = caller.usage(id, served.target("v")).getFirst();
            Files.write(staging.resolve("f"), new byte[4 << 20]);
            List<VolumeUsage> after = caller.usage(id, staging);
            assertEquals(4 << 20, after.getFirst().getUsed() - before.getUsed());
            assertTrue(after.getFirst().getTotal() > 24 * Sizes.MIB);
            assertEquals(VolumeUsage.Unit.INODES, after.get(1).getUnit());
            assertTrue(after.get(1).getUsed() > 0);
            for (Path elsewhere : List.of(Path.of("some/path"), directory)) {
                PluginTest.refused(Status.Code.NOT_FOUND, elsewhere.toString(), () -> caller.usage(id, elsewhere));
            }
            String block = caller.create("b", VolumeType.BLOCK, 3 * Sizes.MIB);
            caller.stage(block, served.staging("b"), Caller.DEVICE);
            assertEquals(
                    3 * Sizes.MIB,
                    caller.usage(block, served.staging("b")).getFirst().getTotal());
        }
    }

    @Test
    void aDeviceRefusesWhatItsModeForbids() throws Exception {
        try (Served served = new Served(directory)) {
            Caller caller = served.caller();
            String id = caller.create("v", VolumeType.BLOCK, 2 * Sizes.MIB);
            Path staging = served.staging("v");
            Path target = served.target("v");
            caller.stage(id, staging, Caller.DEVICE);
            caller.publish(id, staging, target, Caller.DEVICE);
            Content.write(VolumeType.BLOCK, target, "kept");
            PluginTest.refused(
                    Status.Code.ALREADY_EXISTS,
                    "read-only",
                    () -> caller.publish(id, staging, target, AccessTest.block(Mode.SINGLE_NODE_READER_ONLY)));
            caller.unpublish(id, target);
            caller.publish(id, staging, target, AccessTest.block(Mode.SINGLE_NODE_READER_ONLY));
            assertEquals("kept", Content.read(VolumeType.BLOCK, target));
            assertThrows(IOException.class, () -> Content.write(VolumeType.BLOCK, target, "broken"));
            caller.unpublish(id, target);
            caller.publish(id, staging, target, Caller.DEVICE);
            Content.write(VolumeType.BLOCK, target, "again");
        }
    }

    @Test
    void whatIsWrongWithAVolumeIsSaidAndNothingElse() throws Exception {
        try (Served served = new Served(directory)) {
            Caller caller = served.caller();
            String well = caller.create("well", VolumeType.DIRECTORY, 0);
            String ill = caller.create("ill", VolumeType.XFS, 0);
            Path staging = served.staging("ill");
            caller.stage(ill, staging, Caller.WRITER);
            assertEquals(List.of(), onNode(caller, well));
            assertEquals(List.of(), onNode(caller, ill));
            assertEquals(List.of(), listed(caller));
            Mounts.linux().unmount(staging);
            assertEquals(List.of("NotMounted"), onNode(caller, ill));
            assertEquals(List.of(), listed(caller));
            Path image = directory.resolve("pool/volumes").resolve(ill).resolve("image");
            try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
                file.setLength(1000);
            }
            VolumeHealth.VolumeHealthEntry lost = caller.controller()
                    .controllerGetVolumeHealth(ControllerGetVolumeHealthRequest.newBuilder()
                            .setVolumeId(ill)
                            .build())
                    .getVolumeHealth()
                    .getHealthStatuses(0);
            assertEquals(VolumeHealthErrorType.DATA_LOSS, lost.getStatus());
            assertTrue(lost.getMessage().contains(image.toString()), lost::getMessage);
            assertEquals(List.of(ill), listed(caller));
        }
    }

    private static List<String> onNode(Caller caller, String id) {
        return caller
                .node()
                .nodeGetVolumeHealth(
                        NodeGetVolumeHealthRequest.newBuilder().setVolumeId(id).build())
                .getVolumeHealth()
                .getHealthStatusesList()
                .stream()
                .map(VolumeHealth.VolumeHealthEntry::getReason)
                .toList();
    }

    private static List<String> listed(Caller caller) {
        return caller
                .controller()
                .controllerListVolumeHealth(ControllerListVolumeHealthRequest.getDefaultInstance())
                .getEntriesList()
                .stream()
                .map(VolumeHealth::getVolumeId)
                .toList();
    }

    @Test
    void nothingIsTakenForGoneWithThePoolsDisk() throws Exception {
        try (Served served = new Served(directory)) {
            Caller caller = served.caller();
            String id = caller.create("v", VolumeType.DIRECTORY, 0);
            Path pool = directory.resolve("pool");
            Path away = directory.resolve("away");
            Files.move(pool, away);
            Files.createDirectories(pool.resolve("volumes"));
            String[] parts = {"is gone"};
            for (String part : parts) {
                PluginTest.refused(Status.Code.FAILED_PRECONDITION, part, () -> caller.delete(id));
                PluginTest.refused(
                        Status.Code.FAILED_PRECONDITION, part, () -> caller.create("w", VolumeType.DIRECTORY, 0));
                PluginTest.refused(
                        Status.Code.FAILED_PRECONDITION,
                        part,
                        () -> caller.identity().probe(ProbeRequest.getDefaultInstance()));
            }
            assertEquals(
                    StorageHealthErrorType.STORAGE_UNREACHABLE,
                    caller.node()
                            .nodeGetStorageHealth(NodeGetStorageHealthRequest.getDefaultInstance())
                            .getBackendHealth(0)
                            .getStatus());
            Files.delete(pool.resolve("volumes"));
            Files.delete(pool);
            Files.move(away, pool);
            caller.delete(id);
            new Ground(directory).assertNothingLeft();
        }
    }

    @Test
    void aVolumeIsMadeWhereItsPoolIsReached() throws Exception {
        try (Served served = new Served(directory, "--topology=zone=a")) {
            Caller caller = served.caller();
            Topology here = caller.node()
                    .nodeGetInfo(NodeGetInfoRequest.getDefaultInstance())
                    .getAccessibleTopology();
            assertEquals("a", here.getSegmentsOrThrow("zone"));
            CreateVolumeRequest request = Caller.createRequest("v", VolumeType.DIRECTORY, 0);
            Volume volume = caller.controller()
                    .createVolume(within(request, Map.of("zone", "a")))
                    .getVolume();
            Map<String, String> accessible = volume.getAccessibleTopology(0).getSegmentsMap();
            assertEquals(List.of(Places.POOL), List.copyOf(accessible.keySet()));
            assertTrue(here.getSegmentsMap().entrySet().containsAll(accessible.entrySet()));
            CreateVolumeRequest elsewhere =
                    within(request.toBuilder().setName("w").build(), Map.of("zone", "b"));
            PluginTest.refused(
                    Status.Code.RESOURCE_EXHAUSTED,
                    "zone=b",
                    () -> caller.controller().createVolume(elsewhere));
            assertEquals(
                    0,
                    caller.controller()
                            .getCapacity(GetCapacityRequest.newBuilder()
                                    .setAccessibleTopology(Topology.newBuilder().putSegments("zone", "b"))
                                    .build())
                            .getAvailableCapacity());
        }
    }

    private static CreateVolumeRequest within(CreateVolumeRequest request, Map<String, String> segments) {
        CreateVolumeRequest.Builder placed = request.toBuilder();
        placed.getAccessibilityRequirementsBuilder()
                .addRequisite(Topology.newBuilder().putAllSegments(segments));
        return placed.build();
    }

    @Test
    void mutableParametersTakeEffectAtOnceAndLast() throws Exception {
        try (Served served = new Served(directory)) {
            Caller caller = served.caller();
            String id = caller.create("v", VolumeType.EXT4, 0);
            Path staging = served.staging("v");
            caller.stage(id, staging, Caller.WRITER);
            modify(caller, id, Map.of("mode", "0711", "read_ahead_kib", "512"));
            assertEquals("rwx--x--x", mode(staging));
            assertEquals("512", readAhead(id));
            caller.unstage(id, staging);
            modify(caller, id, Map.of("read_ahead_kib", "64"));
            caller.stage(id, staging, Caller.WRITER);
            assertEquals("rwx--x--x", mode(staging));
            assertEquals("64", readAhead(id));
            PluginTest.refused(
                    Status.Code.INVALID_ARGUMENT,
                    "colour",
                    () -> modify(caller, id, Map.of("colour", "red", "mode", "0700")));
            assertEquals("rwx--x--x", mode(staging));
            PluginTest.refused(
                    Status.Code.INVALID_ARGUMENT, "setuid", () -> modify(caller, id, Map.of("mode", "4755")));
            String plain = caller.create("d", VolumeType.DIRECTORY, 0);
            modify(caller, plain, Map.of("mode", "0770"));
            assertEquals(
                    "rwxrwx---",
                    mode(directory.resolve("pool/volumes").resolve(plain).resolve("data")));
            PluginTest.refused(
                    Status.Code.INVALID_ARGUMENT,
                    "directory volume has none",
                    () -> modify(caller, plain, Map.of("read_ahead_kib", "1")));
        }
    }

    private static void modify(Caller caller, String id, Map<String, String> parameters) {
        caller.controller()
                .controllerModifyVolume(ControllerModifyVolumeRequest.newBuilder()
                        .setVolumeId(id)
                        .putAllMutableParameters(parameters)
                        .build());
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    /** Empty for one that is attached to nothing, or is detached at this moment. */
    private static String backing(Path device) {
        try {
            return Files.readString(device.resolve("loop/backing_file")).strip();
        } catch (IOException detached) {
            return "";
        }
    }

    private String readAhead(String id) throws Exception {
        Path image = directory.resolve("pool/volumes").resolve(id).resolve("image");
        try (Stream<Path> devices = Files.list(Path.of("/sys/block"))) {
            for (Path device : devices.toList()) {
                if (backing(device).equals(image.toRealPath().toString())) {
                    return Files.readString(device.resolve("queue/read_ahead_kb"))
                            .strip();
                }
            }
        }
        return "not attached";
    }

    /** It was said to be a failure whose same call might work, and was made again for ever. */
    @Test
    void aFileSystemThatTakesTooLongToMake_isRefused() throws Exception {
        Path slow = Files.writeString(directory.resolve("mkfs.ext4"), "#!/bin/sh\nexec sleep 1000\n");
        Files.setPosixFilePermissions(slow, PosixFilePermissions.fromString("rwx------"));
        Images images = new Images(new Programs(List.of(directory)), directory, directory, Duration.ofMillis(100));
        CallRefused refused = assertThrows(
                CallRefused.class,
                () -> images.make(
                        directory.resolve("image"), VolumeType.EXT4, 7L << 40, "5b0ff0b8-5b1d-4b9c-8c8e-0d4c1f3a2b1c"));
        assertEquals(Status.Code.RESOURCE_EXHAUSTED, refused.code());
        assertTrue(refused.sentence().contains("mkfs.ext4 did not make"), refused::sentence);
        assertTrue(refused.sentence().contains("ask for a smaller volume"), refused::sentence);
    }

    /** 1 GiB of zeros was written into it. */
    @Test
    void aLargeEmptyImage_takesLittleOfThePool() throws Exception {
        Path image = directory.resolve("image");
        new Images(new Programs()).make(image, VolumeType.EXT4, 7L << 40, "5b0ff0b8-5b1d-4b9c-8c8e-0d4c1f3a2b1c");
        assertEquals(7L << 40, Files.size(image));
        Process du = new ProcessBuilder("du", "-k", image.toString()).start();
        String used = new String(du.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(Long.parseLong(used.split("\\s", -1)[0]) < 256 << 10, used);
    }

    /** It was an internal error, whose call was made again for ever. */
    @Test
    void aSizeThatNoFileOfThePoolCanHave_isOutOfRange() {
        IOException cause = new IOException("File too large");
        assertEquals(
                Status.Code.OUT_OF_RANGE,
                Answers.status(new DiskTrouble(
                                "making it 3 TiB long failed: " + cause, Effect.NONE, Retry.SAME_CALL, cause))
                        .getCode());
    }

    @Test
    void aTypeThatCannotBeMadeOrMountedHereIsRefusedWithWhatBringsIt() throws Exception {
        Images without = new Images(new Programs(List.of(directory)));
        Path known = Files.writeString(directory.resolve("filesystems"), "nodev\ttmpfs\n\text4\n");
        Images poor = new Images(new Programs(), known, directory);
        for (Map.Entry<VolumeType, String> bringing : Map.of(
                        VolumeType.XFS, "apt-get install xfsprogs",
                        VolumeType.BTRFS, "apt-get install btrfs-progs",
                        VolumeType.EXT4, "apt-get install e2fsprogs")
                .entrySet()) {
            CallRefused refused = assertThrows(CallRefused.class, () -> without.requireMakeable(bringing.getKey()));
            assertEquals(Status.Code.FAILED_PRECONDITION, refused.code());
            assertTrue(refused.sentence().contains(bringing.getValue()), refused::sentence);
        }
        poor.requireMountable(VolumeType.EXT4);
        poor.requireMountable(VolumeType.DIRECTORY);
        CallRefused refused = assertThrows(CallRefused.class, () -> poor.requireMountable(VolumeType.XFS));
        assertTrue(refused.sentence().contains("cannot mount xfs"), refused::sentence);
        assertTrue(refused.sentence().contains(known.toString()), refused::sentence);
    }

    @Test
    void theUseSaysTheTypeWhereNoParameterDoes() throws Exception {
        try (Served served = new Served(directory)) {
            CreateVolumeRequest.Builder request =
                    CreateVolumeRequest.newBuilder().setName("b").addVolumeCapabilities(Caller.DEVICE);
            assertEquals(
                    "block",
                    served.caller()
                            .controller()
                            .createVolume(request.build())
                            .getVolume()
                            .getVolumeContextOrThrow("type"));
            request.setName("x").setVolumeCapabilities(0, AccessTest.mount(Mode.SINGLE_NODE_WRITER, "xfs"));
            Volume xfs =
                    served.caller().controller().createVolume(request.build()).getVolume();
            assertEquals("xfs", xfs.getVolumeContextOrThrow("type"));
            assertEquals(300 * Sizes.MIB, xfs.getCapacityBytes());
            served.caller()
                    .controller()
                    .deleteVolume(DeleteVolumeRequest.newBuilder()
                            .setVolumeId(xfs.getVolumeId())
                            .build());
        }
    }
}
