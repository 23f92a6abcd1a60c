package io.cleat.localplugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Volumes made bigger, in use and not. */
class GrowthTest {
    private static final long BIG = 512 * Sizes.MIB;

    @TempDir
    Path directory;

    @BeforeEach
    void volumesCanBeMounted() {
        Ground.needsImages();
    }

    @AfterEach
    void takeTheRestAway() throws Exception {
        new Ground(directory).clear();
    }

    /** What a consumer sees: the size of the file system, or of the device. */
    private static long seen(VolumeType type, Path target) throws Exception {
        if (type != VolumeType.BLOCK) {
            return Files.getFileStore(target).getTotalSpace();
        }
        try (RandomAccessFile device = new RandomAccessFile(target.toFile(), "r")) {
            device.seek(BIG - 512);
            return device.read() < 0 ? 0 : BIG;
        }
    }

    @ParameterizedTest
    @EnumSource(names = "DIRECTORY", mode = EnumSource.Mode.EXCLUDE)
    void aVolumeInUseGrowsUnderItsWriter(VolumeType type) throws Exception {
        Assumptions.assumeTrue(
                type != VolumeType.EXT4 || Images.mayGrowMountedExt4(),
                "reason: this process has no CAP_SYS_RESOURCE, which growing a mounted ext4 needs");
        try (Served served = new Served(directory)) {
            Caller caller = served.caller();
            String id = caller.create("v", type, type.least());
            Path target = served.target("v");
            caller.attach(id, Caller.writer(type), false);
            caller.stage(id, served.staging("v"), Caller.writer(type));
            caller.publish(id, served.staging("v"), target, Caller.writer(type));
            AtomicBoolean done = new AtomicBoolean();
            AtomicReference<Throwable> failure = new AtomicReference<>(new Throwable("none"));
            Throwable none = failure.get();
            Thread writer = Thread.ofPlatform().start(() -> {
                try {
                    for (int i = 0; !done.get(); i++) {
                        Content.write(type, target, "line " + i);
                    }
                } catch (Exception stopped) {
                    failure.set(stopped);
                }
            });
            try {
                assertTrue(caller.expand(id, BIG));
                assertTrue(caller.expand(id, BIG));
                caller.expandOnNode(id, target, BIG);
                caller.expandOnNode(id, target, BIG);
            } finally {
                done.set(true);
                writer.join();
            }
            assertEquals(none, failure.get());
            assertTrue(Content.read(type, target).startsWith("line "));
            assertTrue(seen(type, target) > BIG * 3 / 4, () -> "not grown");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aVolumeThatNobodyUsesGrowsWhenItIsUsed(VolumeType type) throws Exception {
        try (Served served = new Served(directory)) {
            Caller caller = served.caller();
            String id = caller.create("v", type, Math.max(1, type.least()));
            assertFalse(caller.expand(id, BIG));
            caller.stage(id, served.staging("v"), Caller.writer(type));
            caller.publish(id, served.staging("v"), served.target("v"), Caller.writer(type));
            assertTrue(seen(type, served.target("v")) > BIG * 3 / 4);
            caller.expandOnNode(id, served.target("v"), BIG);
            PluginTest.refused(
                    Status.Code.OUT_OF_RANGE,
                    "ControllerExpandVolume comes first",
                    () -> caller.expandOnNode(id, served.target("v"), BIG + 1));
        }
    }

    @Test
    void aMountedExt4ThatMayNotGrowSaysHowItCan() throws Exception {
        Assumptions.assumeFalse(Images.mayGrowMountedExt4(), "reason: this process has CAP_SYS_RESOURCE");
        try (Served served = new Served(directory)) {
            Caller caller = served.caller();
            String id = caller.create("v", VolumeType.EXT4, 16 * Sizes.MIB);
            Path staging = served.staging("v");
            caller.stage(id, staging, Caller.WRITER);
            assertTrue(caller.expand(id, BIG));
            PluginTest.refused(
                    Status.Code.FAILED_PRECONDITION, "CAP_SYS_RESOURCE", () -> caller.expandOnNode(id, staging, BIG));
            caller.stage(id, staging, Caller.WRITER);
            caller.unstage(id, staging);
            caller.stage(id, staging, Caller.WRITER);
            assertTrue(seen(VolumeType.EXT4, staging) > BIG * 3 / 4);
        }
    }

    @Test
    void growthIsBoundedAsCreationIs() throws Exception {
        try (Served served = new Served(directory, "--capacity=" + 64 * Sizes.MIB)) {
            Caller caller = served.caller();
            String id = caller.create("v", VolumeType.EXT4, 32 * Sizes.MIB);
            PluginTest.refused(
                    Status.Code.RESOURCE_EXHAUSTED, "room for 33554432 bytes", () -> caller.expand(id, 65 * Sizes.MIB));
            assertFalse(caller.expand(id, 64 * Sizes.MIB));
        }
    }
}
