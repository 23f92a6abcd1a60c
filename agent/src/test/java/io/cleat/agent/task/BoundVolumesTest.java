package io.cleat.agent.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.kernel.FileWrites.Owner;
import io.cleat.kernel.IdSwap;
import io.cleat.kernel.LoopDevices;
import io.cleat.kernel.Mount;
import io.cleat.kernel.MountTable;
import io.cleat.kernel.Mounts;
import io.cleat.kernel.PathWorkers;
import io.cleat.testkit.ShimProgram;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BoundVolumesTest {
    @TempDir
    Path temporary;

    private Path root;
    private Path taskDir;
    private Path published;
    private Path volumes;
    private Path own;
    private PathWorkers workers;
    private BoundVolumes binds;

    @BeforeEach
    void start() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "bind mounts need root");
        root = temporary.toRealPath().resolve("alloc");
        taskDir = Files.createDirectories(root.resolve("a").resolve("t"));
        volumes = temporary.toRealPath().resolve("csi");
        own = temporary.toRealPath().resolve("held");
        published = Files.createDirectories(volumes.resolve("plugin/published"));
        Files.writeString(published.resolve("file"), "data");
        workers = new PathWorkers(
                ShimProgram.built(),
                Threads.virtual((where, fault) -> {
                    throw new AssertionError(where, fault);
                }),
                new SystemTime());
        Files.createDirectory(own);
        binds = new BoundVolumes(
                new BoundVolumes.Roots(root, own, volumes), workers::of, MountTable::read, new SystemTime());
    }

    @AfterEach
    void nothingIsLeftMounted() throws Exception {
        if (workers != null) {
            binds.unbindAll(taskDir);
            assertTrue(MountTable.readTwice().atOrBelow(root).isEmpty());
            assertTrue(MountTable.readTwice().atOrBelow(own).isEmpty());
            assertFalse(Files.exists(held()), "what was held");
            workers.close();
        }
    }

    private VolumeBinds.Published volume() {
        return new VolumeBinds.Published(published, false);
    }

    private Path held() {
        return binds.held(taskDir, 0);
    }

    private boolean isHeld() throws Exception {
        return MountTable.readTwice().at(held()).isPresent()
                && !binds.holdsOther(new VolumeBinds.Published(published, false), taskDir, 0);
    }

    private void hold(boolean device, Mounts.Spread spread) throws Exception {
        binds.hold(new VolumeBinds.Published(published, device), taskDir, 0, spread, Optional.empty());
    }

    @Test
    void aVolumeIsHeldWhereItsPluginChangesNothing() throws Exception {
        assertFalse(isHeld());
        hold(false, Mounts.Spread.PRIVATE);
        assertTrue(isHeld());
        hold(false, Mounts.Spread.PRIVATE);
        assertTrue(isHeld());
        assertEquals(1, MountTable.readTwice().atOrBelow(own).size());
        assertFalse(held().startsWith(volumes));
        Mount mount = MountTable.readTwice().at(held()).orElseThrow();
        assertTrue(mount.options().containsAll(List.of("nosuid", "nodev")), mount.toString());
        assertFalse(mount.propagation().isShared());
        Files.move(published, volumes.resolve("plugin/aside"));
        Files.createSymbolicLink(published, Path.of("/etc"));
        assertEquals("data", Files.readString(held().resolve("file")));
    }

    /** The task had another directory of the host as its volume, and could write there. */
    @Test
    void aPublishedPathSwappedForALinkIsThePluginsFault() throws Exception {
        Path other = Files.createDirectories(temporary.toRealPath().resolve("other"));
        for (Path swapped : List.of(published, volumes.resolve("plugin"))) {
            Files.move(swapped, swapped.resolveSibling("aside"));
            Files.createSymbolicLink(swapped, other);
            Files.createDirectories(other.resolve("published"));
            KernelTrouble refused = assertThrows(KernelTrouble.class, () -> hold(false, Mounts.Spread.SHARED));
            assertEquals(Effect.NONE, refused.effect());
            assertTrue(refused.reason().contains("plugin \"plugin\""), refused.reason());
            assertThrows(KernelTrouble.class, () -> binds.bind(volume(), taskDir, "/data", false));
            assertTrue(MountTable.readTwice().atOrBelow(own).isEmpty());
            Files.delete(swapped);
            Files.move(swapped.resolveSibling("aside"), swapped);
        }
    }

    /** It is the operator's: nothing is asked of a plugin, and nothing has to be mounted there. */
    @Test
    void aDirectoryOfTheMachineIsShownAsAVolumeIs_butNotThroughALink() throws Exception {
        Path own = Files.createDirectories(temporary.toRealPath().resolve("srv/disk"));
        Files.writeString(own.resolve("file"), "mine");
        VolumeBinds.Published disk = new VolumeBinds.Published(own, false, true);
        assertTrue(binds.isThere(disk));
        binds.hold(disk, taskDir, 0, Mounts.Spread.PRIVATE, Optional.empty());
        assertEquals("mine", Files.readString(held().resolve("file")));
        assertFalse(binds.holdsOther(disk, taskDir, 0));
        assertTrue(binds.bind(disk, taskDir, "/disk", true).isNew());
        assertFalse(binds.bind(disk, taskDir, "/disk", true).isNew());
        assertThrows(IOException.class, () -> Files.writeString(taskDir.resolve("disk/file"), "theirs"));
        Files.move(own.getParent(), own.resolveSibling("../aside").normalize());
        Files.createSymbolicLink(own.getParent(), Path.of("/etc"));
        Path etc = own.resolveSibling("ssl");
        KernelTrouble refused = assertThrows(
                KernelTrouble.class,
                () -> binds.hold(
                        new VolumeBinds.Published(etc, false, true),
                        taskDir,
                        1,
                        Mounts.Spread.PRIVATE,
                        Optional.empty()));
        assertTrue(refused.reason().contains("host volume at " + etc), refused.reason());
    }

    @Test
    void aVolumeOfAnotherKindThanAskedIsRefused() throws Exception {
        assertThrows(KernelTrouble.class, () -> hold(true, Mounts.Spread.PRIVATE));
        Path file = Files.createFile(volumes.resolve("plugin/a file"));
        VolumeBinds.Published plain = new VolumeBinds.Published(file, false);
        assertThrows(KernelTrouble.class, () -> binds.hold(plain, taskDir, 1, Mounts.Spread.PRIVATE, Optional.empty()));
        VolumeBinds.Published device = new VolumeBinds.Published(file, true);
        assertThrows(
                KernelTrouble.class, () -> binds.hold(device, taskDir, 2, Mounts.Spread.PRIVATE, Optional.empty()));
        binds.unbindAll(root.resolve("a"));
    }

    @Test
    void whatIsHeldGoesThoughItIsInUseAndWhatIsMountedInTheVolumeStays() throws Exception {
        Mounts mounts = Mounts.linux();
        mounts.bind(published, published);
        mounts.spread(published, Mounts.Spread.SHARED);
        Path inner = Files.createDirectory(published.resolve("inner"));
        try {
            hold(false, Mounts.Spread.SHARED);
            mounts.mount("inside", inner, "tmpfs", Set.of(), "size=64k");
            Files.writeString(inner.resolve("file"), "deep");
            assertEquals("deep", Files.readString(held().resolve("inner/file")));
            try (InputStream open = Files.newInputStream(held().resolve("inner/file"))) {
                binds.release(taskDir);
                assertEquals('d', open.read());
            }
            assertTrue(MountTable.readTwice().atOrBelow(own).isEmpty());
            assertEquals("deep", Files.readString(inner.resolve("file")));
        } finally {
            binds.release(taskDir);
            mounts.detach(inner);
            mounts.detach(published);
        }
    }

    @Test
    void aVolumeMountedAnewIsHeldInThePlaceOfTheOld() throws Exception {
        Mounts mounts = Mounts.linux();
        mounts.mount("cleat-old", published, "tmpfs", Set.of(), "size=64k");
        hold(false, Mounts.Spread.PRIVATE);
        mounts.unmount(published);
        mounts.mount("cleat-new", published, "tmpfs", Set.of(), "size=64k");
        Files.writeString(published.resolve("file"), "new");
        try {
            hold(false, Mounts.Spread.PRIVATE);
            assertEquals("new", Files.readString(held().resolve("file")));
            assertEquals(1, MountTable.readTwice().atOrBelow(own).size());
        } finally {
            binds.release(taskDir);
            mounts.unmount(published);
        }
    }

    /** Each allocation has a user of its own, and what one wrote is the next one's. */
    @Test
    void whatOneOwnUserWroteTheNextReadsAndWrites_andOnTheDiskItIsNobodys() throws Exception {
        letPass();
        Files.setAttribute(published, "unix:uid", 65534);
        Files.setPosixFilePermissions(published, PosixFilePermissions.fromString("rwx------"));
        assumeTrue(
                binds.swapFault(volume(), new IdSwap(65534, 65534, 70_001)).isEmpty(),
                "reason: the file system of temporary directories has no mounts with other ids");
        for (long user : List.of(70_001L, 70_002L)) {
            Optional<IdSwap> ids = Optional.of(new IdSwap(65534, 65534, user));
            // Held by an agent that knew of no such thing.
            hold(false, Mounts.Spread.PRIVATE);
            binds.hold(volume(), taskDir, 0, Mounts.Spread.PRIVATE, ids);
            binds.hold(volume(), taskDir, 0, Mounts.Spread.PRIVATE, ids);
            assertEquals(1, MountTable.readTwice().atOrBelow(own).size());
            for (Path above : List.of(own, own.resolve("a"), own.resolve("a/t"))) {
                Files.setPosixFilePermissions(above, PosixFilePermissions.fromString("rwx--x--x"));
            }
            String log = held() + "/log";
            assertEquals(0, code(user + "", "umask 077; echo " + user + " >>" + log));
            assertNotEquals(0, code("65534", "cat " + log), "nobody of the host");
            binds.release(taskDir);
        }
        Path log = published.resolve("log");
        assertEquals("70001\n70002\n", Files.readString(log));
        assertEquals(65534, Files.getAttribute(log, "unix:uid"));
        assertEquals(65534, Files.getAttribute(log, "unix:gid"));
    }

    @Test
    void aVolumeIsSeenAtItsDestinationAndOnlyOnce() throws Exception {
        Path seen = binds.bind(volume(), taskDir, "/var/data", false).path();
        assertEquals(taskDir.resolve("var/data"), seen);
        assertEquals("data", Files.readString(seen.resolve("file")));
        binds.bind(volume(), taskDir, "/var/data", false);
        assertEquals(1, MountTable.readTwice().atOrBelow(root).size());
        binds.unbindAll(taskDir);
        assertFalse(Files.exists(seen.resolve("file")));
        assertTrue(Files.exists(published.resolve("file")));
    }

    @Test
    void aVolumeThatWasMountedAnewTakesThePlaceOfTheOldThoughThatIsInUse() throws Exception {
        Mounts mounts = Mounts.linux();
        mounts.mount("cleat-old", published, "tmpfs", Set.of(), "size=64k");
        Files.writeString(published.resolve("file"), "old");
        Path seen = binds.bind(volume(), taskDir, "data", false).path();
        try (InputStream open = Files.newInputStream(seen.resolve("file"))) {
            mounts.unmount(published);
            mounts.mount("cleat-new", published, "tmpfs", Set.of(), "size=64k");
            Files.writeString(published.resolve("file"), "new");
            assertEquals("old", Files.readString(seen.resolve("file")));
            assertTrue(binds.bind(volume(), taskDir, "data", false).isNew());
            assertEquals("new", Files.readString(seen.resolve("file")));
            assertEquals('o', open.read(), "who has it open keeps what it has");
            assertFalse(binds.bind(volume(), taskDir, "data", false).isNew());
            assertEquals(1, MountTable.readTwice().atOrBelow(root).size());
        } finally {
            binds.unbindAll(taskDir);
            mounts.unmount(published);
        }
    }

    @Test
    void aDeviceIsSeenAtAFileAndOnlyOnce() throws Exception {
        assumeTrue(Files.exists(Path.of("/dev/loop-control")), "reason: this kernel has no loop devices");
        Path image = temporary.resolve("image");
        Files.write(image, new byte[1 << 20]);
        LoopDevices loops = LoopDevices.linux(new SystemTime());
        Path device = Files.createFile(volumes.resolve("plugin/disk"));
        Mounts.linux().bind(loops.attach(image, false).path(), device);
        VolumeBinds.Published disk = new VolumeBinds.Published(device, true);
        try {
            Path seen = binds.bind(disk, taskDir, "/dev/disk", false).path();
            Files.write(seen, new byte[] {7}, StandardOpenOption.WRITE, StandardOpenOption.SYNC);
            assertEquals(7, Files.readAllBytes(image)[0]);
            assertFalse(binds.bind(disk, taskDir, "/dev/disk", false).isNew());
            binds.unbindAll(taskDir);
            assertTrue(Files.isRegularFile(seen));
            assertTrue(binds.bind(disk, taskDir, "/dev/disk", false).isNew(), "a next start");
        } finally {
            binds.unbindAll(taskDir);
            Mounts.linux().unmount(device);
            loops.detach(image);
        }
    }

    @Test
    void aReadOnlyBindCannotBeWritten() throws Exception {
        Path seen = binds.bind(volume(), taskDir, "data", true).path();
        assertThrows(IOException.class, () -> Files.writeString(seen.resolve("new"), "x"));
    }

    /** Makes a program that is root's whoever executes it, and the device that is always empty. */
    private static void makeTraps(Path directory) throws Exception {
        Process made = new ProcessBuilder("sh", "-c", "cp /usr/bin/id id && chmod 4755 id && mknod -m 666 null c 1 3")
                .directory(directory.toFile())
                .start();
        assertEquals(0, made.waitFor());
    }

    private void letPass() throws IOException {
        for (int names = 2; names <= taskDir.getNameCount(); names++) {
            Files.setPosixFilePermissions(
                    Path.of("/").resolve(taskDir.subpath(0, names)), PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    private void assertTrapsAreShut(Path directory) throws Exception {
        assertEquals(1, code("4242", "[ $(" + directory + "/id -u) = 0 ]"));
        assertNotEquals(0, code("4242", "cat " + directory + "/null"));
    }

    @Test
    void inAnAllocation_noProgramTakesAnotherUserAndNoDeviceCountsOnTheHost() throws Exception {
        letPass();
        Path allocation = root.resolve("a");
        binds.shield(allocation);
        binds.shield(allocation);
        assertEquals(1, MountTable.readTwice().atOrBelow(root).size());
        makeTraps(taskDir);
        assertTrapsAreShut(taskDir);
        Path seen = binds.bind(volume(), taskDir, "data", false).path();
        assertEquals("data", Files.readString(seen.resolve("file")));
        try (InputStream open = Files.newInputStream(taskDir.resolve("id"))) {
            binds.unbindAll(allocation);
            assertTrue(open.read() >= 0);
        }
        assertTrue(MountTable.readTwice().atOrBelow(root).isEmpty());
    }

    @Test
    void anAllocationOfAnEarlierVersionWithAVolumeInIt_isLeftAsItIs() throws Exception {
        Path seen = binds.bind(volume(), taskDir, "data", false).path();
        binds.shield(root.resolve("a"));
        assertEquals(1, MountTable.readTwice().atOrBelow(root).size());
        assertEquals("data", Files.readString(seen.resolve("file")));
    }

    @Test
    void inAVolumeThatAPluginPublishedWithout_noProgramTakesAnotherUserAndNoDeviceCounts() throws Exception {
        letPass();
        makeTraps(published);
        assertTrapsAreShut(binds.bind(volume(), taskDir, "data", false).path());
        assertTrapsAreShut(binds.bind(volume(), taskDir, "read", true).path());
    }

    private static int code(String user, String script) throws Exception {
        return new ProcessBuilder("setpriv", "--reuid=" + user, "--regid=" + user, "--clear-groups", "sh", "-c", script)
                .start()
                .waitFor();
    }

    @Test
    void whatTwoUsersShare_bothWrite_neitherRemovesTheOthersAndNobodyElseComesIn() throws Exception {
        letPass();
        Path shared = Files.createDirectory(root.resolve("a/data"));
        binds.share(shared, new TreeSet<>(List.of(4242L, 4243L)));
        assertEquals(041770, Files.getAttribute(shared, "unix:mode"));
        assertEquals(0, code("4242", "echo a >" + shared + "/one"));
        assertEquals(0, code("4243", "echo a >" + shared + "/two && cat " + shared + "/one"));
        assertNotEquals(0, code("4243", "rm -f " + shared + "/one"));
        assertNotEquals(0, code("4244", "ls " + shared));
        assertNotEquals(0, code("4244", "echo a >" + shared + "/three"));
    }

    @Test
    void whatTasksOfOneUserShare_isThatUsers() throws Exception {
        Path shared = Files.createDirectory(root.resolve("a/data"));
        binds.shield(root.resolve("a"));
        binds.share(shared, new TreeSet<>(List.of(4242L)));
        binds.unbindAll(root.resolve("a"));
        assertEquals(041770, Files.getAttribute(shared, "unix:mode"));
        assertEquals(4242, Files.getAttribute(shared, "unix:uid"));
        assertEquals(0, Files.getAttribute(shared, "unix:gid"));
    }

    @Test
    void secretsAreInMemoryOnlyOnceAndCannotBeExecuted() throws Exception {
        Path secrets = Files.createDirectory(taskDir.resolve("secrets"));
        Owner theirs = new Owner(0700, 4242, 4243);
        binds.keepInMemory(secrets, theirs);
        binds.keepInMemory(secrets, theirs);
        assertEquals(040700, Files.getAttribute(secrets, "unix:mode"));
        assertEquals(4242, Files.getAttribute(secrets, "unix:uid"));
        assertEquals(4243, Files.getAttribute(secrets, "unix:gid"));
        List<Mount> made = MountTable.readTwice().atOrBelow(secrets);
        assertEquals(1, made.size(), made.toString());
        assertEquals("tmpfs", made.getFirst().fsType());
        assertTrue(made.getFirst().options().containsAll(List.of("nosuid", "nodev", "noexec")));
        assertThrows(IOException.class, () -> Files.write(secrets.resolve("large"), new byte[(1 << 20) + 1]));
    }

    @Test
    void whatATaskLeftMountedInAVolumeIsTakenAwayAndTheVolumeStays() throws Exception {
        Mounts mounts = Mounts.linux();
        mounts.bind(published, published);
        Path outer = Files.createDirectory(published.resolve("a"));
        mounts.mount("left", outer, "tmpfs", Set.of(), "");
        Path inner = Files.createDirectory(outer.resolve("b"));
        mounts.mount("deeper", inner, "tmpfs", Set.of(), "");
        binds.unmountInside(published);
        assertEquals(1, MountTable.readTwice().atOrBelow(published).size());
        mounts.unmount(published);
    }

    @Test
    void aLinkThatTheWorkloadPutThereIsNotFollowed() throws Exception {
        Path outside = Files.createDirectories(temporary.toRealPath().resolve("outside"));
        Files.createSymbolicLink(taskDir.resolve("data"), outside);
        assertThrows(KernelTrouble.class, () -> binds.bind(volume(), taskDir, "/data", false));
        assertTrue(MountTable.readTwice().atOrBelow(outside).isEmpty());
    }

    @Test
    void aDestinationOutsideTheTasksDirectoryIsRefused() {
        assertThrows(KernelTrouble.class, () -> binds.bind(volume(), taskDir, "/../x", false));
        assertThrows(KernelTrouble.class, () -> binds.bind(volume(), taskDir, "/", false));
    }
}
