package io.cleat.testkit;

import io.cleat.base.KernelTrouble;
import io.cleat.csi.v1.NodePublishVolumeRequest;
import io.cleat.csi.v1.NodeStageVolumeRequest;
import io.cleat.csi.v1.NodeUnpublishVolumeRequest;
import io.cleat.csi.v1.NodeUnstageVolumeRequest;
import io.cleat.kernel.Mounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Real mounts for the fake plugin: a volume is a directory of the pool, bound to where it is staged and from there to
 * where it is published. Needs root.
 */
public final class BindMountEffects implements NodeEffects {
    private final Path pool;
    private final Mounts mounts = Mounts.linux();
    private volatile Predicate<Boolean> readOnly = asked -> asked;
    private volatile int binds = 1;
    private volatile boolean beside;
    private volatile boolean over;
    private volatile boolean shared;
    private volatile @Nullable Path staged;

    /** @param pool has a directory per volume id; made here */
    public BindMountEffects(Path pool) {
        this.pool = pool;
    }

    /** A volume's directory, where its files are. */
    public Path files(String volumeId) {
        return pool.resolve(volumeId);
    }

    /** Publishes for writing from now on, whatever is asked. */
    public void ignoreReadOnly() {
        readOnly = asked -> false;
    }

    /** Publishes read-only from now on, whatever is asked. */
    public void alwaysReadOnly() {
        readOnly = asked -> true;
    }

    /**
     * Binds a volume so often onto its target from now on. Where the two share one group of peers, each time doubles
     * the mount table.
     */
    public void bindOften(int times) {
        binds = times;
    }

    /** From now on shares a staging with what is bound from it, as a container's are. */
    public void shareStagings() {
        shared = true;
    }

    /** From now on binds a volume onto a directory beside its target too. */
    public void bindBeside() {
        beside = true;
    }

    /** From now on mounts over the directory that a target lies in too, once it is bound. */
    public void bindOverParent() {
        over = true;
    }

    /** Puts a link in the place of what it is to stage at, from now on. */
    public void stageAsLinkTo(Path elsewhere) {
        staged = elsewhere;
    }

    /** A mount call. */
    private interface Call {
        void make() throws KernelTrouble;
    }

    @Override
    public void stage(NodeStageVolumeRequest request) throws IOException {
        Path elsewhere = staged;
        if (elsewhere != null) {
            Path staging = Path.of(request.getStagingTargetPath());
            Files.delete(staging);
            Files.createSymbolicLink(staging, elsewhere);
            return;
        }
        Path from = Files.createDirectories(files(request.getVolumeId()));
        make(() -> mounts.bind(from, Path.of(request.getStagingTargetPath())));
    }

    @Override
    public void unstage(NodeUnstageVolumeRequest request) throws IOException {
        make(() -> mounts.unmount(Path.of(request.getStagingTargetPath())));
    }

    @Override
    public void publish(NodePublishVolumeRequest request) throws IOException {
        Path target = Path.of(request.getTargetPath());
        Path from = request.getStagingTargetPath().isEmpty()
                ? Files.createDirectories(files(request.getVolumeId()))
                : Path.of(request.getStagingTargetPath());
        if (!Files.exists(target)) {
            Files.createDirectory(target);
        }
        if (beside) {
            Path other = Files.createDirectories(target.resolveSibling("beside"));
            make(() -> mounts.bind(from, other));
        }
        make(() -> {
            if (shared) {
                mounts.spread(from, Mounts.Spread.SHARED);
            }
            for (int i = 0; i < binds; i++) {
                mounts.bind(from, target);
            }
            if (over) {
                mounts.bind(from, Objects.requireNonNull(target.getParent()));
            }
            if (readOnly.test(request.getReadonly())) {
                mounts.remountReadOnly(target);
            }
        });
    }

    @Override
    public void unpublish(NodeUnpublishVolumeRequest request) throws IOException {
        Path target = Path.of(request.getTargetPath());
        make(() -> mounts.unmount(target));
        Files.deleteIfExists(target);
    }

    private static void make(Call call) throws IOException {
        try {
            call.make();
        } catch (KernelTrouble trouble) {
            throw new IOException(trouble.reason(), trouble);
        }
    }
}
