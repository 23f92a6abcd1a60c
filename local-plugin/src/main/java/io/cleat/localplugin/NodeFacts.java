package io.cleat.localplugin;

import io.cleat.base.Trouble;
import io.cleat.csi.v1.NodeGetInfoResponse;
import io.cleat.csi.v1.NodeGetStorageHealthResponse;
import io.cleat.csi.v1.NodeGetVolumeHealthResponse;
import io.cleat.csi.v1.NodeGetVolumeStatsResponse;
import io.cleat.csi.v1.VolumeUsage;
import io.cleat.kernel.FileSystems;
import java.nio.file.Path;

/** What the node service tells: of itself, of its pool, and of a volume that is used here. */
final class NodeFacts {
    private final Pool pool;
    private final Places places;
    private final Mounting mounting;
    private final FileSystems fileSystems;
    private final Health health;
    private final String node;

    NodeFacts(Pool pool, Places places, Mounting mounting, FileSystems fileSystems, Health health, String node) {
        this.pool = pool;
        this.places = places;
        this.mounting = mounting;
        this.fileSystems = fileSystems;
        this.health = health;
        this.node = node;
    }

    NodeGetInfoResponse node() {
        return NodeGetInfoResponse.newBuilder()
                .setNodeId(node)
                .setAccessibleTopology(places.here())
                .build();
    }

    /**
     * Where the volume is staged or published.
     *
     * @param given {@code volume_path} of a request
     * @throws CallRefused with NOT_FOUND when it is not there
     */
    Path place(Volume volume, String given) throws CallRefused, Trouble {
        Path path = Path.of(given);
        if (path.isAbsolute() && path.equals(path.normalize())) {
            Path resolved = PlainPaths.resolveIfThere(path);
            Seen seen = mounting.look(volume);
            if (seen.at(resolved).isPresent() || seen.isStagedAt(resolved, volume, node)) {
                return resolved;
            }
        }
        throw CallRefused.notFound("volume " + volume.id() + " is neither published nor staged at " + given);
    }

    /**
     * A directory shares its file system with the pool, so its figures are those of the pool's disk; of a block volume
     * only its consumer knows what is used.
     */
    NodeGetVolumeStatsResponse statistics(String id, String given) throws CallRefused, Trouble {
        pool.requireThere();
        Volume volume = pool.volumes().require(id);
        Path path = place(volume, given);
        NodeGetVolumeStatsResponse.Builder answer = NodeGetVolumeStatsResponse.newBuilder();
        if (volume.type() == VolumeType.BLOCK) {
            return answer.addUsage(usage(VolumeUsage.Unit.BYTES, volume.bytes(), 0, 0))
                    .build();
        }
        FileSystems.Usage usage = fileSystems.usage(path);
        answer.addUsage(usage(VolumeUsage.Unit.BYTES, usage.total(), usage.used(), usage.available()));
        if (usage.inodes() > 0) {
            answer.addUsage(usage(
                    VolumeUsage.Unit.INODES, usage.inodes(), usage.inodes() - usage.inodesFree(), usage.inodesFree()));
        }
        return answer.build();
    }

    private static VolumeUsage usage(VolumeUsage.Unit unit, long total, long used, long available) {
        return VolumeUsage.newBuilder()
                .setUnit(unit)
                .setTotal(total)
                .setUsed(used)
                .setAvailable(available)
                .build();
    }

    NodeGetVolumeHealthResponse health(String id) throws CallRefused, Trouble {
        pool.requireThere();
        return NodeGetVolumeHealthResponse.newBuilder()
                .setVolumeHealth(health.onNode(id))
                .build();
    }

    NodeGetStorageHealthResponse storage() throws Trouble {
        return NodeGetStorageHealthResponse.newBuilder()
                .addAllBackendHealth(health.ofPool())
                .build();
    }
}
