package io.cleat.localplugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Chance;
import io.cleat.base.DiskTrouble;
import io.cleat.base.Ids;
import io.cleat.base.KernelTrouble;
import io.cleat.base.SystemTime;
import io.cleat.base.Time;
import io.cleat.csi.v1.VolumeCapability.AccessMode.Mode;
import io.cleat.kernel.DurableFiles;
import io.cleat.kernel.FileSystems;
import io.cleat.kernel.LoopDevice;
import io.cleat.kernel.LoopDevices;
import io.cleat.kernel.MountTable;
import io.cleat.kernel.Mounts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The node's steps die before and after each thing they do to the kernel; new objects over the same pool repeat the
 * step. How many points there are is found by running until none is left.
 */
class CrashPointTest {
    private static final int POINTS_KNOWN_TO_EXIST = 10;

    /** A mount namespace that another test begins has what is mounted here at that moment, for as long as it lives. */
    private static final Duration LAST_USER = Duration.ofMinutes(1);

    /** More than the least of each type, so that file systems have to grow when staged. */
    private static final long SIZE = 320 * Sizes.MIB;

    @TempDir
    Path directory;

    private final Time time = new SystemTime();

    @BeforeEach
    void volumesCanBeMounted() {
        Ground.needsImages();
    }

    @AfterEach
    void takeTheRestAway() throws Exception {
        new Ground(directory).clear();
    }

    /** The process's death at a point; nothing catches it on the way. */
    private static final class Died extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /** Counts the points that are passed; its caller dies at the {@code left}-th, once. */
    private static final class Points {
        private int left;

        Points(int point) {
            this.left = point;
        }

        void pass() {
            if (--left == 0) {
                throw new Died();
            }
        }

        boolean isPassed() {
            return left <= 0;
        }
    }

    private record DyingMounts(Mounts real, Points points) implements Mounts {
        @Override
        public MountTable table() throws KernelTrouble {
            return real.table();
        }

        @Override
        public void mount(String source, Path target, String fsType, Set<Flag> flags, String options)
                throws KernelTrouble {
            points.pass();
            real.mount(source, target, fsType, flags, options);
            points.pass();
        }

        @Override
        public void bind(Path source, Path target) throws KernelTrouble {
            points.pass();
            real.bind(source, target);
            points.pass();
        }

        @Override
        public void bindAll(Path source, Path target) {
            throw new AssertionError("the plugin binds one mount at a time");
        }

        @Override
        public void remountReadOnly(Path target) throws KernelTrouble {
            points.pass();
            real.remountReadOnly(target);
            points.pass();
        }

        @Override
        public void spread(Path target, Spread spread) {
            throw new AssertionError("how mounts spread is the orchestrator's to say");
        }

        @Override
        public boolean unmount(Path target) throws KernelTrouble {
            points.pass();
            boolean unmounted = real.unmount(target);
            points.pass();
            return unmounted;
        }

        @Override
        public boolean detach(Path target) {
            throw new AssertionError("only an operator detaches lazily");
        }
    }

    private record DyingLoops(LoopDevices real, Points points) implements LoopDevices {
        @Override
        public LoopDevice attach(Path file, boolean readOnly) throws KernelTrouble, InterruptedException {
            points.pass();
            LoopDevice device = real.attach(file, readOnly);
            points.pass();
            return device;
        }

        @Override
        public Optional<LoopDevice> find(Path file) throws KernelTrouble {
            return real.find(file);
        }

        @Override
        public boolean detach(Path file) throws KernelTrouble, InterruptedException {
            points.pass();
            boolean detached = real.detach(file);
            points.pass();
            return detached;
        }

        @Override
        public void resize(Path file) throws KernelTrouble {
            points.pass();
            real.resize(file);
            points.pass();
        }
    }

    private NodeSteps steps(Pool pool, Points points) {
        Mounting mounting = new Mounting(
                pool,
                new DyingMounts(Mounts.linux(), points),
                new DyingLoops(LoopDevices.linux(time, LAST_USER), points),
                time,
                Chance.system());
        Images images = new Images(new Programs());
        FreeCapacity free = new FreeCapacity(pool, FileSystems.linux(), OptionalLong.empty());
        return new NodeSteps(pool, mounting, images, new Growth(pool, free, mounting, images), Served.NODE);
    }

    /** One step of the life, on the volume as the pool knows it now. */
    @FunctionalInterface
    private interface Step {
        void run(NodeSteps steps, Volume volume) throws Exception;
    }

    @ParameterizedTest
    @EnumSource
    void eachStepIsFinishedByRepeatingItWhereverItDied(VolumeType type) throws Exception {
        Pool pool = Pool.open(directory.resolve("pool"), Optional.of(Served.NODE), time, Ids.random());
        Volume made = Volume.created(
                pool.label("v", 0), type, Optional.empty(), Volume.Shape.of(0).sized(SIZE, type.isFileSystem()));
        pool.volumes().create(made, content -> make(made, content));
        Path staging = Files.createDirectory(directory.resolve("staging"));
        Path target = directory.resolve("target");
        NodeSteps.Wish wish = new NodeSteps.Wish(Mode.SINGLE_NODE_WRITER, true);
        List<Step> life = List.of(
                (steps, volume) -> steps.stage(volume, staging, Caller.writer(type)),
                (steps, volume) -> steps.publish(volume, staging, target, wish),
                (steps, volume) -> {
                    assertEquals(
                            type == VolumeType.BLOCK ? 1 : 2,
                            new Ground(directory).mounted().size());
                    assertTrue(MountTable.read().at(target).orElseThrow().isReadOnly());
                },
                (steps, volume) -> steps.unpublish(volume, target),
                (steps, volume) -> steps.unstage(volume, staging));
        int point = 1;
        for (Points points = new Points(point); live(pool, made, life, points); ) {
            assertEquals(List.of(), new Ground(directory).mounted());
            assertEquals(List.of(), new Ground(directory).attached());
            assertEquals(
                    Optional.of(made.with(made.shape().sized(made.bytes(), false))),
                    pool.volumes().find(made.id()));
            pool.volumes().save(made);
            points = new Points(++point);
        }
        assertTrue(point > POINTS_KNOWN_TO_EXIST, "only " + point + " points were found");
    }

    private static void make(Volume volume, Path content)
            throws CallRefused, DiskTrouble, KernelTrouble, InterruptedException {
        if (volume.type().isImage()) {
            Images images = new Images(new Programs());
            images.make(content, volume.type(), volume.type().least(), volume.id());
            images.resize(content, volume.bytes());
        } else {
            DurableFiles.makeDirectory(content);
        }
    }

    /** Runs the life; answers whether it died on the way, and went on. */
    private boolean live(Pool pool, Volume volume, List<Step> life, Points points) throws Exception {
        for (Step step : life) {
            try {
                step.run(steps(pool, points), pool.volumes().require(volume.id()));
            } catch (Died died) {
                step.run(steps(pool, points), pool.volumes().require(volume.id()));
            }
        }
        return points.isPassed();
    }
}
