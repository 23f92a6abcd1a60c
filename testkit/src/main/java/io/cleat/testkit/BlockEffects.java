package io.cleat.testkit;

import io.cleat.base.KernelTrouble;
import io.cleat.base.SystemTime;
import io.cleat.csi.v1.NodeExpandVolumeRequest;
import io.cleat.csi.v1.NodePublishVolumeRequest;
import io.cleat.csi.v1.NodeStageVolumeRequest;
import io.cleat.csi.v1.NodeUnpublishVolumeRequest;
import io.cleat.csi.v1.NodeUnstageVolumeRequest;
import io.cleat.kernel.LoopDevice;
import io.cleat.kernel.LoopDevices;
import io.cleat.kernel.MountTable;
import io.cleat.kernel.Mounts;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * Real devices for the fake plugin: a volume is a sparse file of the pool behind a loop device, which is attached where
 * the volume is staged and shown where it is published. Needs root.
 */
public final class BlockEffects implements NodeEffects {
    /** Bytes of a volume before it grows. */
    public static final long BYTES = 1 << 20;

    private final Path pool;
    private final Mounts mounts = Mounts.linux();
    private final LoopDevices loops = LoopDevices.linux(new SystemTime(), Duration.ZERO);
    private volatile Shown shown = Shown.BOUND;
    private volatile boolean readsOnlyWhenAsked = true;

    /** What is made at the target. */
    public enum Shown {
        /** The device, bound onto a file. */
        BOUND,
        /** A device file of its own. */
        MADE,
        /** Nothing at all. */
        NOTHING,
        /** A file with something in it. */
        FILE,
        /** An empty directory. */
        DIRECTORY,
        /** A device file of a device that is not there. */
        NO_DEVICE,
        /** The device of the first volume of the pool. */
        OTHERS
    }

    /** @param pool has a file per volume id; made here */
    public BlockEffects(Path pool) {
        Assumptions.assumeTrue(Files.exists(Path.of("/dev/loop-control")), "reason: this kernel has no loop devices");
        this.pool = pool;
    }

    /** What publishing makes from now on. */
    public void show(Shown what) {
        shown = what;
    }

    /** Publishes for writing from now on, whatever is asked. */
    public void ignoreReadOnly() {
        readsOnlyWhenAsked = false;
    }

    /** The device of a staged volume. */
    public Path device(String volumeId) throws IOException {
        return loop(volumeId).path();
    }

    private LoopDevice loop(String volumeId) throws IOException {
        return made(() -> loops.find(file(volumeId))).orElseThrow(() -> new IOException(volumeId + " is not attached"));
    }

    private Path file(String volumeId) {
        return pool.resolve(volumeId);
    }

    /** Detaches what a failed test has left. */
    public void end() throws Exception {
        try (Stream<Path> files = Files.list(pool)) {
            for (Path file : files.toList()) {
                Optional<LoopDevice> loop = loops.find(file);
                if (loop.isPresent()) {
                    for (var mount : MountTable.readTwice().mounts()) {
                        if (mount.root().equals("/" + loop.get().path().getFileName())) {
                            mounts.detach(Path.of(mount.target()));
                        }
                    }
                    loops.detach(file);
                }
            }
        }
    }

    @Override
    public void stage(NodeStageVolumeRequest request) throws IOException {
        Path file = file(request.getVolumeId());
        if (!Files.exists(file)) {
            lengthen(file, BYTES);
        }
        made(() -> loops.attach(file, false));
    }

    private static void lengthen(Path file, long bytes) throws IOException {
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(bytes);
        }
    }

    @Override
    public void unstage(NodeUnstageVolumeRequest request) throws IOException {
        made(() -> loops.detach(file(request.getVolumeId())));
    }

    @Override
    public void publish(NodePublishVolumeRequest request) throws IOException {
        Path target = Path.of(request.getTargetPath());
        Path file = file(request.getVolumeId());
        boolean readOnly = request.getReadonly() && readsOnlyWhenAsked;
        if (loop(request.getVolumeId()).readOnly() != readOnly) {
            made(() -> loops.detach(file));
            made(() -> loops.attach(file, readOnly));
        }
        LoopDevice own = loop(request.getVolumeId());
        Files.deleteIfExists(target);
        switch (shown) {
            case BOUND -> bind(own, target);
            case MADE -> make(target, own.device().minor());
            case NOTHING -> {}
            case FILE -> Files.writeString(target, "no device");
            case DIRECTORY -> Files.createDirectory(target);
            case NO_DEVICE -> make(target, (1 << 20) - 1);
            case OTHERS -> bind(first(), target);
        }
    }

    private LoopDevice first() throws IOException {
        try (Stream<Path> files = Files.list(pool)) {
            return loop(String.valueOf(files.sorted().findFirst().orElseThrow().getFileName()));
        }
    }

    private void bind(LoopDevice device, Path target) throws IOException {
        Files.createFile(target);
        made(() -> {
            mounts.bind(device.path(), target);
            return true;
        });
    }

    private static void make(Path target, int minor) throws IOException {
        Process mknod = new ProcessBuilder("mknod", target.toString(), "b", "7", Integer.toString(minor))
                .inheritIO()
                .start();
        try {
            if (mknod.waitFor() != 0) {
                throw new IOException("mknod failed for " + target);
            }
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", end);
        }
    }

    @Override
    public void unpublish(NodeUnpublishVolumeRequest request) throws IOException {
        Path target = Path.of(request.getTargetPath());
        made(() -> mounts.unmount(target));
        Files.deleteIfExists(target);
    }

    @Override
    public void expand(NodeExpandVolumeRequest request) throws IOException {
        grow(request.getVolumeId(), request.getCapacityRange().getRequiredBytes());
    }

    /** As a storage system makes a volume larger whose device grows by itself. */
    public void grow(String volumeId, long bytes) throws IOException {
        Path file = file(volumeId);
        lengthen(file, bytes);
        made(() -> {
            loops.resize(file);
            return true;
        });
    }

    /** A call to the kernel. */
    private interface Call<T> {
        T make() throws KernelTrouble, InterruptedException;
    }

    private static <T> T made(Call<T> call) throws IOException {
        try {
            return call.make();
        } catch (KernelTrouble trouble) {
            throw new IOException(trouble.reason(), trouble);
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", end);
        }
    }
}
