package io.cleat.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.cli.Failure;
import io.cleat.model.DriverFacts;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PluginDriverTest {
    private static final DriverFacts WORKS =
            new DriverFacts(true, true, "Healthy", Map.of("driver.exec.runtime", "/usr/sbin/runc"), Instant.EPOCH);
    private static final DriverFacts ENGINE =
            new DriverFacts(true, true, "Healthy", Map.of("driver.docker.engine", "Podman Engine"), Instant.EPOCH);
    private static final DriverFacts FAILS =
            new DriverFacts(false, false, "no OCI runtime works here: bad", Map.of(), Instant.EPOCH);

    @Test
    void itIsExecWhereThatWorksAndSaysWhyWhereNot() throws Exception {
        assertEquals(
                new PluginDriver("exec", "in a container made by /usr/sbin/runc"),
                PluginDriver.choose(Optional.empty(), _ -> WORKS));
        assertEquals(
                new PluginDriver("raw_exec", "no OCI runtime works here: bad"),
                PluginDriver.choose(Optional.empty(), _ -> FAILS));
    }

    @Test
    void whatWasAskedForIsTakenOrRefused() throws Exception {
        assertEquals(
                "raw_exec",
                PluginDriver.choose(Optional.of("raw_exec"), _ -> WORKS).name());
        assertEquals(
                "exec", PluginDriver.choose(Optional.of("exec"), _ -> WORKS).name());
        assertEquals(
                new PluginDriver("docker", "in a container of Podman Engine"),
                PluginDriver.choose(Optional.of("docker"), name -> name.equals("docker") ? ENGINE : FAILS));
        for (String asked : List.of("exec", "docker")) {
            Failure refused = assertThrows(Failure.class, () -> PluginDriver.choose(Optional.of(asked), _ -> FAILS));
            String words = String.valueOf(refused.getMessage());
            assertTrue(words.contains(asked + " does not work here: "), words);
            assertTrue(words.contains("bad"), words);
        }
        assertThrows(Failure.class, () -> PluginDriver.asked(DevRole.PROGRAM.read(List.of("-plugin-driver=podman"))));
    }

    @Test
    void noPluginRunsUnderNoDriver() throws Exception {
        assertTrue(asked("-plugin-driver=exec").isWanted());
        assertFalse(asked("-no-plugin").isWanted());
        Failure both = assertThrows(Failure.class, () -> asked("-no-plugin", "-plugin-driver=exec"));
        assertTrue(String.valueOf(both.getMessage()).contains("-plugin-driver=exec"), both.getMessage());
    }

    private static DevRole.AskedPlugin asked(String... flags) throws Exception {
        return DevRole.AskedPlugin.read(DevRole.PROGRAM.read(List.of(flags)));
    }
}
