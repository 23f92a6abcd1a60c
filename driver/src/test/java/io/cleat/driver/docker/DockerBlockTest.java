package io.cleat.driver.docker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.driver.docker.DockerSettings.Allowed;
import io.cleat.driver.registry.ImageName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a docker task's block may say, and what is wrong with the rest. */
class DockerBlockTest {
    private static final DockerSettings STRICT = DockerSettings.STRICT;
    private static final DockerSettings LENIENT = new DockerSettings(
            STRICT.socket(),
            new Allowed(true, Set.of("net_admin"), List.of(Path.of("/srv")), true, true, List.of(Path.of("/dev"))),
            Optional.empty(),
            "",
            STRICT.pullIdle(),
            STRICT.imageDelay(),
            STRICT.strayGrace());

    private static List<String> faults(DockerSettings settings, String key, Object value) {
        Map<String, Object> block = new HashMap<>(Map.of("image", "redis:7"));
        block.put(key, value);
        return DockerBlock.read(block, settings).faults();
    }

    @Test
    void aBlockIsReadWhole() {
        DockerBlock.Reading reading = DockerBlock.read(
                Map.ofEntries(
                        Map.entry("image", "registry.example:5000/team/app:1.2"),
                        Map.entry("command", "run"),
                        Map.entry("args", List.of("-v")),
                        Map.entry("entrypoint", List.of("/init")),
                        Map.entry("labels", List.of(Map.of("team", "x"))),
                        Map.entry("volumes", List.of("local/data:/data:ro")),
                        Map.entry("tmpfs", List.of("/scratch")),
                        Map.entry("ulimit", Map.of("nofile", "1024:4096")),
                        Map.entry("cap_drop", List.of("CAP_CHOWN")),
                        Map.entry("init", true),
                        Map.entry("image_pull_timeout", "1m30s"),
                        Map.entry("network_mode", "host")),
                STRICT);
        assertEquals(List.of(), reading.faults());
        DockerBlock block = reading.block();
        assertEquals("registry.example:5000", block.image().orElseThrow().registry());
        assertEquals(List.of("run", "-v"), block.command());
        assertEquals(
                List.of(new BlockMount.Own("local/data", "/data", true), new BlockMount.Memory("/scratch", 0, 0)),
                block.mounts());
        assertEquals(
                Map.of("nofile", new BlockRights.Ulimit(1024, 4096)),
                block.rights().ulimits());
        assertEquals(Set.of("chown"), block.rights().capDrop());
        assertEquals(Duration.ofSeconds(90), block.pulling().timeout());
        assertEquals(Optional.of(true), block.shape().init());
    }

    @Test
    void whatANodeMustLetInFirstIsRefusedWithTheFlag() {
        Map<String, Map.Entry<Object, String>> cases = Map.of(
                "privileged", Map.entry(true, "-docker-allow-privileged"),
                "cap_add", Map.entry(List.of("net_admin"), "-docker-allow-cap"),
                "volumes", Map.entry(List.of("/srv/x:/x"), "-docker-allow-path"),
                "mounts",
                        Map.entry(
                                List.of(Map.of("type", "volume", "source", "v", "target", "/v")),
                                "-docker-allow-volumes"),
                "pid_mode", Map.entry("host", "-docker-allow-host-namespaces"),
                "devices", Map.entry(List.of(Map.of("host_path", "/dev/fuse")), "-docker-allow-device"),
                "security_opt", Map.entry(List.of("seccomp=unconfined"), "-docker-allow-privileged"));
        cases.forEach((key, each) -> {
            List<String> strict = faults(STRICT, key, each.getKey());
            assertEquals(1, strict.size(), key + strict);
            assertTrue(strict.getFirst().contains(each.getValue()), strict.getFirst());
            assertEquals(List.of(), faults(LENIENT, key, each.getKey()), key);
        });
    }

    @Test
    void whatIsWrongIsSaidWithWhatWasGiven() {
        Map<String, Object> wrong = Map.ofEntries(
                Map.entry("image", "not an image"),
                Map.entry("args", "text"),
                Map.entry("work_dir", "relative"),
                Map.entry("network_mode", "container:x"),
                Map.entry("volumes", List.of("../../etc:/etc")),
                Map.entry("ulimit", Map.of("nofile", "many")),
                Map.entry("shm_size", -1L),
                Map.entry("init", "yes"),
                Map.entry("image_pull_timeout", "soon"),
                Map.entry("ports", "http"),
                Map.entry("port_map", Map.of("http", 80L)),
                Map.entry("labels", Map.of("io.cleat.node", "x")),
                Map.entry("auth", Map.of("username", "ann")),
                Map.entry("mounts", List.of(Map.of("type", "npipe", "target", "/x"))),
                Map.entry("tmpfs", List.of("/x:size=1m")),
                Map.entry("nonsense", 1L));
        wrong.forEach((key, value) -> {
            List<String> faults = faults(STRICT, key, value);
            assertEquals(1, faults.size(), key + faults);
        });
        assertTrue(faults(STRICT, "nonsense", 1L).getFirst().contains("readonly_rootfs"));
        assertEquals(
                List.of("config needs an image, such as image = \"redis:7\""),
                DockerBlock.read(Map.of(), STRICT).faults());
    }

    @Test
    void aNameOfAnImageIsReadAsEnginesReadIt() {
        assertEquals(new ImageName("redis", "latest", ""), ImageName.of("redis").orElseThrow());
        assertTrue(ImageName.of("redis").orElseThrow().moves());
        ImageName digest =
                ImageName.of("registry.example/a/b@sha256:" + "0".repeat(64)).orElseThrow();
        assertEquals("registry.example", digest.registry());
        assertEquals("sha256:" + "0".repeat(64), digest.pulled());
        assertTrue(ImageName.of("host:5000/app").orElseThrow().registry().equals("host:5000"));
        for (String none : List.of("", " ", "a b", "a:b:c", "-x", "a@b", "a:")) {
            assertEquals(Optional.empty(), ImageName.of(none), none);
        }
    }
}
