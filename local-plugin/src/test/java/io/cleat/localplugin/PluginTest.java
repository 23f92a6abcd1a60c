package io.cleat.localplugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Ids;
import io.cleat.csi.v1.GetCapacityRequest;
import io.cleat.csi.v1.ListVolumesRequest;
import io.cleat.csi.v1.VolumeCapability;
import io.cleat.csi.v1.VolumeCapability.AccessMode.Mode;
import io.cleat.kernel.Mounts;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Volumes through the socket, on real mounts and loop devices. */
class PluginTest {
    private static final long SIZE = 32 * Sizes.MIB;

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

    static void refused(Status.Code code, String part, Executable call) {
        StatusRuntimeException refused = assertThrows(StatusRuntimeException.class, call);
        String said = String.valueOf(refused.getStatus().getDescription());
        assertEquals(code, refused.getStatus().getCode(), said);
        assertTrue(said.contains(part), () -> "'" + part + "' is not in: " + said);
    }

    @ParameterizedTest
    @EnumSource
    void aVolumeLivesItsLifeAndKeepsWhatIsWrittenAndEachCallCanBeRepeated(VolumeType type) throws Exception {
        try (Served served = new Served(directory, "--check-lifecycle")) {
            Caller caller = served.caller();
            Path staging = served.staging("v");
            Path target = served.target("v");
            String id = caller.create("v", type, type.least());
            assertEquals(id, caller.create("v", type, type.least()));
            for (int life = 0; life < 2; life++) {
                for (int i = 0; i < 2; i++) {
                    caller.attach(id, Caller.writer(type), false);
                }
                for (int i = 0; i < 2; i++) {
                    caller.stage(id, staging, Caller.writer(type));
                }
                for (int i = 0; i < 2; i++) {
                    caller.publish(id, staging, target, Caller.writer(type));
                }
                assertEquals(
                        type == VolumeType.BLOCK ? 1 : 2,
                        new Ground(directory).mounted().size());
                if (life == 0) {
                    Content.write(type, target, "kept");
                }
                assertEquals("kept", Content.read(type, target));
                for (int i = 0; i < 2; i++) {
                    caller.unpublish(id, target);
                }
                assertFalse(Files.exists(target));
                for (int i = 0; i < 2; i++) {
                    caller.unstage(id, staging);
                }
                assertTrue(Files.isDirectory(staging));
                assertEquals(List.of(), new Ground(directory).attached());
                for (int i = 0; i < 2; i++) {
                    caller.detach(id);
                }
            }
            for (int i = 0; i < 2; i++) {
                caller.delete(id);
            }
            new Ground(directory).assertNothingLeft();
        }
    }

    @Test
    void aReadOnlyAttachmentAModeAndARequestMakeThePublicationReadOnly() throws Exception {
        try (Served served = new Served(directory)) {
            Caller caller = served.caller();
            Path staging = served.staging("v");
            String id = caller.create("v", VolumeType.EXT4, SIZE);
            Map<String, String> context = caller.attach(id, Caller.WRITER, true);
            caller.stage(id, staging, Caller.WRITER);
            VolumeCapability reader = AccessTest.mount(Mode.SINGLE_NODE_READER_ONLY, "");
            Path target = served.target("v");
            for (var request : List.of(
                    Caller.publishRequest(id, staging, target, Caller.WRITER).putAllPublishContext(context),
                    Caller.publishRequest(id, staging, target, Caller.WRITER).setReadonly(true),
                    Caller.publishRequest(id, staging, target, reader))) {
                caller.node().nodePublishVolume(request.build());
                assertThrows(IOException.class, () -> Files.writeString(target.resolve("f"), "x"));
                caller.unpublish(id, target);
            }
            caller.publish(id, staging, target, Caller.WRITER);
            Files.writeString(target.resolve("f"), "x");
            refused(Status.Code.ALREADY_EXISTS, "read-only", () -> caller.publish(id, staging, target, reader));
        }
    }

    @Test
    void modesDecideHowManyTargetsAVolumeHas() throws Exception {
        try (Served served = new Served(directory)) {
            Caller caller = served.caller();
            Path staging = served.staging("v");
            String id = caller.create("v", VolumeType.DIRECTORY, 0);
            caller.stage(id, staging, Caller.SHARED);
            caller.publish(id, staging, served.target("a"), Caller.SHARED);
            caller.publish(id, staging, served.target("b"), Caller.SHARED);
            Files.writeString(served.target("a").resolve("f"), "seen");
            assertEquals("seen", Files.readString(served.target("b").resolve("f")));
            refused(
                    Status.Code.FAILED_PRECONDITION,
                    "targets/",
                    () -> caller.publish(id, staging, served.target("c"), Caller.WRITER));
            refused(Status.Code.FAILED_PRECONDITION, "targets/b", () -> caller.unstage(id, staging));
            caller.unpublish(id, served.target("a"));
            assertEquals("seen", Files.readString(served.target("b").resolve("f")));
            caller.unpublish(id, served.target("b"));
            caller.publish(id, staging, served.target("c"), Caller.WRITER);
            refused(
                    Status.Code.FAILED_PRECONDITION,
                    "SINGLE_NODE_WRITER",
                    () -> caller.publish(id, staging, served.target("a"), Caller.SHARED));
        }
    }

    @Test
    void aVolumeInUseIsNotDeletedAndKeepsItsFiles() throws Exception {
        try (Served served = new Served(directory)) {
            Caller caller = served.caller();
            Path staging = served.staging("v");
            String id = caller.create("v", VolumeType.DIRECTORY, 0);
            caller.attach(id, Caller.WRITER, false);
            refused(Status.Code.FAILED_PRECONDITION, "node n1", () -> caller.delete(id));
            caller.detach(id);
            caller.stage(id, staging, Caller.WRITER);
            Files.writeString(staging.resolve("f"), "precious");
            refused(Status.Code.FAILED_PRECONDITION, staging.toString(), () -> caller.delete(id));
            assertEquals("precious", Files.readString(staging.resolve("f")));
        }
    }

    @Test
    void whatIsMountedInsideAVolumeSurvivesItsDeletion() throws Exception {
        try (Served served = new Served(directory)) {
            Caller caller = served.caller();
            String id = caller.create("v", VolumeType.DIRECTORY, 0);
            Path inside = directory.resolve("pool/volumes/" + id + "/data/inside");
            Files.createDirectory(inside);
            Path canary = Files.createDirectory(directory.resolve("canary"));
            Files.writeString(canary.resolve("f"), "precious");
            Mounts.linux().bind(canary, inside);
            refused(Status.Code.FAILED_PRECONDITION, inside.toString(), () -> caller.delete(id));
            Mounts.linux().unmount(inside);
            Path part = Files.createDirectory(directory.resolve("part"));
            Mounts.linux().bind(inside, part);
            refused(Status.Code.FAILED_PRECONDITION, part.toString(), () -> caller.delete(id));
            Mounts.linux().unmount(part);
            caller.delete(id);
            assertEquals("precious", Files.readString(canary.resolve("f")));
        }
    }

    @Test
    void aForeignMountALinkAndAFileAreRefusedByName() throws Exception {
        try (Served served = new Served(directory)) {
            Caller caller = served.caller();
            Path staging = served.staging("v");
            String id = caller.create("v", VolumeType.DIRECTORY, 0);
            String other = caller.create("other", VolumeType.DIRECTORY, 0);
            caller.stage(id, staging, Caller.WRITER);
            refused(
                    Status.Code.FAILED_PRECONDITION,
                    staging.toString(),
                    () -> caller.stage(other, staging, Caller.WRITER));
            refused(
                    Status.Code.FAILED_PRECONDITION,
                    "which is not of volume " + other,
                    () -> caller.unpublish(other, staging));
            Path canary = Files.createDirectory(directory.resolve("canary"));
            Path link = Files.createSymbolicLink(served.target("link"), canary);
            refused(
                    Status.Code.FAILED_PRECONDITION,
                    "symbolic link",
                    () -> caller.publish(id, staging, link, Caller.WRITER));
            refused(Status.Code.FAILED_PRECONDITION, "symbolic link", () -> caller.unpublish(id, link));
            Path file = Files.writeString(served.target("file"), "precious");
            refused(
                    Status.Code.FAILED_PRECONDITION,
                    file.toString(),
                    () -> caller.publish(id, staging, file, Caller.WRITER));
            assertEquals("precious", Files.readString(file));
            assertTrue(Files.isDirectory(canary));
            assertEquals(1, new Ground(directory).mounted().size());
        }
    }

    /** An agent's volume root, bound onto itself on a machine whose root is shared. */
    @ParameterizedTest
    @EnumSource
    void mountsThatSpreadAreCountedOnceAndGoTogether(VolumeType type) throws Exception {
        Mounts mounts = Mounts.linux();
        mounts.bind(directory, directory);
        mounts.spread(directory, Mounts.Spread.SHARED);
        Path root = Files.createDirectory(directory.resolve("root"));
        mounts.bind(root, root);
        Path staging = Files.createDirectory(root.resolve("staging"));
        Path target = root.resolve("target");
        try (Served served = new Served(directory)) {
            Caller caller = served.caller();
            String id = caller.create("v", type, type.least());
            caller.stage(id, staging, Caller.writer(type));
            caller.publish(id, staging, target, Caller.writer(type));
            assertEquals(
                    type == VolumeType.BLOCK ? 4 : 6,
                    new Ground(directory).mounted().size());
            caller.publish(id, staging, target, Caller.writer(type));
            caller.unpublish(id, target);
            caller.unstage(id, staging);
            caller.delete(id);
        }
        assertEquals(List.of(directory.toString(), root.toString()), new Ground(directory).mounted());
    }

    @Test
    void callsOutOfOrderAreRefusedWhenTheLifeCycleIsChecked() throws Exception {
        try (Served served = new Served(directory, "--check-lifecycle")) {
            Caller caller = served.caller();
            Path staging = served.staging("v");
            Path target = served.target("v");
            String id = caller.create("v", VolumeType.DIRECTORY, 0);
            refused(
                    Status.Code.FAILED_PRECONDITION,
                    "ControllerPublishVolume comes first",
                    () -> caller.stage(id, staging, Caller.WRITER));
            caller.attach(id, Caller.WRITER, false);
            refused(
                    Status.Code.FAILED_PRECONDITION,
                    "is not staged",
                    () -> caller.publish(id, staging, target, Caller.WRITER));
            caller.stage(id, staging, Caller.WRITER);
            refused(Status.Code.FAILED_PRECONDITION, "NodeUnstageVolume comes first", () -> caller.detach(id));
            caller.publish(id, staging, target, Caller.WRITER);
            refused(Status.Code.FAILED_PRECONDITION, target.toString(), () -> caller.unstage(id, staging));
            refused(Status.Code.FAILED_PRECONDITION, "attached", () -> caller.delete(id));
        }
    }

    @Test
    void exclusiveModesKeepASecondNodeOut() throws Exception {
        try (Served served = new Served(directory)) {
            Caller caller = served.caller();
            Pool.open(directory.resolve("pool"), Optional.of("n2"), new FakeTime(), Ids.random());
            String single = caller.create("single", VolumeType.DIRECTORY, 0);
            caller.attach(single, Caller.WRITER, false);
            refused(
                    Status.Code.FAILED_PRECONDITION,
                    "node n1",
                    () -> caller.attach(single, "n2", Caller.WRITER, false));
            refused(Status.Code.NOT_FOUND, "'n3'", () -> caller.attach(single, "n3", Caller.WRITER, false));
            refused(Status.Code.ALREADY_EXISTS, "read-only", () -> caller.attach(single, Caller.WRITER, true));
            String shared = caller.create("shared", VolumeType.DIRECTORY, 0);
            caller.attach(shared, Caller.SHARED, false);
            caller.attach(shared, "n2", Caller.SHARED, false);
            VolumeCapability oneWriter = AccessTest.mount(Mode.MULTI_NODE_SINGLE_WRITER, "");
            String written = caller.create("written", VolumeType.DIRECTORY, 0);
            caller.attach(written, oneWriter, false);
            refused(
                    Status.Code.FAILED_PRECONDITION,
                    "one writer",
                    () -> caller.attach(written, "n2", oneWriter, false));
            assertEquals(
                    List.of(List.of("n1"), List.of("n1", "n2"), List.of("n1")),
                    caller.controller().listVolumes(ListVolumesRequest.getDefaultInstance()).getEntriesList().stream()
                            .map(e -> List.copyOf(e.getStatus().getPublishedNodeIdsList()))
                            .toList());
        }
    }

    @Test
    void whatCannotBeCreatedIsRefusedWithAllItsFaults() throws Exception {
        try (Served served = new Served(directory, "--capacity=" + 64 * Sizes.MIB)) {
            Caller caller = served.caller();
            refused(
                    Status.Code.INVALID_ARGUMENT,
                    "unknown parameters: colour, shape; known are: type (directory, ext4, xfs, btrfs, block)",
                    () -> caller.controller()
                            .createVolume(Caller.createRequest("v", VolumeType.EXT4, 0).toBuilder()
                                    .putParameters("shape", "round")
                                    .putParameters("colour", "red")
                                    .build()));
            String id = caller.create("v", VolumeType.EXT4, 32 * Sizes.MIB);
            refused(Status.Code.ALREADY_EXISTS, id, () -> caller.create("v", VolumeType.EXT4, 33 * Sizes.MIB));
            refused(Status.Code.ALREADY_EXISTS, "of type ext4", () -> caller.create("v", VolumeType.DIRECTORY, 0));
            refused(
                    Status.Code.RESOURCE_EXHAUSTED,
                    "room for 33554432 bytes",
                    () -> caller.create("w", VolumeType.EXT4, 33 * Sizes.MIB));
            assertEquals(
                    32 * Sizes.MIB,
                    caller.controller()
                            .getCapacity(GetCapacityRequest.getDefaultInstance())
                            .getAvailableCapacity());
        }
    }

    @Test
    void theCallLogTellsEachCallAndNoSecret() throws Exception {
        try (Served served = new Served(directory)) {
            Path staging = served.staging("v");
            String id = served.caller().create("v", VolumeType.DIRECTORY, 0);
            served.caller().stage(id, staging, Caller.WRITER);
            refused(
                    Status.Code.INVALID_ARGUMENT,
                    "target_path",
                    () -> served.caller().unpublish(id, Path.of("relative")));
            String pid = ",\"pid\":" + ProcessHandle.current().pid() + "}";
            List<String> lines = served.calls();
            assertEquals(3, lines.size(), lines::toString);
            assertTrue(lines.get(0).matches("\\{\"time\":\"[^\"]*Z\",\"method\":\"CreateVolume\".*"));
            assertTrue(lines.get(0).contains("\"volume_id\":\"" + id + "\",\"target\":\"\""));
            assertTrue(lines.get(1)
                    .contains("\"method\":\"NodeStageVolume\",\"volume_id\":\""
                            + id
                            + "\",\"target\":\""
                            + staging
                            + "\",\"code\":\"OK\",\"ms\":"));
            assertTrue(lines.get(2).contains("\"code\":\"INVALID_ARGUMENT\""));
            assertTrue(lines.stream().allMatch(line -> line.endsWith(pid)));
            assertTrue(lines.stream().noneMatch(line -> line.contains("hunter2")));
        }
    }

    @Test
    void jsonStringsAreQuoted() {
        assertEquals("\"a\\\"b\\\\c\\u000a\\ud83d\\ude00ä\"", CallLog.quoted("a\"b\\c\n😀ä"));
    }
}
