package io.cleat.agent.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.DiskTrouble;
import io.cleat.model.AccessMode;
import io.cleat.model.AttachmentMode;
import io.cleat.model.Constraint;
import io.cleat.model.HostVolume;
import io.cleat.model.HostVolumeSpec;
import io.cleat.model.VolumeModes;
import io.cleat.testkit.History;
import io.cleat.testkit.HostileFormat;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a node has written down of the host volumes that were made on it. */
class MadeVolumesTest {
    private static final MadeVolumes.Stored ALL =
            new MadeVolumes.Stored(List.of(new MadeVolumes.Made(spec("hv-1", "disk"), "/srv/hv-1", 1L << 30)));

    @TempDir
    Path directory;

    private static HostVolumeSpec spec(String id, String name) {
        return new HostVolumeSpec(
                id,
                "team",
                name,
                "mkdir",
                "n-1",
                "default",
                List.of(new Constraint("${attr.kernel.name}", "=", "linux")),
                List.of(new VolumeModes(AccessMode.SINGLE_NODE_SINGLE_WRITER, AttachmentMode.FILE_SYSTEM)),
                1 << 20,
                1 << 30,
                Map.of("mode", "0750"));
    }

    @Test
    void whatVersion1HasWrittenIsRead() throws Exception {
        byte[] now = MadeVolumes.FORMAT.encode(ALL);
        assertEquals(ALL, MadeVolumes.FORMAT.decode(new History("agent").sample("hvol-1", now)));
    }

    @Test
    void damageIsTrouble() throws Exception {
        HostileFormat.assertDamageIsTrouble(MadeVolumes.FORMAT, MadeVolumes.Stored.class, 300);
        HostileFormat.assertReadsBack(MadeVolumes.FORMAT, MadeVolumes.Stored.class, 300);
    }

    @Test
    void whatIsPutIsThereForTheNextAgent_andGoesWhenRemoved() throws Exception {
        Path file = directory.resolve("host-volumes");
        MadeVolumes made = MadeVolumes.at(file);
        assertEquals(Map.of(), made.told());
        made.put(new MadeVolumes.Made(spec("hv-1", "disk"), "/srv/hv-1", 7));
        made.put(new MadeVolumes.Made(spec("hv-2", "other"), "/srv/hv-2", 0));
        MadeVolumes next = MadeVolumes.at(file);
        assertEquals(
                Map.of(
                        "disk", new HostVolume("hv-1", "/srv/hv-1", false),
                        "other", new HostVolume("hv-2", "/srv/hv-2", false)),
                next.told());
        assertEquals(7, next.named("disk").orElseThrow().capacity());
        next.remove("hv-1");
        assertEquals(Optional.empty(), MadeVolumes.at(file).find("hv-1"));
    }

    @Test
    void aDamagedFileIsNamedWithWhatItHolds() throws Exception {
        Path file = directory.resolve("host-volumes");
        Files.writeString(file, "not it");
        String why = assertThrows(DiskTrouble.class, () -> MadeVolumes.at(file)).reason();
        assertTrue(why.contains(file.toString()) && why.contains("host volumes"), why);
    }
}
