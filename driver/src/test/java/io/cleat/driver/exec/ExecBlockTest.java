package io.cleat.driver.exec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExecBlockTest {
    private static final ExecSettings SETTINGS = ExecSettings.allowing(List.of(), false, List.of(Path.of("/srv")));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "command",
                "args",
                "work_dir",
                "cap_add",
                "cap_drop",
                "pid_mode",
                "ipc_mode",
                "host_paths",
                "plugin_volumes",
                "other"
            })
    void aHostileValueOfAnyKey_isAFaultAndReadsWithoutOne(String key) {
        for (Object value : List.of(
                5L,
                true,
                1e308,
                Map.of(),
                Map.of("a", List.of()),
                List.of(5L),
                List.of(List.of("a")),
                "/a\0b",
                List.of("/srv/\0"),
                List.of("/srv/../etc"))) {
            Map<String, Object> config = new HashMap<>(Map.of("command", "/bin/true"));
            config.put(key, value);
            boolean isFree = (key.equals("args") && value.equals(List.of("/srv/../etc")))
                    || (key.equals("plugin_volumes") && value.equals(true));
            assertEquals(isFree, ExecBlock.faults(config, SETTINGS).isEmpty(), key + "=" + value);
            ExecBlock.of(config);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"image", "entrypoint", "auth", "force_pull", "image_pull_timeout", "command"})
    void aHostileValueOfAKeyOfImages_isAFaultAndReadsWithoutOne(String key) {
        for (Object value : List.of(5L, 1e308, Map.of("a", List.of()), List.of(5L), "/a\0b", "", "../x", "A B")) {
            Map<String, Object> config = new HashMap<>(Map.of("image", "redis:7"));
            config.put(key, value);
            boolean isFree = key.equals("command") && (value.equals("../x") || value.equals("A B"));
            assertEquals(isFree, ExecBlock.faults(config, SETTINGS).isEmpty(), key + "=" + value);
            ExecBlock.of(config);
        }
    }

    @Test
    void anImageIsANameOrAPathThatIsAllowed() {
        ExecSettings settings = SETTINGS.withImages(List.of(Path.of("/srv/images")));
        for (String image : List.of(
                "redis",
                "host:5000/a/b:1.2",
                "a@sha256:" + "0".repeat(64),
                "local/a.tar",
                "/local/a.tar",
                "/alloc/data/a",
                "/srv/images/a.tar")) {
            assertEquals(List.of(), ExecBlock.faults(Map.of("image", image), settings), image);
        }
        for (String image : List.of(
                "local/../secrets/a",
                "local//a",
                "/alloc/../a",
                "/srv/images/../a",
                "/srv/image",
                "/etc/passwd",
                "a:b:c",
                "a b")) {
            List<String> faults = ExecBlock.faults(Map.of("image", image), settings);
            assertEquals(1, faults.size(), image + " " + faults);
            assertTrue(faults.getFirst().startsWith("image "), faults.getFirst());
        }
        List<String> lonely = ExecBlock.faults(Map.of("command", "a", "entrypoint", List.of("a")), settings);
        assertEquals(List.of("entrypoint is for a task with an image: give one, or leave it out"), lonely);
    }

    @Test
    void aPathThatIsAllowed_isNone() {
        assertEquals(List.of(), ExecBlock.faults(Map.of("command", "sh", "host_paths", List.of("/srv/a b")), SETTINGS));
        assertFalse(ExecBlock.faults(Map.of("command", "sh", "host_paths", List.of("/srvx")), SETTINGS)
                .isEmpty());
    }
}
