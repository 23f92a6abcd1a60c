package io.cleat.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    /** Of the volume, of the request, of both together. */
    @ParameterizedTest
    @CsvSource({
        "ext4, noatime, '', '', ext4, noatime",
        "ext4, noatime, xfs, '', xfs, noatime",
        "ext4, noatime, '', ro, ext4, ro",
        "ext4, noatime, '', none, ext4, ''",
        "'', '', ext4, ro, ext4, ro",
        "'', '', '', '', '', ''",
    })
    void theRequestsOptionsWin(
            String fsType,
            String flags,
            String requestedType,
            String requestedFlags,
            String thenType,
            String thenFlags) {
        MountOptions both = options(fsType, flags).overlaidBy(options(requestedType, requestedFlags));
        assertEquals(thenType, both.fsType());
        assertEquals(options("", thenFlags).flags(), both.flags());
    }

    private static MountOptions options(String fsType, String flags) {
        return switch (flags) {
            case "" -> new MountOptions(fsType, List.of());
            case "none" -> new MountOptions(fsType, List.of(), true);
            default -> new MountOptions(fsType, List.of(flags));
        };
    }
}
