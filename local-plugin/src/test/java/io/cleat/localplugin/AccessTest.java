package io.cleat.localplugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.csi.v1.VolumeCapability;
import io.cleat.csi.v1.VolumeCapability.AccessMode.Mode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AccessTest {
    static VolumeCapability mount(Mode mode, String fsType, String... flags) {
        return VolumeCapability.newBuilder()
                .setAccessMode(VolumeCapability.AccessMode.newBuilder().setMode(mode))
                .setMount(VolumeCapability.MountVolume.newBuilder()
                        .setFsType(fsType)
                        .addAllMountFlags(List.of(flags)))
                .build();
    }

    static VolumeCapability block(Mode mode) {
        return VolumeCapability.newBuilder()
                .setAccessMode(VolumeCapability.AccessMode.newBuilder().setMode(mode))
                .setBlock(VolumeCapability.BlockVolume.getDefaultInstance())
                .build();
    }

    @Test
    void aDirectoryHasEveryModeAndAnImageThoseOfOneNode() {
        List<Mode> images = new ArrayList<>();
        List<Mode> directories = new ArrayList<>();
        for (Mode mode : Mode.values()) {
            if (Access.faults(VolumeType.EXT4, modeOnly(mode)).isEmpty()) {
                images.add(mode);
            }
            if (Access.faults(VolumeType.DIRECTORY, modeOnly(mode)).isEmpty()) {
                directories.add(mode);
            }
        }
        assertEquals(
                List.of(
                        Mode.SINGLE_NODE_WRITER,
                        Mode.SINGLE_NODE_READER_ONLY,
                        Mode.SINGLE_NODE_SINGLE_WRITER,
                        Mode.SINGLE_NODE_MULTI_WRITER),
                images);
        assertEquals(7, directories.size());
    }

    private static VolumeCapability modeOnly(Mode mode) {
        return mode == Mode.UNRECOGNIZED
                ? mount(Mode.UNKNOWN, "").toBuilder()
                        .setAccessMode(VolumeCapability.AccessMode.newBuilder().setModeValue(99))
                        .build()
                : mount(mode, "");
    }

    @Test
    void onlySharedModesHaveASecondTarget() {
        List<Mode> shared = new ArrayList<>();
        for (Mode mode : Mode.values()) {
            if (Access.allowsSecondTarget(mode)) {
                shared.add(mode);
            }
        }
        assertEquals(
                List.of(
                        Mode.MULTI_NODE_READER_ONLY,
                        Mode.MULTI_NODE_SINGLE_WRITER,
                        Mode.MULTI_NODE_MULTI_WRITER,
                        Mode.SINGLE_NODE_MULTI_WRITER),
                shared);
    }

    @Test
    void fileSystemTypesAreHonoured() {
        assertTrue(ok(VolumeType.EXT4, "ext4"));
        assertTrue(ok(VolumeType.XFS, "xfs"));
        assertFalse(ok(VolumeType.EXT4, "xfs"));
        assertFalse(ok(VolumeType.DIRECTORY, "ext4"));
    }

    private static boolean ok(VolumeType type, String fsType, String... flags) {
        return Access.faults(type, mount(Mode.SINGLE_NODE_WRITER, fsType, flags))
                .isEmpty();
    }

    @Test
    void unknownMountFlagsAreRefusedWithoutRepeatingThem() {
        assertTrue(ok(VolumeType.EXT4, "", "noatime", "discard", "ro"));
        assertTrue(ok(VolumeType.DIRECTORY, "", "ro"));
        List<String> faults =
                Access.faults(VolumeType.DIRECTORY, mount(Mode.SINGLE_NODE_WRITER, "", "password=hunter2"));
        assertEquals(1, faults.size());
        assertFalse(faults.getFirst().contains("hunter2"));
        assertTrue(faults.getFirst().contains("[ro, rw]"));
    }

    @Test
    void aDeviceIsHadOfABlockVolumeAndOnlyOfThat() {
        for (VolumeType type : VolumeType.values()) {
            boolean isBlock = type == VolumeType.BLOCK;
            assertEquals(
                    isBlock, Access.faults(type, block(Mode.SINGLE_NODE_WRITER)).isEmpty(), type.word());
            assertEquals(
                    !isBlock,
                    Access.faults(type, mount(Mode.SINGLE_NODE_WRITER, "")).isEmpty(),
                    type.word());
        }
        assertFalse(Access.faults(VolumeType.BLOCK, block(Mode.MULTI_NODE_MULTI_WRITER))
                .isEmpty());
    }
}
