package io.cleat.localplugin;

import io.cleat.base.DiskTrouble;
import io.cleat.base.KernelTrouble;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What a volume can be made from: a snapshot, or another volume as it is now. */
final class Sources {
    private final Pool pool;
    private final Snapshots snapshots;
    private final Freezing freezing;
    private final Copying copying;

    Sources(Pool pool, Snapshots snapshots, Freezing freezing, Copying copying) {
        this.pool = pool;
        this.snapshots = snapshots;
        this.freezing = freezing;
        this.copying = copying;
    }

    /**
     * A source that was found.
     *
     * @param volume the volume, where it is one and so may be in use
     */
    record Origin(VolumeType type, long bytes, Path content, Optional<Volume> volume) {}

    /**
     * Finds a source; the caller holds it.
     *
     * @throws CallRefused with NOT_FOUND
     */
    Origin find(Volume.Source source) throws CallRefused, DiskTrouble {
        return switch (source.kind()) {
            case SNAPSHOT -> {
                Snapshot found = snapshots.require(source.id());
                yield new Origin(found.type(), found.bytes(), pool.snapshots().content(found), Optional.empty());
            }
            case VOLUME -> {
                Volume found = pool.volumes().require(source.id());
                yield new Origin(found.type(), found.bytes(), pool.volumes().content(found), Optional.of(found));
            }
        };
    }

    /** Copies the content of {@code origin} to {@code to}. */
    void copy(Origin origin, Path to) throws CallRefused, DiskTrouble, KernelTrouble, InterruptedException {
        if (origin.volume().isEmpty()) {
            copying.copy(origin.type(), origin.content(), to, Copying.Footing.STILL);
            return;
        }
        freezing.during(
                List.of(origin.volume().get()),
                footings -> copying.copy(origin.type(), origin.content(), to, footings.getFirst()));
    }
}
