package io.cleat.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Refused;
import io.cleat.base.Secrets;
import io.cleat.model.JobSpec;
import io.cleat.model.VolumeSpec;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What could not be read back is refused to its caller, and the server starts again after it. */
class ReadBackTest {
    @TempDir
    Path directory;

    private static JobSpec withMeta(JobSpec job, Map<String, String> meta) {
        return new JobSpec(
                job.id(),
                job.name(),
                job.type(),
                job.region(),
                job.nodePool(),
                job.priority(),
                job.allAtOnce(),
                job.datacenters(),
                meta,
                job.constraints(),
                job.groups());
    }

    private static VolumeSpec withContext(VolumeSpec volume, Map<String, String> context) {
        return new VolumeSpec(
                volume.id(),
                volume.name(),
                volume.externalId(),
                volume.pluginId(),
                volume.capabilities(),
                volume.mountOptions(),
                volume.capacityMin(),
                volume.capacityMax(),
                volume.parameters(),
                context,
                volume.topologies(),
                volume.snapshotId(),
                volume.cloneId());
    }

    private static List<Map<String, String>> hostile() {
        Map<String, String> halfName = new LinkedHashMap<>();
        halfName.put("half \udc00", "v");
        return List.of(Map.of("k".repeat(51_948), "v"), Map.of("half", "\ud800"), Map.of("half", "a\udc00b"), halfName);
    }

    @Test
    void aJobThatCouldNotBeReadBackIsRefusedAndTheServerStartsAgain() throws Exception {
        try (ServerWorld world = new ServerWorld(directory)) {
            JobSpec good = Samples.job("web", "data");
            for (Map<String, String> meta : hostile()) {
                Refused refused = assertThrows(
                        Refused.class,
                        () -> world.requests().jobs().register(withMeta(good, meta), null, null, 0, world.asked()));
                assertTrue(
                        refused.refusal().message().contains("read back"),
                        refused.refusal().message());
                assertTrue(
                        refused.refusal().message().contains("meta"),
                        refused.refusal().message());
            }
            Map<String, String> fit = new HashMap<>();
            fit.put("k".repeat(4096), "v");
            fit.put("\uffff", "\ud83d\ude00\u0000");
            world.requests().jobs().register(withMeta(good, fit), null, null, 0, world.asked());
            world.restart();
            assertEquals(fit, world.image().job(good.id()).orElseThrow().spec().meta());
        }
    }

    @Test
    void aVolumeThatCouldNotBeReadBackIsRefusedAndTheServerStartsAgain() throws Exception {
        try (ServerWorld world = new ServerWorld(directory)) {
            VolumeSpec good = Samples.volume("data");
            for (Map<String, String> context : hostile()) {
                assertThrows(
                        Refused.class,
                        () -> world.requests()
                                .volumes()
                                .register(withContext(good, context), Secrets.none(), world.asked()));
                assertThrows(
                        Refused.class,
                        () -> world.requests().volumes().register(good, Secrets.of(context), world.asked()));
            }
            world.restart();
            assertTrue(world.image().volume(good.id()).isEmpty());
        }
    }
}
