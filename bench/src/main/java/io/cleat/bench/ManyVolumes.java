package io.cleat.bench;

import io.cleat.model.AccessMode;
import io.cleat.model.AttachmentMode;
import io.cleat.model.MountOptions;
import io.cleat.model.TopologyRequest;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeModes;
import io.cleat.model.VolumeSpec;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.Encrypted;
import io.cleat.state.VolumeRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Volumes as people have them, as many as one likes. */
final class ManyVolumes {
    private static final String PLUGIN = "local";

    private static final int AT_ONCE = 500;

    private ManyVolumes() {}

    /** An image of {@code count} volumes and nothing else; a multiple of 500. */
    static ClusterState image(int count) {
        ClusterState image = ClusterState.empty();
        for (int i = 0; i < count; i += AT_ONCE) {
            image = image.apply(puts(i, AT_ONCE), image.version() + 1, Instant.EPOCH);
        }
        return image;
    }

    static List<Change> puts(int first, int count) {
        List<Change> changes = new ArrayList<>();
        for (int i = first; i < first + count; i++) {
            changes.add(new Change.VolumePut(row(i)));
        }
        return changes;
    }

    static VolumeId id(int number) {
        return new VolumeId("default", String.format(Locale.ROOT, "volume-%08d", number));
    }

    /** An idle ext4 volume of one writer, with secrets. */
    static VolumeRow row(int number) {
        VolumeId id = id(number);
        VolumeSpec spec = new VolumeSpec(
                id,
                id.id(),
                String.format(Locale.ROOT, "3f9c2a17-0000-4000-8000-%012x", number),
                PLUGIN,
                List.of(new VolumeModes(AccessMode.SINGLE_NODE_WRITER, AttachmentMode.FILE_SYSTEM)),
                new MountOptions("ext4", List.of("noatime")),
                1 << 26,
                1 << 27,
                Map.of("type", "ext4"),
                Map.of("type", "ext4"),
                TopologyRequest.NONE,
                "",
                "");
        return VolumeRow.of(
                spec,
                new Encrypted("c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3JldC0" + number),
                1 << 26,
                List.of(),
                Instant.EPOCH);
    }
}
