package io.cleat.localplugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.DiskTrouble;
import io.cleat.csi.v1.VolumeCapability.AccessMode.Mode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class VolumeFileTest {
    /** What the sample of version 1 says, for ever. */
    private static final Volume SAMPLE =
            new Volume(
                    "0b8a6f1e-3c5d-4e7f-8a9b-0c1d2e3f4a5b",
                    "a name with\nlines, 100 % odd: äöü",
                    VolumeType.EXT4,
                    67108864,
                    1767225600000L,
                    List.of(
                            new Volume.Attachment("node 1", Mode.SINGLE_NODE_WRITER, false),
                            new Volume.Attachment("n2", Mode.MULTI_NODE_READER_ONLY, true)),
                    List.of(
                            new Volume.Staging(
                                    "node 1", "/mnt/stage here", List.of("noatime", "discard"))),
                    List.of(
                            new Volume.Publication(
                                    "node 1", "/mnt/a", Mode.SINGLE_NODE_MULTI_WRITER, true),
                            new Volume.Publication(
                                    "node 1", "/mnt/b", Mode.SINGLE_NODE_MULTI_WRITER, false)));

    private static byte[] sample() throws IOException {
        try (InputStream file = VolumeFileTest.class.getResourceAsStream("/history/volume-1")) {
            return present(file).readAllBytes();
        }
    }

    private static InputStream present(@Nullable InputStream file) {
        if (file == null) {
            throw new AssertionError("the sample is not there");
        }
        return file;
    }

    @Test
    void everyVersionEverWrittenIsRead() throws Exception {
        assertEquals(SAMPLE, VolumeFile.read(sample(), "sample"));
    }

    @Test
    void thePresentVersionIsTheNewestSample() throws Exception {
        assertEquals(
                new String(sample(), StandardCharsets.UTF_8),
                new String(VolumeFile.write(SAMPLE), StandardCharsets.UTF_8));
    }

    @Test
    void aVolumeComesBackAsItWas() throws Exception {
        Volume plain = Volume.created("id", "name", VolumeType.DIRECTORY, 0, 1);
        assertEquals(plain, VolumeFile.read(VolumeFile.write(plain), "file"));
    }

    @Test
    void aTornOrChangedFileIsRefused() throws Exception {
        byte[] whole = VolumeFile.write(SAMPLE);
        for (int length = 0; length < whole.length; length++) {
            byte[] torn = Arrays.copyOf(whole, length);
            assertThrows(DiskTrouble.class, () -> VolumeFile.read(torn, "file"));
        }
        for (int i = 0; i < whole.length; i++) {
            byte[] changed = whole.clone();
            changed[i] ^= 1;
            assertThrows(DiskTrouble.class, () -> VolumeFile.read(changed, "file"));
        }
    }

    @Test
    void aNewerVersionIsRefusedWithItsNumber() {
        byte[] newer = "cleat local volume 7\nwhatever\n".getBytes(StandardCharsets.UTF_8);
        DiskTrouble trouble =
                assertThrows(DiskTrouble.class, () -> VolumeFile.read(newer, "that file"));
        assertTrue(trouble.reason().contains("version 7"), trouble::reason);
        assertTrue(trouble.reason().contains("that file"), trouble::reason);
    }
}
