package io.cleat.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ModesTest {
    private static VolumeRequest request(boolean perAlloc) {
        return new VolumeRequest(
                "data",
                "vol",
                false,
                new VolumeModes(AccessMode.SINGLE_NODE_WRITER, AttachmentMode.FILE_SYSTEM),
                MountOptions.NONE,
                perAlloc);
    }

    @Test
    void usageNamesReadOnlyThenAttachmentThenAccess() {
        assertEquals("rw-file-system-single-node-writer", request(false).modes().usage(false));
        assertEquals("ro-file-system-single-node-writer", request(false).modes().usage(true));
    }

    @Test
    void aVolumePerAllocationTakesTheBracketsOfTheAllocation() {
        assertEquals("vol[3]", request(true).volumeFor("web.g[3]"));
        assertEquals("vol", request(false).volumeFor("web.g[3]"));
    }

    @Test
    void wireNamesAreFoundAgain() {
        for (AccessMode mode : AccessMode.values()) {
            assertEquals(Optional.of(mode), WireNamed.find(AccessMode.class, mode.wire()));
        }
        assertEquals(Optional.empty(), WireNamed.find(AccessMode.class, "any"));
    }

    @Test
    void flagsNeverPrint() {
        MountOptions options = new MountOptions("ext4", List.of("password=x"));
        assertFalse(options.toString().contains("password"), options.toString());
    }

    @Test
    void theRequestsOptionsWin() {
        MountOptions volume = new MountOptions("ext4", List.of("noatime"));
        assertEquals(
                new MountOptions("ext4", List.of("ro")),
                volume.overlaidBy(new MountOptions("", List.of("ro"))));
    }
}
