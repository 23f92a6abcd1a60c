package io.cleat.agent.volumes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.model.VolumeId;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VolumePathsTest {
    @Test
    void anIdIsOneNameWhateverItIsMadeOf() {
        Map.of(
                        "data-1_a.b", "data-1_a.b",
                        "nfs/fast", "nfs%2Ffast",
                        "a b%", "a%20b%25",
                        "ü", "%C3%BC",
                        ".", "%2E",
                        "..", "%2E.",
                        "...", "...",
                        "plugins", "%70lugins",
                        "plugins2", "plugins2",
                        "", "%")
                .forEach((id, name) -> assertEquals(name, VolumePaths.encoded(id)));
    }

    @Test
    void theRootIsFoundFromThePaths() {
        Path root = Path.of("/v/nfs%2Ffast");
        VolumeId volume = new VolumeId("default", "x/y");
        assertEquals(root, VolumePaths.rootOfStaging(VolumePaths.staging(root, volume)));
        assertEquals(
                root,
                VolumePaths.rootOfTarget(VolumePaths.target(root, Ground.claim("a", "e", Ground.SINGLE, volume))));
    }
}
