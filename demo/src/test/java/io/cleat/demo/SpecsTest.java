package io.cleat.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.CsiVolume;
import io.cleat.api.Job;
import io.cleat.api.Json;
import io.cleat.api.TaskGroup;
import io.cleat.jobspec.hcl.Variables;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class SpecsTest {
    @Test
    void theExamplesAreJobsWithoutFaults() {
        for (String name : List.of("counter", "second-writer", "shared", "copy", "writer")) {
            Job job = Specs.job(name, Variables.none());
            assertEquals(name, job.ID());
            assertEquals("service", job.Type());
        }
        assertEquals(
                "local-plugin",
                Specs.job(
                                "plugin",
                                Variables.none()
                                        .withFlag("launcher", "/opt/cleat/cleat")
                                        .withFlag("pool", "/p"))
                        .ID());
    }

    @Test
    void theScriptReachesTheShellAsItIsWritten() {
        String config = Json.text(Specs.job("counter", Variables.none()).TaskGroups());
        assertTrue(config.contains("$CLEAT_VOLUME_data/numbers"), config);
        assertTrue(config.contains("n=$((n + 1))"), config);
    }

    @Test
    void underDockerTheShellIsTheEntrypointOfAContainerWithoutANetwork() {
        OurImage image = new OurImage(new ContainerEngine(Path.of("/e.sock")), "localhost/cleat-demo:1");
        String job = Json.text(image.in(Specs.job("shared", Variables.none())));
        assertTrue(job.contains("\"entrypoint\":[\"/bin/sh\"]"), job);
        assertTrue(job.contains("\"image\":\"localhost/cleat-demo:1\""), job);
        assertTrue(job.contains("\"network_mode\":\"none\""), job);
        assertFalse(job.contains("\"command\""), job);
        assertEquals(List.of("-plugin-image=localhost/cleat-demo:1", "-docker-socket=/e.sock"), image.flags());
    }

    @Test
    void theNumberOfSharersCanBeChosen() {
        assertEquals(2, count(Specs.job("shared", Variables.none())));
        assertEquals(1, count(Specs.job("shared", Variables.none().withFlag("count", "1"))));
    }

    @Test
    void theVolumesAreOfTheBundledPlugin() {
        for (String id : List.of(MakeVolumes.COUNTER, MakeVolumes.SHARED, "counter-copy", "growing-data")) {
            CsiVolume volume = Specs.volume(id, Variables.none());
            assertEquals(id, volume.ID());
            assertEquals("local", volume.PluginID());
        }
        assertEquals(
                64L << 20, Specs.volume(MakeVolumes.COUNTER, Variables.none()).RequestedCapacityMin());
        assertEquals(
                640L << 20,
                Specs.volume("growing-data", Variables.none().withFlag("capacity", "640MiB"))
                        .RequestedCapacityMin());
    }

    private static int count(Job job) {
        List<TaskGroup> groups = job.TaskGroups();
        assertNotNull(groups);
        Integer count = groups.getFirst().Count();
        assertNotNull(count);
        return count;
    }
}
