package io.cleat.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Deadline;
import io.cleat.base.KernelTrouble;
import io.cleat.base.SystemTime;
import io.cleat.base.Time;
import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.Condition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoopDevicesTest {
    private final LoopDevices loops = LoopDevices.linux(new SystemTime());
    private final List<Path> files = new ArrayList<>();

    @TempDir
    Path root;

    @BeforeEach
    void loopDevicesExist() {
        Root.required("attaching loop devices");
        Assumptions.assumeTrue(Files.exists(Path.of("/dev/loop-control")), "reason: this kernel has no loop devices");
    }

    @AfterEach
    void leaveNothingAttached() throws Exception {
        for (Path file : files) {
            if (Files.exists(file)) {
                loops.detach(file);
                assertEquals(Optional.empty(), loops.find(file));
            }
        }
    }

    private Path file(String name) throws IOException {
        Path file = root.resolve(name);
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(1 << 20);
        }
        files.add(file);
        return file;
    }

    @Test
    void theKernelSaysOfADeviceHowLargeItIsAndWhetherItRefusesWriting() throws Exception {
        Path file = file("v");
        LoopDevice device = loops.attach(file, false);
        BlockDevices devices = BlockDevices.linux();
        assertEquals(Optional.of(new BlockDevice(false, 1 << 20)), devices.find(device.device()));
        loops.detach(file);
        // Another may have taken it meanwhile.
        assertTrue(devices.find(device.device()).stream().noneMatch(now -> now.bytes() == 1 << 20));
        LoopDevice reader = loops.attach(file, true);
        assertEquals(Optional.of(new BlockDevice(true, 1 << 20)), devices.find(reader.device()));
        assertEquals(Optional.empty(), devices.find(new Mount.Device(7, 1 << 19)));
    }

    @Test
    void attachingTwiceGivesTheSameDeviceAndDetachingTwiceIsNoError() throws Exception {
        Path file = file("one");
        assertEquals(Optional.empty(), loops.find(file));
        LoopDevice device = loops.attach(file, false);
        assertEquals(device, loops.attach(file, false));
        assertEquals(Optional.of(device), loops.find(file));
        assertEquals(7, device.device().major());
        assertTrue(loops.detach(file));
        assertFalse(loops.detach(file));
    }

    @Test
    void whatIsWrittenToTheDeviceIsInTheFile() throws Exception {
        Path file = file("one");
        LoopDevice device = loops.attach(file, false);
        try (RandomAccessFile block = new RandomAccessFile(device.path().toFile(), "rwd")) {
            block.write("written".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        }
        loops.detach(file);
        try (RandomAccessFile plain = new RandomAccessFile(file.toFile(), "r")) {
            byte[] read = new byte[7];
            plain.readFully(read);
            assertEquals("written", new String(read, java.nio.charset.StandardCharsets.US_ASCII));
        }
    }

    @Test
    void aReadOnlyDeviceIsNotHandedOutForWriting() throws Exception {
        Path file = file("one");
        LoopDevice device = loops.attach(file, true);
        assertEquals(
                "1",
                Files.readString(Path.of("/sys/block/loop" + device.number() + "/ro"))
                        .strip());
        KernelTrouble trouble = assertThrows(KernelTrouble.class, () -> loops.attach(file, false));
        assertTrue(trouble.reason().contains("read-only") || trouble.reason().contains("detached"));
    }

    @Test
    void aDeviceGrowsWithItsFileWhenTold() throws Exception {
        Path file = file("one");
        LoopDevice device = loops.attach(file, false);
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(2 << 20);
        }
        assertEquals("2048", sectors(device));
        loops.resize(file);
        assertEquals("4096", sectors(device));
        loops.detach(file);
        loops.resize(file);
    }

    private static String sectors(LoopDevice device) throws IOException {
        return Files.readString(Path.of("/sys/block/loop" + device.number() + "/size"))
                .strip();
    }

    @Test
    void anotherFileOfTheSameNameIsNotFound() throws Exception {
        Path file = file("one");
        loops.attach(file, false);
        Path moved = root.resolve("moved");
        Files.move(file, moved);
        files.add(moved);
        Path other = file("one");
        assertEquals(Optional.empty(), loops.find(other));
        assertTrue(loops.find(moved).isPresent());
    }

    @Test
    void aDeviceIsFoundThoughTheNamespaceItWasAttachedInIsGone() throws Exception {
        Files.createDirectory(root.resolve("pool"));
        Path seen = Files.createDirectory(root.resolve("seen"));
        Path file = file("pool/image");
        Process container = new ProcessBuilder(
                        "unshare",
                        "--mount",
                        "sh",
                        "-c",
                        "mount --bind " + root.resolve("pool") + " " + seen + " && losetup -f " + seen.resolve("image"))
                .inheritIO()
                .start();
        assertEquals(0, container.waitFor());
        LoopDevice device = loops.find(file).orElseThrow();
        Path shown = Path.of("/sys/block/loop" + device.number() + "/loop/backing_file");
        assertEquals("/image", Files.readString(shown).strip());
        assertEquals(device, loops.attach(file, false));
        assertTrue(loops.detach(file));
        assertEquals(Optional.empty(), loops.find(file));
    }

    @Test
    void attachersOfOneFileSideBySideGetOneDeviceAndOfManyFilesManyDevices() throws Exception {
        List<Path> many = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            many.add(file("file" + i));
        }
        List<Future<LoopDevice>> devices = new ArrayList<>();
        try (ExecutorService pool = Executors.newFixedThreadPool(12)) {
            for (int i = 0; i < 24; i++) {
                Path file = many.get(i % many.size());
                Callable<LoopDevice> attach = () -> loops.attach(file, false);
                devices.add(pool.submit(attach));
            }
        }
        for (int i = 0; i < devices.size(); i++) {
            assertEquals(devices.get(i % many.size()).get(), devices.get(i).get());
        }
        assertEquals(6, devices.stream().map(Future::resultNow).distinct().count());
    }

    @Test
    void aDeviceThatIsHeldForAMomentIsDetachedWhenItsLastUserGoes() throws Exception {
        Path file = file("one");
        LoopDevice device = loops.attach(file, false);
        try (RandomAccessFile open = new RandomAccessFile(device.path().toFile(), "r")) {
            SleepingTime untilClosed = new SleepingTime(open);
            assertTrue(LoopDevices.linux(untilClosed).detach(file));
            assertTrue(untilClosed.nanos() > 0, "nobody held the device");
        }
        assertEquals(Optional.empty(), loops.find(file));
    }

    @Test
    void aDeviceInUseElsewhereIsSaidNotToBeDetachedYet() throws Exception {
        Path file = file("one");
        LoopDevice device = loops.attach(file, false);
        try (RandomAccessFile _ = new RandomAccessFile(device.path().toFile(), "r")) {
            LoopDevices impatient = LoopDevices.linux(new SystemTime(), Duration.ZERO);
            KernelTrouble trouble = assertThrows(KernelTrouble.class, () -> impatient.detach(file));
            assertTrue(trouble.reason().contains("still open"), trouble.reason());
        }
        assertEquals(Optional.empty(), loops.find(file));
    }

    @Test
    void aFileThatIsAbsentIsNamed() {
        KernelTrouble trouble = assertThrows(KernelTrouble.class, () -> loops.attach(root.resolve("absent"), false));
        assertTrue(trouble.reason().contains("absent"), trouble.reason());
    }

    /** Time that passes only in sleep, during which {@code meanwhile} happens. */
    private static final class SleepingTime implements Time {
        private final Closeable meanwhile;
        private long nanos;

        SleepingTime(Closeable meanwhile) {
            this.meanwhile = meanwhile;
        }

        @Override
        public Instant now() {
            return Instant.EPOCH.plusNanos(nanos);
        }

        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public void sleep(Duration duration) {
            nanos += duration.toNanos();
            try {
                meanwhile.close();
            } catch (IOException unexpected) {
                throw new UncheckedIOException(unexpected);
            }
        }

        @Override
        public boolean await(Condition condition, Deadline deadline) {
            throw new AssertionError("loop devices signal nobody");
        }
    }
}
