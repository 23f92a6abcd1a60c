package io.cleat.agent.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.agent.volumes.GrantedClaim;
import io.cleat.base.Effect;
import io.cleat.base.Secrets;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.base.Trouble;
import io.cleat.kernel.PathWorkers;
import io.cleat.model.AccessMode;
import io.cleat.model.AttachmentMode;
import io.cleat.model.HostVolume;
import io.cleat.model.HostVolumeSpec;
import io.cleat.model.MountOptions;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeModes;
import io.cleat.testkit.ShimProgram;
import io.cleat.wire.ControllerReply;
import io.cleat.wire.ToServer;
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
import org.junit.jupiter.api.io.TempDir;

/** Host volumes that a node makes, with real directories. */
class HostVolumesTest {
    private static final VolumeModes WRITER =
            new VolumeModes(AccessMode.SINGLE_NODE_WRITER, AttachmentMode.FILE_SYSTEM);

    @TempDir
    Path temporary;

    private Path data;
    private Path root;
    private PathWorkers workers;
    private HostVolumes volumes;
    private final Threads threads = Threads.virtual((where, fault) -> {
        throw new AssertionError(where, fault);
    });
    private Optional<HostVolumes.External> external = Optional.empty();
    private final AtomicInteger changes = new AtomicInteger();

    @BeforeEach
    void start() throws Exception {
        data = Files.createDirectories(temporary.toRealPath().resolve("data"));
        root = Files.createDirectories(data.resolve("host_volumes"));
        workers = new PathWorkers(
                ShimProgram.built(),
                Threads.virtual((where, fault) -> {
                    throw new AssertionError(where, fault);
                }),
                new SystemTime());
        volumes = agent();
    }

    private HostVolumes agent() throws Exception {
        return HostVolumes.at(
                Map.of("named", new HostVolume("", "/srv", true)),
                data,
                data.resolve("file"),
                root,
                external,
                workers,
                threads,
                new SystemTime(),
                changes::incrementAndGet);
    }

    @AfterEach
    void end() {
        workers.close();
    }

    private static HostVolumeSpec spec(String id, String plugin, Map<String, String> parameters) {
        return new HostVolumeSpec(
                id, "default", "disk-" + id, plugin, "n-1", "default", List.of(), List.of(WRITER), 0, 0, parameters);
    }

    private static GrantedClaim claim(String allocId, String id) {
        return new GrantedClaim(
                allocId,
                "data",
                new VolumeId("default", "./host/" + id),
                "./host",
                id,
                false,
                WRITER,
                MountOptions.NONE,
                Map.of(),
                7,
                Secrets.none(),
                Secrets.none());
    }

    private String refused(HostVolumeSpec spec, String path) {
        Trouble trouble = assertThrows(Trouble.class, () -> volumes.make(spec, path));
        assertEquals(Effect.NONE, trouble.effect(), trouble.reason());
        return trouble.reason();
    }

    @Test
    void aDirectoryIsMadeAsItsParametersSay_andGoesWithAllThatIsInIt() throws Exception {
        HostVolumeSpec spec = spec("v1", "mkdir", Map.of("mode", "2750", "uid", "1234", "gid", "5678"));
        Path path = root.resolve("v1");
        assertEquals(new ControllerReply.HostVolumeMade(path.toString(), 0), volumes.make(spec, ""));
        assertEquals(1234, Files.getAttribute(path, "unix:uid"));
        assertEquals(5678, Files.getAttribute(path, "unix:gid"));
        assertEquals(02750, (int) Files.getAttribute(path, "unix:mode") & 07777);
        assertEquals(new HostVolume("v1", path.toString(), false), volumes.get().get("disk-v1"));
        assertEquals("0.0.1", volumes.attributes().get("plugins.host_volume.mkdir.version"));
        Files.createDirectories(path.resolve("a/b"));
        Files.createSymbolicLink(path.resolve("a/link"), Path.of("/etc"));
        // Said twice, also to the next agent, changes nothing.
        volumes = agent();
        volumes.make(spec, "");
        assertTrue(Files.exists(path.resolve("a/b")));
        volumes.delete(spec);
        assertFalse(Files.exists(path));
        assertTrue(Files.exists(Path.of("/etc/passwd")));
        volumes.delete(spec);
        assertEquals(Map.of("named", new HostVolume("", "/srv", true)), volumes.get());
        assertEquals(2, changes.get());
    }

    @Test
    void whatIsNotSaidIsNobodys() throws Exception {
        volumes.make(spec("v1", "mkdir", Map.of()), "");
        assertEquals(65534, Files.getAttribute(root.resolve("v1"), "unix:uid"));
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(root.resolve("v1"))));
    }

    @Test
    void whatCannotBeMadeIsRefused_andNothingIsThere() throws Exception {
        for (Map<String, String> wrong : List.of(
                Map.of("mode", "9999"),
                Map.of("mode", "777777"),
                Map.of("uid", "root"),
                Map.of("gid", "4294967295"),
                Map.of("size", "1"))) {
            assertTrue(refused(spec("v1", "mkdir", wrong), "").contains("mkdir"));
        }
        assertTrue(refused(spec("v1", "other", Map.of()), "").contains("plugin \"other\""));
        assertEquals(
                List.of(), List.of(Optional.ofNullable(root.toFile().list()).orElseThrow()));
    }

    @Test
    void anIdIsADirectoryBelowTheRoot_whateverIsInIt() throws Exception {
        HostVolumeSpec spec = spec("../../out", "mkdir", Map.of());
        volumes.make(spec, "");
        assertEquals(1, Optional.ofNullable(root.toFile().list()).orElseThrow().length);
        volumes.delete(spec);
        assertFalse(Files.exists(temporary.resolve("out")));
    }

    /** The agent died after it was made, and before that was written down. */
    @Test
    void whatWasMadeAndNotWrittenDown_isFoundByTheOrderToDeleteIt() throws Exception {
        Files.createDirectories(root.resolve("v1/data"));
        volumes.delete(spec("v1", "mkdir", Map.of()));
        assertFalse(Files.exists(root.resolve("v1")));
    }

    @Test
    void aDirectoryThatIsThereIsTakenIn_andStaysWhenItIsLetGo() throws Exception {
        Path own = Files.createDirectories(temporary.toRealPath().resolve("srv/disk"));
        HostVolumeSpec spec = spec("v1", "", Map.of());
        volumes.make(spec, own.toString());
        assertEquals(new HostVolume("v1", own.toString(), false), volumes.get().get("disk-v1"));
        volumes.delete(spec);
        assertTrue(Files.exists(own));
        assertFalse(volumes.get().containsKey("disk-v1"));
    }

    /** A server of an older past has no claim of it, and would give the volume to another. */
    @Test
    void whatIsUsedIsToldToAServerThatRecovers() throws Exception {
        volumes.make(spec("v1", "mkdir", Map.of()), "");
        volumes.use(claim("a", "v1"));
        List<ToServer.Held> held = List.of(new ToServer.Held("./host", "v1", "a", "data"));
        assertEquals(held, volumes.held());
        volumes = agent();
        assertEquals(List.of(), volumes.held());
        volumes.found("a", Map.of("data", new VolumeId("default", "./host/v1")));
        assertEquals(held, volumes.held());
        volumes.letGo("a", "data");
        assertEquals(List.of(), volumes.held());
    }

    @Test
    void notEachPathIsTakenIn() throws Exception {
        Path real = temporary.toRealPath();
        Path file = Files.createFile(real.resolve("file"));
        Path link = Files.createSymbolicLink(real.resolve("link"), Path.of("/etc"));
        for (String path : List.of(
                "etc",
                "/etc/../etc",
                real.resolve("none").toString(),
                file.toString(),
                link.toString(),
                data.toString(),
                root.toString(),
                real.toString(),
                "/")) {
            refused(spec("v1", "", Map.of()), path);
        }
        // Over a link: nothing of it is read.
        assertThrows(Trouble.class, () -> volumes.make(spec("v1", "", Map.of()), link + "/ssl"));
    }

    @Test
    void twoOfOneNameAreRefused_alsoOfOneThatTheOperatorNamed() throws Exception {
        volumes.make(spec("v1", "mkdir", Map.of()), "");
        HostVolumeSpec same = new HostVolumeSpec(
                "v2", "default", "disk-v1", "mkdir", "n-1", "default", List.of(), List.of(WRITER), 0, 0, Map.of());
        assertTrue(refused(same, "").contains("\"disk-v1\" already"));
        HostVolumeSpec named = new HostVolumeSpec(
                "v3", "default", "named", "mkdir", "n-1", "default", List.of(), List.of(WRITER), 0, 0, Map.of());
        assertTrue(refused(named, "").contains("\"named\" already"));
    }

    @Test
    void whatAnAllocationUsesIsNotDeleted_untilItLetsGo() throws Exception {
        HostVolumeSpec spec = spec("v1", "mkdir", Map.of());
        volumes.make(spec, "");
        assertEquals(root.resolve("v1"), volumes.use(claim("a1", "v1")).path());
        assertEquals(7, volumes.epoch("a1", "data"));
        assertTrue(
                assertThrows(Trouble.class, () -> volumes.delete(spec)).reason().contains("allocation a1 uses it"));
        assertTrue(Files.exists(root.resolve("v1")));
        volumes.letGo("a1", "data");
        volumes.delete(spec);
        assertThrows(Trouble.class, () -> volumes.use(claim("a1", "v1")));
        assertFalse(volumes.isUsed("a1", "data"));
    }

    /** Of an allocation whose tasks run, without a word of a server. */
    @Test
    void theNextAgentKnowsWhatARunningAllocationHas() throws Exception {
        volumes.make(spec("v1", "mkdir", Map.of()), "");
        volumes = agent();
        volumes.found("a1", Map.of("data", new VolumeId("default", "./host/v1"), "csi", new VolumeId("default", "v2")));
        assertEquals(
                root.resolve("v1"),
                volumes.publication("a1", "data").orElseThrow().path());
        assertFalse(volumes.isUsed("a1", "csi"));
        assertThrows(Trouble.class, () -> volumes.delete(spec("v1", "mkdir", Map.of())));
    }
}
