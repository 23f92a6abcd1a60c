package io.cleat.state;

import io.cleat.base.Since;
import io.cleat.model.HostVolume;
import io.cleat.model.HostVolumeNames;
import io.cleat.model.HostVolumeSpec;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeModes;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A host volume that was asked for. Whether it can be used is its node's to say: it is ready while the node is heard
 * and lists it.
 *
 * @param hostPath where it is on its node; empty until that is known
 * @param capacity bytes, as its plugin says; 0 if it does not
 * @param deleting whether it is to be deleted, and nobody may claim it any more
 * @param order what its node has not answered yet; null once it has
 */
public record HostVolumeRow(
        HostVolumeSpec spec,
        String hostPath,
        long capacity,
        boolean deleting,
        Instant createdAt,
        Instant modifiedAt,
        long createVersion,
        long modifyVersion,
        @Since(Change.STICKY_LEVEL) @Nullable HostVolumeOrder order)
        implements Row<HostVolumeRow>, Claimable {
    /** No id is less. */
    public static final VolumeId FIRST = new VolumeId("", "");

    /** How it is. */
    public enum State {
        /** It is not known yet where it is. */
        PENDING("pending"),
        READY("ready"),
        /** Its node is not heard, does not have it, or is to delete it. */
        UNAVAILABLE("unavailable");

        private final String wire;

        State(String wire) {
            this.wire = wire;
        }

        /** In the API, and in words. */
        public String wire() {
            return wire;
        }
    }

    /** One that is about to be made. */
    public static HostVolumeRow of(HostVolumeSpec spec, Instant now) {
        return new HostVolumeRow(spec, "", 0, false, now, now, 0, 0, null);
    }

    /** Whether a claim with that key is of a host volume. */
    public static boolean isFor(VolumeKey key) {
        return key.pluginId().equals(HostVolumeNames.PLUGIN);
    }

    /** The key of the one with that id. */
    public static VolumeKey key(String id) {
        return new VolumeKey(HostVolumeNames.PLUGIN, id);
    }

    /** The one with that id; empty also for the id of a CSI volume. */
    public static Optional<HostVolumeRow> find(ClusterState state, VolumeId id) {
        return HostVolumeNames.isFor(id)
                ? state.hostVolumes()
                        .find(key(HostVolumeNames.id(id)))
                        .filter(row -> row.id().equals(id))
                : Optional.empty();
    }

    @Override
    public VolumeKey key() {
        return key(spec.id());
    }

    @Override
    public VolumeId id() {
        return HostVolumeNames.volume(spec.namespace(), spec.id());
    }

    @Override
    public List<VolumeModes> capabilities() {
        return spec.capabilities();
    }

    /** How it is, by what its node says. */
    public State state(ClusterState image) {
        if (isListed(image) && !deleting) {
            return State.READY;
        }
        return hostPath.isEmpty() && !deleting ? State.PENDING : State.UNAVAILABLE;
    }

    private boolean isListed(ClusterState image) {
        return image.node(spec.nodeId())
                .filter(node -> node.status() == NodeStatus.READY)
                .map(node -> node.facts().hostVolumes().get(spec.name()))
                .map(HostVolume::id)
                .equals(Optional.of(spec.id()));
    }

    /** The same, of which it is known where it is. */
    public HostVolumeRow made(String path, long bytes, Instant at) {
        return new HostVolumeRow(
                spec, path, bytes, deleting, createdAt, at, createVersion, modifyVersion, deleting ? order : null);
    }

    /** The same, to be deleted or not. */
    public HostVolumeRow deleting(boolean is, Instant at) {
        return new HostVolumeRow(spec, hostPath, capacity, is, createdAt, at, createVersion, modifyVersion, null);
    }

    /** The same, of which its node is to be asked, or asked again; null if it has answered. */
    public HostVolumeRow ordered(@Nullable HostVolumeOrder what, Instant at) {
        return new HostVolumeRow(spec, hostPath, capacity, deleting, createdAt, at, createVersion, modifyVersion, what);
    }

    /** The same, asked for in another way. */
    public HostVolumeRow withSpec(HostVolumeSpec other, Instant at) {
        return new HostVolumeRow(
                other, hostPath, capacity, deleting, createdAt, at, createVersion, modifyVersion, order);
    }

    @Override
    public HostVolumeRow stamped(long newCreate, long newModify) {
        return new HostVolumeRow(
                spec, hostPath, capacity, deleting, createdAt, modifiedAt, newCreate, newModify, order);
    }
}
