package io.cleat.localplugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.DiskTrouble;
import io.cleat.csi.v1.VolumeCapability.AccessMode.Mode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class VolumeFileTest {
    private static final VolumeFile FORM = new VolumeFile();

    /** What the sample of version 1 says, for ever. */
    private static final Volume SAMPLE = new Volume(
            "0b8a6f1e-3c5d-4e7f-8a9b-0c1d2e3f4a5b",
            "a name with\nlines, 100 % odd: äöü",
            VolumeType.EXT4,
            1767225600000L,
            Optional.of(new Volume.Source(Volume.Source.Kind.SNAPSHOT, "11111111-2222-3333-4444-555555555555")),
            new Volume.Shape(
                    67108864,
                    true,
                    new TreeMap<>(Map.of("mode", "0770", "read_ahead_kib", "256")),
                    Optional.of(new Volume.Frozen("node 1", "/mnt/stage here"))),
            new Uses(
                    List.of(
                            new Uses.Attachment("node 1", Mode.SINGLE_NODE_WRITER, false),
                            new Uses.Attachment("n2", Mode.MULTI_NODE_READER_ONLY, true)),
                    List.of(new Uses.Staging("node 1", "/mnt/stage here", List.of("noatime", "discard"))),
                    List.of(
                            new Uses.Publication("node 1", "/mnt/a", Mode.SINGLE_NODE_MULTI_WRITER, true),
                            new Uses.Publication("node 1", "/mnt/b", Mode.SINGLE_NODE_MULTI_WRITER, false))));

    private static byte[] sample() throws IOException {
        return Samples.bytes("volume-1", FORM.write(SAMPLE));
    }

    @Test
    void everyVersionEverWrittenIsRead() throws Exception {
        assertEquals(SAMPLE, FORM.read(sample(), "sample"));
    }

    @Test
    void thePresentVersionIsTheNewestSample() throws Exception {
        assertEquals(
                new String(sample(), StandardCharsets.UTF_8), new String(FORM.write(SAMPLE), StandardCharsets.UTF_8));
    }

    @Test
    void aVolumeComesBackAsItWas() throws Exception {
        Volume plain = Volume.created(
                new Kept.Label("id", "name", 1), VolumeType.DIRECTORY, Optional.empty(), Volume.Shape.of(0));
        assertEquals(plain, FORM.read(FORM.write(plain), "file"));
    }

    @Test
    void aTornOrChangedFileIsRefused() throws Exception {
        byte[] whole = FORM.write(SAMPLE);
        for (int length = 0; length < whole.length; length++) {
            byte[] torn = Arrays.copyOf(whole, length);
            assertThrows(DiskTrouble.class, () -> FORM.read(torn, "file"));
        }
        for (int i = 0; i < whole.length; i++) {
            byte[] changed = whole.clone();
            changed[i] ^= 1;
            assertThrows(DiskTrouble.class, () -> FORM.read(changed, "file"));
        }
    }

    @Test
    void aNewerVersionIsRefusedWithItsNumber() {
        byte[] newer = "cleat local volume 7\nwhatever\n".getBytes(StandardCharsets.UTF_8);
        DiskTrouble trouble = assertThrows(DiskTrouble.class, () -> FORM.read(newer, "that file"));
        assertTrue(trouble.reason().contains("version 7"), trouble::reason);
        assertTrue(trouble.reason().contains("that file"), trouble::reason);
    }
}
