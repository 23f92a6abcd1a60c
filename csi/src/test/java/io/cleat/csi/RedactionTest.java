package io.cleat.csi;

import static io.cleat.testkit.Behaviour.refuse;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Secrets;
import io.cleat.csi.v1.NodeStageVolumeRequest;
import io.grpc.Status.Code;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Secrets, publish contexts and mount flags reach the plugin and nothing else. */
final class RedactionTest {
    private static final String SECRET = "hunter2-secret";
    private static final String CONTEXT = "chap-context";
    private static final String FLAG = "password=flagged";

    @TempDir
    private Path dir;

    private static NodeStaging staging() {
        return new NodeStaging(
                PluginRig.VOLUME,
                PublishContext.of(Map.of("chap", CONTEXT)),
                "/stage",
                new VolumeUse(AccessType.mount("ext4", MountFlags.of(List.of(FLAG))), AccessMode.SINGLE_NODE_WRITER),
                Secrets.of(Map.of("key", SECRET)),
                Map.of("public", "value"));
    }

    private static void assertHidden(String text) {
        assertFalse(text.contains(SECRET), text);
        assertFalse(text.contains(CONTEXT), text);
        assertFalse(text.contains(FLAG), text);
    }

    @Test
    void requestsPrintWithoutThem() {
        String text = staging().toString();
        assertHidden(text);
        assertTrue(text.contains("[REDACTED]"), text);
        assertTrue(text.contains("ext4"), text);
        assertHidden(
                new ControllerPublication("v", "n", staging().use(), false, Secrets.of(Map.of("key", SECRET)), Map.of())
                        .toString());
    }

    @Test
    void thePluginGetsThemWhole() throws Exception {
        try (PluginRig rig = new PluginRig(dir)) {
            rig.channel.node().stage(staging(), PluginRig.minute());
            NodeStageVolumeRequest got =
                    (NodeStageVolumeRequest) rig.plugin.calls().getFirst().request();
            assertEquals(Map.of("key", SECRET), got.getSecretsMap());
            assertEquals(Map.of("chap", CONTEXT), got.getPublishContextMap());
            assertEquals(List.of(FLAG), got.getVolumeCapability().getMount().getMountFlagsList());
        }
    }

    @Test
    void aPluginThatRepeatsThemInItsErrorIsCleaned() throws Exception {
        try (PluginRig rig = new PluginRig(dir)) {
            rig.plugin.script(
                    "NodeStageVolume",
                    refuse(Code.INVALID_ARGUMENT, "login with " + SECRET + " over " + CONTEXT + ", mount -o " + FLAG));
            CsiTrouble trouble =
                    assertThrows(CsiRejected.class, () -> rig.channel.node().stage(staging(), PluginRig.minute()));
            StringWriter all = new StringWriter();
            trouble.printStackTrace(new PrintWriter(all));
            assertHidden(all.toString());
            assertHidden(trouble.words());
            assertHidden(rig.tries.toString());
            assertEquals("login with [REDACTED] over [REDACTED], mount -o [REDACTED]", trouble.words());
        }
    }

    /** What broke may say more than what is shown of it. */
    @Test
    void aCauseIsKeptOnlyWhereNothingIsHidden() throws Exception {
        try (PluginRig rig = new PluginRig(dir)) {
            rig.plugin.crash();
            CsiTrouble open = assertThrows(CsiUnavailable.class, rig::stage);
            assertNotNull(open.getCause());
            CsiTrouble hiding =
                    assertThrows(CsiUnavailable.class, () -> rig.channel.node().stage(staging(), PluginRig.minute()));
            assertNull(hiding.getCause());
        }
    }
}
