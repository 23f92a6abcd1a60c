package io.cleat.csi;

import static io.cleat.testkit.Behaviour.refuse;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Secrets;
import io.cleat.testkit.FakeCsiSetup;
import io.grpc.Status.Code;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Error texts keep the form that people search for. */
final class MessageTest {
    @TempDir
    private Path dir;

    @Test
    void aVolumeThatIsNotThere() throws Exception {
        try (PluginRig rig = new PluginRig(dir)) {
            ValidationOrder order =
                    new ValidationOrder("E", Map.of(), List.of(PluginRig.USE), Map.of(), Secrets.none());
            CsiTrouble trouble = assertThrows(
                    CsiRejected.class, () -> rig.channel.controller().validate(order, PluginRig.minute()));
            assertEquals(
                    "CSI.ControllerValidateVolume: volume \"E\" could not be found:"
                            + " rpc error: code = NotFound desc = no volume E",
                    trouble.reason());
            assertEquals("fake", trouble.plugin());
        }
    }

    /** The name of what was to be made was called missing. */
    @Test
    void aSourceThatIsNotThere_isNamed() throws Exception {
        try (PluginRig rig = new PluginRig(dir, PluginRig.POLICY, FakeCsiSetup.whole())) {
            rig.plugin.script("CreateVolume", refuse(Code.NOT_FOUND, "no such source"));
            rig.plugin.script("CreateSnapshot", refuse(Code.NOT_FOUND, "no such source"));
            assertEquals(
                    "CSI.ControllerCreateVolume: volume \"gone\" could not be found, from which"
                            + " volume \"copy\" is made: rpc error: code = NotFound desc = no such"
                            + " source",
                    createdFrom(rig, new ContentSource.FromVolume("gone")));
            assertEquals(
                    "CSI.ControllerCreateVolume: snapshot \"s-gone\" could not be found, from which"
                            + " volume \"copy\" is made: rpc error: code = NotFound desc = no such"
                            + " source",
                    createdFrom(rig, new ContentSource.FromSnapshot("s-gone")));
            assertEquals(
                    "CSI.ControllerCreateSnapshot: volume \"gone\" could not be found, from which"
                            + " snapshot \"s1\" is made: rpc error: code = NotFound desc = no such"
                            + " source",
                    assertThrows(
                                    CsiRejected.class,
                                    () -> rig.channel
                                            .snapshots()
                                            .create(SnapshotOrder.of("gone", "s1"), PluginRig.minute()))
                            .reason());
        }
    }

    private static String createdFrom(PluginRig rig, ContentSource source) {
        VolumeOrder order = new VolumeOrder(
                "copy",
                new CapacityRange(1 << 20, 0),
                List.of(PluginRig.USE),
                Map.of(),
                Secrets.none(),
                List.of(),
                List.of(),
                source,
                Map.of());
        return assertThrows(CsiRejected.class, () -> rig.channel.controller().create(order, PluginRig.minute()))
                .reason();
    }

    @Test
    void anUnknownEffectSaysWhatToDo() throws Exception {
        try (PluginRig rig = new PluginRig(dir)) {
            rig.plugin.script("NodeStageVolume", refuse(Code.UNAVAILABLE, "try later"));
            CsiTrouble trouble = assertThrows(CsiUnavailable.class, rig::stage);
            assertEquals(
                    "CSI.NodeStageVolume: volume \"ext-v1\": the plugin is not available, plugin"
                            + " \"fake\", 3 tries, whether it took effect is unknown: repeat the"
                            + " same call, or look: rpc error: code = Unavailable desc = try later",
                    trouble.reason());
        }
    }

    @Test
    void nothingListens() throws Exception {
        try (PluginRig rig = new PluginRig(dir)) {
            rig.plugin.crash();
            CsiTrouble trouble = assertThrows(CsiUnavailable.class, rig::stage);
            assertTrue(trouble.reason().contains("the plugin is not there"), trouble.reason());
            assertTrue(trouble.reason().contains("nothing was sent"), trouble.reason());
            assertTrue(trouble.reason().contains("rpc error: code = Unavailable desc = "), trouble.reason());
            assertTrue(trouble.reason().contains("refused"), trouble.reason());
        }
    }

    @Test
    void endlessAndUnprintableWordsAreCut() throws Exception {
        try (PluginRig rig = new PluginRig(dir)) {
            rig.plugin.script("NodeStageVolume", refuse(Code.INVALID_ARGUMENT, "\u001b[31m" + "x".repeat(20_000)));
            CsiTrouble trouble = assertThrows(CsiRejected.class, rig::stage);
            assertTrue(trouble.reason().length() < 2_500, trouble.reason());
            assertFalse(trouble.reason().contains("\u001b"));
        }
    }

    @Test
    void eachTryIsReported() throws Exception {
        try (PluginRig rig = new PluginRig(dir)) {
            rig.plugin.script("NodeStageVolume", refuse(Code.ABORTED, "pending"));
            assertThrows(CsiRejected.class, rig::stage);
            CallTry made = rig.tries.getFirst();
            assertEquals("fake", made.plugin());
            assertEquals("NodeStageVolume", made.call());
            assertEquals("volume \"ext-v1\"", made.subject());
            assertEquals(1, made.number());
            assertEquals(CsiCode.ABORTED, made.code());
            assertTrue(made.took().isPositive());
            assertTrue(
                    made.took().compareTo(Duration.ofMinutes(1)) < 0,
                    made.took().toString());
        }
    }
}
