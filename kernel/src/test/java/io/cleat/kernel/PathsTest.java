package io.cleat.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PathsTest {
    private static final int SWAPS = 300;
    private static final int MOST_SWAPS = 20_000;

    protected final SystemTime time = new SystemTime();
    private final Threads threads = Threads.virtual((where, fault) -> System.err.println(where + ": " + fault));
    private final Mounts mounts = Mounts.linux();

    @TempDir
    Path temporary;

    private Path root = Path.of("/");
    private PathWorkers workers = new PathWorkers(List.of("false"), threads, time);
    private Paths paths = workers.of("none");

    /** How the worker is called. */
    protected List<String> command(Path shim) {
        return List.of(shim.toString(), "path");
    }

    @BeforeEach
    void startWorkers() throws Exception {
        root = temporary.toRealPath();
        workers = new PathWorkers(command(ShimProgram.built()), threads, time);
        paths = workers.of("plugin");
    }

    @AfterEach
    void leaveNothing() throws Exception {
        workers.close();
        for (Mount mount : mounts.table().atOrBelow(root).reversed()) {
            mounts.detach(Path.of(mount.target()));
        }
    }

    private Deadline soon() {
        return Deadline.in(time, Duration.ofSeconds(20));
    }

    private Place at(String below) {
        return new Place(root, below);
    }

    private KernelTrouble refused(String below, Executable call) {
        KernelTrouble trouble = assertThrows(KernelTrouble.class, () -> call.on(at(below)));
        assertEquals(Effect.NONE, trouble.effect());
        return trouble;
    }

    /** A call on a place. */
    private interface Executable {
        void on(Place place) throws Exception;
    }

    @Test
    void directoriesAreMadeSeenAndRemoved() throws Exception {
        assertEquals(Optional.empty(), paths.stat(at("a"), soon()));
        assertTrue(paths.makeDirectory(at("a"), 0750, soon()));
        assertFalse(paths.makeDirectory(at("a"), 0700, soon()));
        PathStat stat = paths.stat(at("a"), soon()).orElseThrow();
        assertTrue(stat.isDirectory());
        assertEquals(0750, stat.mode());
        assertEquals((long) Files.getAttribute(root.resolve("a"), "unix:ino"), stat.inode());
        assertEquals(PathStat.MountRoot.NO, stat.mountRoot());
        assertTrue(paths.makeDirectory(at("a/b c\n\u00e9"), 0700, soon()));
        assertEquals(List.of("b c\n\u00e9"), paths.list(at("a"), soon()).sorted());
        refused("a", place -> paths.removeDirectory(place, soon()));
        assertTrue(paths.removeDirectory(at("a/b c\n\u00e9"), soon()));
        assertTrue(paths.removeDirectory(at("a"), soon()));
        assertFalse(paths.removeDirectory(at("a"), soon()));
        assertEquals(Optional.empty(), paths.stat(at("a/b/c"), soon()));
        assertTrue(paths.stat(at(""), soon()).orElseThrow().isDirectory());
    }

    @Test
    void aFileIsMadeEmptyAndNeverInThePlaceOfAnother() throws Exception {
        assertTrue(paths.makeFile(at("f"), 0600, soon()));
        PathStat stat = paths.stat(at("f"), soon()).orElseThrow();
        assertEquals(PathStat.Type.FILE, stat.type());
        assertEquals(0600, stat.mode());
        assertEquals(0, stat.size());
        Files.writeString(root.resolve("f"), "kept");
        assertFalse(paths.makeFile(at("f"), 0600, soon()));
        assertEquals("kept", Files.readString(root.resolve("f")));
        Files.createDirectory(root.resolve("directory"));
        Files.createSymbolicLink(root.resolve("link"), root.resolve("elsewhere"));
        for (String name : List.of("directory", "link", "absent/f")) {
            refused(name, place -> paths.makeFile(place, 0600, soon()));
        }
        assertFalse(Files.exists(root.resolve("elsewhere")));
    }

    @Test
    void aDeviceIsBoundOntoAFile() throws Exception {
        Root.required("mounting");
        assertTrue(paths.makeFile(at("target"), 0600, soon()));
        Place device = new Place(Path.of("/dev"), "null");
        paths.bind(device, at("target"), true, Mounts.Spread.PRIVATE, soon());
        PathStat stat = paths.stat(at("target"), soon()).orElseThrow();
        assertEquals(PathStat.Type.CHARACTER, stat.type());
        assertEquals(new Mount.Device(1, 3), stat.represents());
        // The mount is read-only, and still the device takes what is written.
        assertTrue(mounts.table().at(root.resolve("target")).orElseThrow().isReadOnly());
        Files.write(root.resolve("target"), new byte[1], StandardOpenOption.WRITE);
        assertTrue(paths.unmount(at("target"), soon()));
        assertTrue(paths.removeFile(at("target"), soon()));
    }

    @Test
    void whatIsNoDirectoryIsToldApartAndRefused() throws Exception {
        Files.writeString(root.resolve("file"), "four");
        Files.createSymbolicLink(root.resolve("link"), root.resolve("file"));
        PathStat file = paths.stat(at("file"), soon()).orElseThrow();
        assertEquals(PathStat.Type.FILE, file.type());
        assertEquals(4, file.size());
        assertEquals(
                PathStat.Type.LINK, paths.stat(at("link"), soon()).orElseThrow().type());
        PathStat device = paths.stat(new Place(Path.of("/dev"), "null"), soon()).orElseThrow();
        assertEquals(PathStat.Type.CHARACTER, device.type());
        assertEquals(new Mount.Device(1, 3), device.represents());
        for (String name : List.of("file", "link")) {
            refused(name, place -> paths.makeDirectory(place, 0700, soon()));
            refused(name, place -> paths.removeDirectory(place, soon()));
            refused(name, place -> paths.list(place, soon()));
        }
        Files.createDirectory(root.resolve("directory"));
        refused("directory", place -> paths.removeFile(place, soon()));
        assertTrue(paths.removeFile(at("link"), soon()));
        assertFalse(paths.removeFile(at("link"), soon()));
        assertEquals("four", Files.readString(root.resolve("file")));
    }

    @Test
    void aLinkOnTheWayIsNeverFollowed() throws Exception {
        Path outside = Files.createDirectories(root.resolve("outside/kept"));
        Files.createDirectory(root.resolve("inside"));
        Files.createSymbolicLink(root.resolve("inside/link"), root.resolve("outside"));
        Files.createSymbolicLink(root.resolve("inside/relative"), Path.of("../outside"));
        for (String link : List.of("link", "relative")) {
            Place through = new Place(root.resolve("inside"), link + "/kept");
            for (Executable call : List.<Executable>of(
                    place -> paths.stat(place, soon()),
                    place -> paths.removeDirectory(place, soon()),
                    place -> paths.makeDirectory(place.child("new"), 0700, soon()),
                    place -> paths.makeFile(place.child("new"), 0600, soon()),
                    place -> paths.list(place, soon()),
                    place -> paths.unmount(place, soon()),
                    place -> paths.bind(place, at("inside"), false, Mounts.Spread.PRIVATE, soon()),
                    place -> paths.bind(at("inside"), place, false, Mounts.Spread.PRIVATE, soon()))) {
                KernelTrouble trouble = assertThrows(KernelTrouble.class, () -> call.on(through));
                assertTrue(
                        trouble.reason().contains("ELOOP") || trouble.reason().contains("ENOTDIR"), trouble.reason());
            }
        }
        assertTrue(Files.isDirectory(outside));
    }

    /** CVE-2021-25741: between the look at a directory and its use, a link took its place. */
    @Test
    void kubernetes104980ADirectorySwappedForALinkWhileItIsWalked_leadsNowhere() throws Exception {
        Path outside = Files.createDirectories(root.resolve("outside/kept"));
        Path inside = Files.createDirectories(root.resolve("inside"));
        Path place = inside.resolve("place");
        Path link = Files.createSymbolicLink(inside.resolve("link"), root.resolve("outside"));
        Path directory = Files.createDirectory(inside.resolve("directory"));
        AtomicBoolean isOver = new AtomicBoolean();
        Thread swapping = threads.vitalWork("swapping", () -> {
            while (!isOver.get()) {
                swap(directory, place);
                swap(link, place);
            }
        });
        int through = 0;
        int links = 0;
        try {
            for (int i = 0; i < MOST_SWAPS && (i < SWAPS || through == 0 || links == 0); i++) {
                Place below = new Place(inside, "place/new" + i);
                try {
                    paths.makeDirectory(below, 0700, soon());
                    paths.removeDirectory(below, soon());
                    through++;
                } catch (KernelTrouble swapped) {
                    links += swapped.reason().contains("ELOOP")
                                    || swapped.reason().contains("ENOTDIR")
                            ? 1
                            : 0;
                }
            }
        } finally {
            isOver.set(true);
            swapping.join();
        }
        try (Stream<Path> found = Files.list(root.resolve("outside"))) {
            assertEquals(List.of(outside), found.toList());
        }
        assertTrue(through > 0 && links > 0, through + " went through, " + links + " met links");
    }

    /** Has what is at {@code from} at {@code to} for a moment. */
    private static void swap(Path from, Path to) {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
            Files.move(to, from, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Test
    void aPathThatIsNotPlainIsRefusedBeforeItIsTried() {
        for (String below : List.of("..", "a/../b", "./a", "a//b", "/a", "a/")) {
            assertThrows(IllegalArgumentException.class, () -> at(below), below);
        }
        assertThrows(IllegalArgumentException.class, () -> new Place(Path.of("a"), "b"));
        assertThrows(IllegalArgumentException.class, () -> Place.of(root, Path.of("/other")));
        assertEquals("a/b", Place.of(root, root.resolve("a/b")).below());
    }

    @Test
    void aReadOnlyBindIsReadOnlyFromWhereItIsSeen() throws Exception {
        Root.required("mounting");
        Files.createDirectory(root.resolve("volume"));
        Files.writeString(root.resolve("volume/file"), "data");
        Files.createDirectory(root.resolve("target"));
        paths.bind(at("volume"), at("target"), true, Mounts.Spread.PRIVATE, soon());
        assertEquals("data", Files.readString(root.resolve("target/file")));
        Mount mount = mounts.table().at(root.resolve("target")).orElseThrow();
        assertTrue(mount.isReadOnly());
        assertTrue(mount.propagation().isPrivate());
        assertEquals(
                PathStat.MountRoot.YES,
                paths.stat(at("target"), soon()).orElseThrow().mountRoot());
        refused("target", place -> paths.removeDirectory(place, soon()));
        assertTrue(paths.unmount(at("target"), soon()));
        assertFalse(paths.unmount(at("target"), soon()));
        assertTrue(mounts.table().at(root.resolve("target")).isEmpty());
        paths.bind(at("volume"), at("target"), false, Mounts.Spread.SHARED, soon());
        Mount shared = mounts.table().at(root.resolve("target")).orElseThrow();
        assertFalse(shared.isReadOnly());
        assertTrue(shared.propagation().isShared());
    }

    @Test
    void aMountInUseIsNotTakenAway() throws Exception {
        Root.required("mounting");
        Files.createDirectory(root.resolve("volume"));
        Files.createDirectory(root.resolve("target"));
        Path file = Files.writeString(root.resolve("volume/file"), "data");
        paths.bind(at("volume"), at("target"), false, Mounts.Spread.PRIVATE, soon());
        try (var open = Files.newInputStream(root.resolve("target").resolve(file.getFileName()))) {
            assertEquals('d', open.read());
            assertTrue(refused("target", place -> paths.unmount(place, soon()))
                    .reason()
                    .contains("EBUSY"));
        }
        assertTrue(paths.unmount(at("target"), soon()));
    }

    @Test
    void aVolumeIsShownWithoutRightsAndDevicesAndHiddenThoughItIsInUse() throws Exception {
        Root.required("mounting");
        Path file = Files.createDirectory(root.resolve("volume")).resolve("file");
        Files.writeString(file, "data");
        Files.createDirectory(root.resolve("target"));
        Paths.Showing how = new Paths.Showing(false, true, Mounts.Spread.PRIVATE, true);
        paths.show(at("volume"), at("target"), how, soon());
        Mount mount = mounts.table().at(root.resolve("target")).orElseThrow();
        assertTrue(mount.options().containsAll(List.of("nosuid", "nodev", "ro")), mount.toString());
        assertFalse(mount.propagation().isShared());
        try (var open = Files.newInputStream(root.resolve("target/file"))) {
            assertTrue(paths.hide(at("target"), soon()));
            assertEquals('d', open.read());
        }
        assertFalse(paths.hide(at("target"), soon()));
        Paths.Showing device = new Paths.Showing(true, false, Mounts.Spread.PRIVATE, false);
        refused("volume", place -> paths.show(place, at("target"), device, soon()));
        refused("volume/file", place -> paths.show(place, at("target"), how, soon()));
        Files.createSymbolicLink(root.resolve("link"), root.resolve("volume"));
        refused("link", place -> paths.show(place, at("target"), how, soon()));
        assertTrue(mounts.table().atOrBelow(root).isEmpty());
    }

    /** A driver's mount was gone, and files were written below it, in no volume. */
    @Test
    void aSealedDirectory_isMountedOnAndRemoved_andNothingIsMadeInIt() throws Exception {
        Root.required("mounting");
        Path volume = Files.createDirectory(root.resolve("volume"));
        Path target = Files.createDirectory(root.resolve("target"));
        paths.bind(at("volume"), at("target"), false, Mounts.Spread.PRIVATE, soon());
        Assumptions.assumeTrue(
                paths.seal(at("target"), soon()),
                "reason: the file system of temporary directories has no immutable directories");
        assertTrue(paths.seal(at("target"), soon()));
        Files.createFile(target.resolve("in-volume"));
        assertTrue(Files.exists(volume.resolve("in-volume")));
        assertTrue(paths.unmount(at("target"), soon()));
        assertThrows(IOException.class, () -> Files.createFile(target.resolve("bare")));
        assertThrows(IOException.class, () -> Files.delete(target));

        paths.bind(at("volume"), at("target"), false, Mounts.Spread.PRIVATE, soon());
        paths.unseal(at("target"), soon());
        paths.unseal(at("target"), soon());
        assertTrue(paths.unmount(at("target"), soon()));
        Files.delete(Files.createFile(target.resolve("bare")));

        assertTrue(paths.seal(at("target"), soon()));
        assertTrue(paths.removeDirectory(at("target"), soon()));
        assertFalse(paths.seal(at("target"), soon()), "nothing is there");
        paths.unseal(at("target"), soon());
    }

    @Test
    void aVolumeIsShownWithTheFilesOfOneUserAsThoseOfAnother() throws Exception {
        Root.required("mounting");
        IdSwap ids = new IdSwap(65534, 65533, 70_001);
        Path volume = Files.createDirectory(root.resolve("volume"));
        Path target = Files.createDirectory(root.resolve("target"));
        for (int owner : List.of(65534, 70_001, 70_002, 0)) {
            Path file = Files.createFile(volume.resolve("of" + owner));
            Files.setAttribute(file, "unix:uid", owner);
            Files.setAttribute(file, "unix:gid", owner == 65534 ? 65533 : owner);
        }
        Assumptions.assumeTrue(
                paths.swapFault(at("volume"), ids, soon()).isEmpty(),
                "reason: the file system of temporary directories has no mounts with other ids");
        assertTrue(mounts.table().atOrBelow(root).isEmpty());
        paths.show(
                at("volume"),
                at("target"),
                new Paths.Showing(false, false, Mounts.Spread.PRIVATE, true, Optional.of(ids)),
                soon());
        assertEquals("70001:70001", owner(target.resolve("of65534")));
        assertEquals("65534:65533", owner(target.resolve("of70001")));
        assertEquals("70002:70002", owner(target.resolve("of70002")));
        assertEquals("0:0", owner(target.resolve("of0")));
        Files.setAttribute(target.resolve("of0"), "unix:uid", 70_001);
        assertEquals("65534:0", owner(volume.resolve("of0")));
        assertTrue(paths.hide(at("target"), soon()));
    }

    private static String owner(Path file) throws Exception {
        return Files.getAttribute(file, "unix:uid") + ":" + Files.getAttribute(file, "unix:gid");
    }

    @Test
    void aVolumeBelowWhichAFileSystemCannotIsNotShownSo_andItIsSaid() throws Exception {
        Root.required("mounting");
        IdSwap ids = new IdSwap(65534, 65534, 70_001);
        Path inner = Files.createDirectories(root.resolve("volume/inner"));
        Files.createDirectory(root.resolve("target"));
        Mounts.linux().mount("proc", inner, "proc", Set.of(), "");
        try {
            String why = paths.swapFault(at("volume"), ids, soon()).orElseThrow();
            assertTrue(why.contains("mounted below it") || why.contains("5.12"), why);
            Paths.Showing how = new Paths.Showing(false, false, Mounts.Spread.PRIVATE, true, Optional.of(ids));
            refused("volume", place -> paths.show(place, at("target"), how, soon()));
            assertTrue(mounts.table().at(root.resolve("target")).isEmpty());
        } finally {
            Mounts.linux().unmount(inner);
        }
        refused("volume/none", place -> paths.swapFault(place, ids, soon()));
    }

    @Test
    void whatHangsIsGivenUpAtTheDeadlineAndDelaysNobodyElse() throws Exception {
        Root.required("mounting");
        Assumptions.assumeTrue(Files.exists(Path.of("/dev/fuse")), "reason: this kernel has no FUSE");
        Path hung = Files.createDirectory(root.resolve("hung"));
        int fuse = Libc.open("/dev/fuse", Libc.O_RDWR);
        assertTrue(fuse >= 0);
        try {
            // A file system whose daemon never answers.
            String options = "fd=" + fuse + ",rootmode=40000,user_id=0,group_id=0";
            assertEquals(0, Libc.mount("cleat-test", hung.toString(), "fuse", 0, options));
            KernelTrouble trouble = assertThrows(
                    KernelTrouble.class, () -> paths.list(at("hung"), Deadline.in(time, Duration.ofMillis(200))));
            assertEquals(Effect.UNKNOWN, trouble.effect());
            Files.createDirectory(root.resolve("other"));
            assertTrue(paths.stat(at("other"), soon()).isPresent());
            assertTrue(paths.removeDirectory(at("other"), soon()));
        } finally {
            mounts.detach(hung);
            Libc.close(fuse);
        }
        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (workers.hanging("plugin") > 0 && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        assertEquals(0, workers.hanging("plugin"));
    }

    @Test
    void aWorkerThatDiesMidwayLeavesTheOutcomeUnknown() {
        try (PathWorkers broken = new PathWorkers(List.of("/bin/true"), threads, time)) {
            KernelTrouble trouble =
                    assertThrows(KernelTrouble.class, () -> broken.of("x").stat(at("a"), soon()));
            assertEquals(Effect.UNKNOWN, trouble.effect());
        }
    }

    @Test
    void aWorkerThatCannotBeStartedHadNoEffect() {
        try (PathWorkers absent = new PathWorkers(root.resolve("absent"), threads, time)) {
            KernelTrouble trouble =
                    assertThrows(KernelTrouble.class, () -> absent.of("x").stat(at("a"), soon()));
            assertEquals(Effect.NONE, trouble.effect());
        }
    }

    @Test
    void manyCallersShareAFewWorkers() throws Exception {
        List<Future<Boolean>> made = new ArrayList<>();
        try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 200; i++) {
                Place place = at("d" + i);
                Callable<Boolean> call = () -> paths.makeDirectory(place, 0700, soon());
                made.add(pool.submit(call));
            }
        }
        for (Future<Boolean> one : made) {
            assertTrue(one.get());
        }
        assertEquals(200, paths.list(at(""), soon()).sorted().size());
        assertEquals(0, workers.hanging("plugin"));
    }

    /** All but one were ended as soon as they were idle, and started again for the next call. */
    @Test
    void workersOutliveABurstOfCalls() throws Exception {
        Path starts = root.resolve("starts");
        List<String> command = new ArrayList<>(List.of("sh", "-c"));
        command.add("echo >>" + starts + "; exec \"$@\"");
        command.add("sh");
        command.addAll(command(ShimProgram.built()));
        List<Thread> callers = new ArrayList<>();
        AtomicInteger answers = new AtomicInteger();
        try (PathWorkers counted = new PathWorkers(command, threads, time)) {
            for (int i = 0; i < 32; i++) {
                callers.add(threads.vitalWork("caller/" + i, () -> answers.addAndGet(askOften(counted, 20))));
            }
            for (Thread caller : callers) {
                caller.join();
            }
        }
        assertEquals(640, answers.get());
        long started = Files.readString(starts).lines().count();
        assertTrue(started <= PathWorkers.LIMIT, started + " workers for 640 calls");
    }

    private int askOften(PathWorkers counted, int times) throws InterruptedException {
        int answers = 0;
        for (int i = 0; i < times; i++) {
            try {
                answers += counted.of("plugin").stat(at(""), soon()).isPresent() ? 1 : 0;
            } catch (KernelTrouble refused) {
                return answers;
            }
        }
        return answers;
    }

    @Test
    void directoriesAreMadeWithThoseAboveThem() throws Exception {
        assertEquals(Optional.empty(), paths.makeDirectories(at("a/b/c"), 0750, soon()));
        assertEquals(Optional.empty(), paths.makeDirectories(at("a/b/d"), 0700, soon()));
        assertEquals(List.of("c", "d"), paths.list(at("a/b"), soon()).sorted());
        assertEquals(0750, paths.stat(at("a/b"), soon()).orElseThrow().mode());
        assertEquals(0700, paths.stat(at("a/b/d"), soon()).orElseThrow().mode());
        Files.writeString(root.resolve("a/file"), "four");
        Files.createSymbolicLink(root.resolve("a/link"), root.resolve("a/b"));
        for (String name : List.of("a/file", "a/link")) {
            assertEquals(Optional.of(at(name)), paths.makeDirectories(at(name + "/new"), 0700, soon()));
            assertEquals(Optional.of(at(name)), paths.makeDirectories(at(name), 0700, soon()));
        }
        assertEquals(List.of("c", "d"), paths.list(at("a/b"), soon()).sorted());
        refused("", place -> paths.makeDirectories(place, 0700, soon()));
    }

    @Test
    void directoriesAreNotMadeInWhatBelongsToAnother() throws Exception {
        Root.required("giving a directory away");
        paths.makeDirectories(at("a/b"), 0700, soon());
        Files.setAttribute(root.resolve("a"), "unix:uid", 12345);
        assertEquals(Optional.of(at("a")), paths.makeDirectories(at("a/b/c"), 0700, soon()));
        assertEquals(List.of(), paths.list(at("a/b"), soon()).sorted());
        // What is mounted is whose it wants to be.
        Files.createDirectory(root.resolve("mounted"));
        paths.bind(at("a"), at("mounted"), false, Mounts.Spread.PRIVATE, soon());
        assertEquals(Optional.empty(), paths.makeDirectories(at("mounted/c"), 0700, soon()));
    }

    @Test
    void allMountsOfAPlaceGoAtOnceWithIt() throws Exception {
        Root.required("mounting");
        Files.createDirectories(root.resolve("source/below"));
        Files.writeString(root.resolve("source/canary"), "alive");
        Files.createDirectory(root.resolve("target"));
        Path file = Files.createFile(root.resolve("file"));
        mounts.bind(root.resolve("source/canary"), file);
        for (int i = 0; i < 5; i++) {
            paths.bind(at("source"), at("target"), false, Mounts.Spread.PRIVATE, soon());
        }
        mounts.bind(root.resolve("source"), root.resolve("target/below"));
        assertTrue(paths.tear(at("target"), soon()));
        assertTrue(paths.tear(at("file"), soon()));
        assertEquals(List.of(), MountTable.readTwice().atOrBelow(root));
        assertFalse(Files.exists(root.resolve("target")));
        assertFalse(Files.exists(file));
        assertEquals("alive", Files.readString(root.resolve("source/canary")));
        assertFalse(paths.tear(at("target"), soon()));
        assertTrue(
                refused("source", place -> paths.tear(place, soon())).reason().contains("EMPTY"));
    }

    @Test
    void whatIsPrivateSharesNothingWithWhatIsBoundFromIt() throws Exception {
        Root.required("mounting");
        Files.createDirectory(root.resolve("source"));
        Files.createDirectory(root.resolve("target"));
        paths.bind(at("source"), at("target"), false, Mounts.Spread.SHARED, soon());
        assertTrue(paths.makePrivate(at("target"), soon()));
        Mount made = MountTable.readTwice().at(root.resolve("target")).orElseThrow();
        assertFalse(made.propagation().isShared());
        assertTrue(paths.unmount(at("target"), soon()));
        assertFalse(paths.makePrivate(at("target"), soon()));
        assertFalse(paths.makePrivate(at("absent"), soon()));
    }
}
