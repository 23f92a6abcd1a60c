package io.cleat.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.DriverTrouble;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskHandle;
import io.cleat.driver.exec.ExecSettings;
import io.cleat.kernel.Mount;
import io.cleat.kernel.MountTable;
import io.cleat.kernel.Mounts;
import io.cleat.model.Resources;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each kind of propagation, proved by mounting on either side and looking from the other. */
@Timeout(120)
class ExecPropagationTest {
    private static final ExecSettings MOUNTING = ExecSettings.allowing(List.of("sys_admin"), false, List.of());

    private final Mounts mounts = Mounts.linux();

    @TempDir
    Path temporary;

    private @Nullable ExecGround made;
    private Path volume = Path.of("/");

    @BeforeEach
    void makeGround() throws Exception {
        ExecGround ground = new ExecGround(temporary, MOUNTING, ExecGround.usualPath());
        made = ground;
        volume = Files.createDirectory(ground.root().resolve("volume"));
        Files.createDirectory(volume.resolve("host"));
        Files.createDirectory(volume.resolve("task"));
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        if (made != null) {
            for (Mount mount : MountTable.readTwice().atOrBelow(volume).reversed()) {
                mounts.unmount(Path.of(mount.target()));
            }
            made.end();
        }
    }

    private ExecGround ground() {
        if (made == null) {
            throw new IllegalStateException("no ground");
        }
        return made;
    }

    private TaskConfig config(String script, boolean readOnly, String propagation) {
        return ground().config(
                        "alloc/web/ffffffff",
                        Map.of("command", "/bin/sh", "args", List.of("-c", script), "cap_add", List.of("sys_admin")),
                        "root",
                        Resources.NONE,
                        List.of(new TaskConfig.TaskMount(volume, "/data", readOnly, propagation)));
    }

    @ParameterizedTest
    @CsvSource({"private,false,false", "host-to-task,true,false", "bidirectional,true,true"})
    void aMountSpreadsAsFarAsItWasAskedFor(String propagation, boolean inwards, boolean outwards) throws Exception {
        mounts.bind(volume, volume);
        TaskHandle task = ground().driver()
                .start(config(
                        "mount -t tmpfs inside /data/task && echo > /local/mounted;"
                                + " while ! test -e /local/go; do sleep 0.02; done;"
                                + " test -e /data/host/file && echo seen; exit 0",
                        false,
                        propagation));
        Path local = ground().root().resolve("task/local");
        Eventually.holds(() -> Files.exists(local.resolve("mounted")), "the task has mounted");
        mounts.mount("outside", volume.resolve("host"), "tmpfs", Set.of(), "");
        Files.writeString(volume.resolve("host/file"), "x");
        assertEquals(outwards, mounts.table().at(volume.resolve("task")).isPresent());
        Files.writeString(local.resolve("go"), "");
        assertTrue(ground().driver().await(task).isSuccess(), ground().output("stderr"));
        assertEquals(inwards ? "seen\n" : "", ground().output("stdout"));
        ground().driver().destroy(task);
        assertTrue(mounts.table().at(volume.resolve("host")).isPresent());
    }

    @Test
    void aSourceThatCannotSpreadIsRefusedAndNotSilentlyUseless() {
        DriverTrouble trouble = assertThrows(
                DriverTrouble.class, () -> ground().driver().start(config("true", false, "bidirectional")));
        assertTrue(trouble.reason().contains("make-shared"), trouble.reason());
    }

    @Test
    void aReadOnlyVolumeIsSoWithAllThatIsMountedInIt() throws Exception {
        mounts.mount("inner", volume.resolve("host"), "tmpfs", Set.of(), "");
        TaskHandle task = ground().driver()
                .start(config("touch /data/x /data/host/x 2>/dev/null && exit 1; test -d /data/host", true, "private"));
        assertTrue(ground().driver().await(task).isSuccess());
        ground().driver().destroy(task);
    }

    private TaskConfig helper(String script, List<TaskConfig.TaskMount> pluginVolumes) {
        TaskConfig plain = ground().config(
                        "alloc/web/ffffffff",
                        Map.of(
                                "command",
                                "/bin/sh",
                                "args",
                                List.of("-c", script),
                                "cap_add",
                                List.of("sys_admin"),
                                "plugin_volumes",
                                true),
                        "root",
                        Resources.NONE,
                        List.of());
        return new TaskConfig(
                plain.id(),
                plain.allocId(),
                plain.task(),
                plain.config(),
                plain.env(),
                plain.user(),
                plain.ownUser(),
                plain.resources(),
                plain.allocDir(),
                plain.taskDir(),
                plain.mounts(),
                pluginVolumes,
                plain.ports(),
                plain.logs());
    }

    private static TaskConfig.TaskMount shown(Path from) {
        return new TaskConfig.TaskMount(from, "/local/csi", false, "bidirectional");
    }

    /** As with the drivers whose mounts are made, and held, by a program beside them. */
    @Test
    void whatAHelperMountsForItsPlugin_isSeenByThePluginAndTheHost() throws Exception {
        mounts.bind(volume, volume);
        TaskConfig waits = ground().config(
                        "alloc/web/eeeeeeee",
                        Map.of(
                                "command",
                                "/bin/sh",
                                "args",
                                List.of(
                                        "-c",
                                        "while ! test -e /local/csi/task/by-helper; do sleep 0.02; done; echo seen")),
                        "root",
                        Resources.NONE,
                        List.of(shown(volume)));
        TaskHandle plugin = ground().driver().start(waits);
        TaskHandle helper = ground().driver()
                .start(helper(
                        "mount -t tmpfs inside /local/csi/task && touch /local/csi/task/by-helper",
                        List.of(shown(volume))));
        assertTrue(ground().driver().await(helper).isSuccess(), ground().output("stderr"));
        assertTrue(ground().driver().await(plugin).isSuccess(), ground().output("stderr"));
        assertEquals("seen\n", ground().output("stdout"));
        assertTrue(mounts.table().at(volume.resolve("task")).isPresent());
        ground().driver().destroy(plugin);
        ground().driver().destroy(helper);
    }

    @Test
    void aHelperWithoutAPluginBesideIt_isRefusedWithTheReason() {
        refused(List.of(), "no other task of its group");
    }

    @Test
    void aHelperOfTwoPluginsWithTheirVolumesAtOnePlace_isRefusedWithTheReason() {
        refused(List.of(shown(volume), shown(volume.resolve("host"))), "a stage_publish_base_dir of its own");
    }

    private void refused(List<TaskConfig.TaskMount> pluginVolumes, String why) {
        DriverTrouble trouble =
                assertThrows(DriverTrouble.class, () -> ground().driver().start(helper(":", pluginVolumes)));
        assertTrue(trouble.reason().contains(why), trouble.reason());
    }
}
