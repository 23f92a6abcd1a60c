package io.cleat.agent.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Effect;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.base.Trouble;
import io.cleat.kernel.PathWorkers;
import io.cleat.model.AccessMode;
import io.cleat.model.AttachmentMode;
import io.cleat.model.HostVolume;
import io.cleat.model.HostVolumeSpec;
import io.cleat.model.VolumeModes;
import io.cleat.testkit.RunDirectory;
import io.cleat.testkit.ShimProgram;
import io.cleat.wire.ControllerReply;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Programs of a node's operator that make host volumes: small scripts, run by the real shim. */
final class ExternalPluginTest {
    /** It answers as it should, and writes down what it was told. */
    private static final String GOOD = """
            case "$1" in
            fingerprint) echo '{"version":"1.2.3"}' ;;
            create)
              env | sort > "$DHV_PLUGIN_DIR/create.env"
              mkdir -p "$DHV_VOLUMES_DIR/own-$DHV_VOLUME_ID"
              echo "{\\"path\\":\\"$DHV_VOLUMES_DIR/own-$DHV_VOLUME_ID\\",\\"bytes\\":4096}" ;;
            delete)
              env | sort > "$DHV_PLUGIN_DIR/delete.env"
              rm -rf "$DHV_VOLUMES_DIR/own-$DHV_VOLUME_ID" ;;
            esac
            """;

    private final AtomicInteger changes = new AtomicInteger();
    private Path base;
    private Path plugins;
    private Path root;
    private PathWorkers workers;
    private HostVolumes volumes;

    @BeforeEach
    void start() throws Exception {
        base = RunDirectory.make();
        plugins = Files.createDirectory(base.resolve("plugins"));
        root = Files.createDirectories(base.resolve("data/host_volumes"));
        Threads threads = Threads.virtual((where, fault) -> {
            throw new AssertionError(where, fault);
        });
        Path shim = ShimProgram.built();
        workers = new PathWorkers(shim, threads, new SystemTime());
        volumes = HostVolumes.at(
                Map.of(),
                base.resolve("data"),
                base.resolve("file"),
                root,
                Optional.of(new HostVolumes.External(plugins, "node-1", shim)),
                workers,
                threads,
                new SystemTime(),
                changes::incrementAndGet);
    }

    @AfterEach
    void end() {
        workers.close();
    }

    private Path plugin(String name, String script) throws Exception {
        Path file = plugins.resolve(name);
        Files.writeString(file, "#!/bin/sh\n" + script);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        volumes.look();
        return file;
    }

    private static HostVolumeSpec spec(String id, String plugin) {
        return new HostVolumeSpec(
                id,
                "team",
                "disk-" + id,
                plugin,
                "n-1",
                "fast",
                List.of(),
                List.of(new VolumeModes(AccessMode.SINGLE_NODE_WRITER, AttachmentMode.FILE_SYSTEM)),
                10,
                20,
                Map.of("fs", "ext4 \"quoted\""));
    }

    private Trouble failed(String plugin, Effect effect) {
        Trouble trouble = assertThrows(Trouble.class, () -> volumes.make(spec("v1", plugin), ""));
        assertEquals(effect, trouble.effect(), trouble.reason());
        assertEquals(Map.of(), volumes.get());
        return trouble;
    }

    private String told(String verb) throws Exception {
        return Files.readString(plugins.resolve(verb + ".env"));
    }

    @Test
    void aVolumeIsMadeAndDeletedByIt_andTheNodeSaysThatItHasIt() throws Exception {
        plugin("good", GOOD);
        assertEquals("1.2.3", volumes.attributes().get("plugins.host_volume.good.version"));
        assertEquals("0.0.1", volumes.attributes().get("plugins.host_volume.mkdir.version"));
        Path made = root.resolve("own-v1");
        assertEquals(new ControllerReply.HostVolumeMade(made.toString(), 4096), volumes.make(spec("v1", "good"), ""));
        assertEquals(Map.of("disk-v1", new HostVolume("v1", made.toString(), false)), volumes.get());
        assertTrue(Files.isDirectory(made));
        for (String each : List.of(
                "DHV_OPERATION=create",
                "DHV_VOLUMES_DIR=" + root,
                "DHV_PLUGIN_DIR=" + plugins,
                "DHV_NAMESPACE=team",
                "DHV_VOLUME_NAME=disk-v1",
                "DHV_VOLUME_ID=v1",
                "DHV_NODE_ID=node-1",
                "DHV_NODE_POOL=fast",
                "DHV_CAPACITY_MIN_BYTES=10",
                "DHV_CAPACITY_MAX_BYTES=20",
                "DHV_PARAMETERS={\"fs\":\"ext4 \\\"quoted\\\"\"}")) {
            assertTrue(told("create").contains(each + "\n"), told("create"));
        }
        assertFalse(told("create").contains("JAVA"), "nothing of the agent's own environment");
        // Said twice, it is there.
        Files.delete(plugins.resolve("create.env"));
        volumes.make(spec("v1", "good"), "");
        assertFalse(Files.exists(plugins.resolve("create.env")), "it is not called again");
        volumes.delete(spec("v1", "good"));
        assertTrue(told("delete").contains("DHV_CREATED_PATH=" + made + "\n"), told("delete"));
        assertFalse(Files.exists(made));
        volumes.delete(spec("v1", "good"));
        assertEquals(Map.of(), volumes.get());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    echo '{"error":"no space"}'; echo more >&2; exit 4 | create ended with exit code 4: no space
                    echo 'disk is ill' >&2; exit 1 | create ended with exit code 1: disk is ill
                    kill -9 $$ | create ended with exit code 137
                    echo hello | create answered "hello", which is no JSON object
                    true | create answered "", which is no JSON object
                    echo '[]' | which is no JSON object
                    echo '{"bytes":5}' | create gave no text "path" in its answer
                    echo '{"path":"/etc","bytes":-5}' | create gave the size -5
                    echo '{"path":"etc"}' | the path "etc" is not absolute and plain
                    echo '{"path":"/etc/../etc"}' | the path "/etc/../etc" is not absolute and plain
                    echo '{"path":"/nowhere/at/all"}' | /nowhere/at/all is not there
                    echo '{"path":"/etc/passwd"}' | /etc/passwd is no directory
                    echo "{\\"path\\":\\"$DHV_VOLUMES_DIR\\"}" | this agent's data directory
                    ln -sfn /etc "$DHV_VOLUMES_DIR/link"; echo "{\\"path\\":\\"$DHV_VOLUMES_DIR/link\\"}" | link is no directory
                    yes | it printed more than an answer may have
                    """)
    void whatItDoesWrong_isTold_andItIsAskedToUndoIt(String create, String words) throws Exception {
        plugin(
                "bad",
                "case $1 in fingerprint) echo '{\"version\":\"1\"}';;\ncreate) "
                        + create
                        + ";;\ndelete) touch $DHV_PLUGIN_DIR/deleted;; esac\n");
        String reason = failed("bad", Effect.NONE).reason();
        assertTrue(reason.contains(words), reason);
        assertTrue(Files.exists(plugins.resolve("deleted")), "nothing is left of it");
    }

    @Test
    void whatCannotBeUndone_isNotKnown() throws Exception {
        plugin("bad", "[ $1 = fingerprint ] && echo '{\"version\":\"1\"}' && exit\nexit 7\n");
        assertEquals(
                "host volume plugin bad: create ended with exit code 7; and then: host volume"
                        + " plugin bad: delete ended with exit code 7",
                failed("bad", Effect.UNKNOWN).reason());
    }

    @Test
    void twoVolumesAreNeverOneDirectory() throws Exception {
        plugin(
                "same",
                "case $1 in fingerprint) echo '{\"version\":\"1\"}';;\ncreate) mkdir -p"
                        + " $DHV_VOLUMES_DIR/same; echo \"{\\\"path\\\":\\\"$DHV_VOLUMES_DIR/same\\\"}\";;"
                        + " esac\n");
        volumes.make(spec("v1", "same"), "");
        Trouble trouble = assertThrows(Trouble.class, () -> volumes.make(spec("v2", "same"), ""));
        assertTrue(trouble.reason().contains("holds, is or lies in the host volume disk-v1"), trouble.reason());
    }

    @Test
    void onlyWhatIsRootsAlone_isRun() throws Exception {
        Path good = plugin("good", GOOD);
        Path others = plugin("others", GOOD);
        Files.setAttribute(others, "unix:uid", 12345);
        Path open = plugin("open", GOOD);
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxr-x"));
        Files.createSymbolicLink(plugins.resolve("link"), good);
        Path plain = plugin("plain", GOOD);
        Files.setPosixFilePermissions(plain, PosixFilePermissions.fromString("rw-r--r--"));
        plugin("mkdir", GOOD);
        plugin("silent", "exit 1\n");
        plugin("odd", "echo '{\"version\":\"a\\nb\"}'\n");
        Files.createDirectory(plugins.resolve("directory"));
        volumes.look();
        assertEquals(
                Map.of("plugins.host_volume.good.version", "1.2.3", "plugins.host_volume.mkdir.version", "0.0.1"),
                volumes.attributes());
        String reason = failed("open", Effect.NONE).reason();
        assertTrue(reason.contains("it has no host volume plugin \"open\""), reason);
        assertTrue(reason.contains("-host-volume-plugin-dir"), reason);
        // A name is never a path.
        failed("../plugins/good", Effect.NONE);
    }

    @Test
    void aDirectoryThatOthersMayWrite_hasNone() throws Exception {
        plugin("good", GOOD);
        for (Path opened : List.of(plugins, base)) {
            Files.setPosixFilePermissions(opened, PosixFilePermissions.fromString("rwxrwxrwx"));
            volumes.look();
            assertEquals(1, volumes.attributes().size(), opened.toString());
            Files.setPosixFilePermissions(opened, PosixFilePermissions.fromString("rwxr-xr-x"));
            volumes.look();
            assertEquals(2, volumes.attributes().size(), opened.toString());
        }
        Path link = Files.createSymbolicLink(base.resolve("elsewhere"), plugins);
        assertTrue(Files.isDirectory(link));
        Trouble trouble =
                assertThrows(Trouble.class, () -> new PluginFiles(link, workers.of("test"), new SystemTime()).look());
        assertTrue(trouble.reason().contains("is no directory, or a link"), trouble.reason());
    }

    @Test
    void theyComeAndGo_andTheNodeIsToldOfIt() throws Exception {
        Path file = plugin("good", GOOD);
        assertFalse(volumes.look(), "nothing has changed");
        Files.delete(file);
        assertTrue(volumes.look());
        assertEquals(1, volumes.attributes().size());
    }
}
