package io.cleat.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CallLogTest {
    private static final String STAGE = """
            {"time":"2026-11-21T06:47:21.610Z","method":"NodeStageVolume","volume_id":"9f","target":"/s","code":"OK","ms":48,"pid":4711}
            """;
    private static final String REFUSED = """
            {"time":"2026-11-21T06:47:22.000Z","method":"NodeStageVolume","volume_id":"9f","target":"/s","code":"ABORTED","ms":1,"pid":4711}
            """;

    @TempDir
    Path directory;

    @Test
    void aLineIsACall() throws Exception {
        assertEquals(
                List.of(new CallLog.Call(
                        Instant.parse("2026-11-21T06:47:21.610Z"), "NodeStageVolume", "9f", "/s", "OK", 4711)),
                CallLog.parse(STAGE));
    }

    @Test
    void aLineThatIsBeingWrittenIsNotRead() throws Exception {
        assertEquals(1, CallLog.parse(STAGE + "{\"time\":").size());
    }

    @Test
    void whatIsNoJsonFails() {
        assertThrows(CheckFailed.class, () -> CallLog.parse("hello\n"));
    }

    @Test
    void onlyCallsThatSucceededAreCounted() throws Exception {
        CallLog log = new CallLog(directory.resolve("calls"));
        Files.writeString(log.file(), STAGE + REFUSED);
        log.exactly(1, "NodeStageVolume", "9f");
        assertEquals(1, log.after(1).size());
        assertThrows(CheckFailed.class, () -> log.exactly(2, "NodeStageVolume", "9f"));
        assertThrows(CheckFailed.class, () -> log.exactly(1, "NodeStageVolume", "other"));
    }

    @Test
    void whoMayOnlyAskDoesNothingElse() throws Exception {
        CallLog log = new CallLog(directory.resolve("calls"));
        String probe = STAGE.replace("NodeStageVolume", "Probe");
        Files.writeString(log.file(), STAGE + probe);
        assertEquals("Probe", CallLog.methods(log.onlyAsked(1, 12L, 4711L)));
        assertThrows(CheckFailed.class, () -> log.onlyAsked(1, 12L));
        assertThrows(CheckFailed.class, () -> log.onlyAsked(0, 4711L));
    }

    @Test
    void askingChangesNothing() {
        for (String method : List.of(
                "Probe",
                "GetPluginInfo",
                "GetPluginCapabilities",
                "NodeGetInfo",
                "NodeGetCapabilities",
                "ControllerGetCapabilities")) {
            assertTrue(call(method).isAsking(), method);
        }
        for (String method : List.of("NodeStageVolume", "ControllerGetVolume", "ListVolumes", "GetCapacity")) {
            assertFalse(call(method).isAsking(), method);
        }
    }

    private static CallLog.Call call(String method) {
        return new CallLog.Call(Instant.EPOCH, method, "", "", "OK", 1);
    }
}
