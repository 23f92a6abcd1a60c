package io.cleat.driverkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.driver.TaskConfig;
import io.cleat.model.DriverFacts;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What people see who start such a program by hand; all else is tested over its protocol. */
class DriverProgramTest {
    private static final class Nothing extends ProcessDriver {
        Nothing() {
            super(Path.of("shim"), new SystemTime());
        }

        @Override
        public String name() {
            return "nothing";
        }

        @Override
        public String version() {
            return "1";
        }

        @Override
        public BlockShape taskConfig() {
            return BlockShape.of(BlockField.text("greeting").required());
        }

        @Override
        public DriverFacts fingerprint() {
            return new DriverFacts(false, false, "", Map.of(), Instant.EPOCH);
        }

        @Override
        protected Program program(TaskConfig task) {
            return new Program(Path.of("/bin/true"), List.of());
        }
    }

    @Test
    void whoeverStartsItByHandIsToldWhatItIs() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = DriverProgram.serve(
                new Nothing(),
                Threads.virtual((where, fault) -> fault.printStackTrace()),
                new SystemTime(),
                Map.of("NOMAD_PLUGIN_MAGIC_COOKIE", "another"),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        assertEquals(2, code);
        assertEquals("", out.toString(StandardCharsets.UTF_8));
        String said = err.toString(StandardCharsets.UTF_8);
        assertTrue(said.contains("the task driver nothing, a plugin"), said);
        assertTrue(said.contains("cleat driver try"), said);
    }

    @Test
    void theFirstLineSaysWhereItIsSpokenTo() {
        assertEquals("1|2|unix|/run/s|grpc|\n", Greeting.line(Path.of("/run/s")));
    }

    @Test
    void itsSettingsAreItsOwnAndTheKits() {
        assertEquals(
                Set.of("directory", "cgroup"),
                new Nothing().settings().spec().getObject().getAttributesMap().keySet());
    }
}
