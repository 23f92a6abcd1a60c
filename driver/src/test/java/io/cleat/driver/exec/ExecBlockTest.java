package io.cleat.driver.exec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExecBlockTest {
    private static final ExecSettings SETTINGS =
            ExecSettings.allowing(List.of(), false, List.of(Path.of("/srv")));

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
        for (Object value :
                List.of(
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
            boolean isFree =
                    (key.equals("args") && value.equals(List.of("/srv/../etc")))
                            || (key.equals("plugin_volumes") && value.equals(true));
            assertEquals(isFree, ExecBlock.faults(config, SETTINGS).isEmpty(), key + "=" + value);
            ExecBlock.of(config);
        }
    }

    @Test
    void aPathThatIsAllowed_isNone() {
        assertEquals(
                List.of(),
                ExecBlock.faults(
                        Map.of("command", "sh", "host_paths", List.of("/srv/a b")), SETTINGS));
        assertFalse(
                ExecBlock.faults(Map.of("command", "sh", "host_paths", List.of("/srvx")), SETTINGS)
                        .isEmpty());
    }
}
