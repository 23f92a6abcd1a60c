package io.cleat.agent.host;

import io.cleat.agent.volumes.Expansion;
import io.cleat.agent.volumes.GrantedClaim;
import io.cleat.agent.volumes.NodeVolumes;
import io.cleat.agent.volumes.Publication;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Trouble;
import io.cleat.model.BlockedBy;
import io.cleat.model.HostVolumeNames;
import io.cleat.model.VolumeId;
import io.cleat.wire.ToServer;
import io.cleat.wire.ToServer.VolumePhase;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** All volumes that allocations use: those that plugins mount, and host volumes, which are there as they are. */
public final class VolumesOfNode implements NodeVolumes {
    private final NodeVolumes mounted;
    private final HostVolumes hosts;

    public VolumesOfNode(NodeVolumes mounted, HostVolumes hosts) {
        this.mounted = mounted;
        this.hosts = hosts;
    }

    private static boolean isForHost(GrantedClaim claim) {
        return claim.pluginId().equals(HostVolumeNames.PLUGIN);
    }

    @Override
    public Publication publish(GrantedClaim claim, Progress progress) throws Trouble, InterruptedException {
        return isForHost(claim) ? hosts.use(claim) : mounted.publish(claim, progress);
    }

    @Override
    public Publication remount(GrantedClaim claim, Progress progress) throws Trouble, InterruptedException {
        return isForHost(claim) ? hosts.use(claim) : mounted.remount(claim, progress);
    }

    @Override
    public Optional<BlockedBy> broken(String allocId, String alias) {
        return hosts.isUsed(allocId, alias) ? Optional.empty() : mounted.broken(allocId, alias);
    }

    @Override
    public void unpublish(String allocId, String alias, Progress progress) throws InterruptedException {
        if (hosts.isUsed(allocId, alias)) {
            hosts.letGo(allocId, alias);
        } else {
            mounted.unpublish(allocId, alias, progress);
        }
    }

    @Override
    public boolean expand(GrantedClaim claim, Expansion expansion, Progress progress) throws InterruptedException {
        return !isForHost(claim) && mounted.expand(claim, expansion, progress);
    }

    @Override
    public Optional<Publication> published(String allocId, String alias) {
        return hosts.publication(allocId, alias).or(() -> mounted.published(allocId, alias));
    }

    @Override
    public Map<String, VolumePhase> phases(String allocId) {
        Map<String, VolumePhase> phases = new TreeMap<>(mounted.phases(allocId));
        hosts.aliases(allocId).forEach(alias -> phases.put(alias, VolumePhase.PUBLISHED));
        return phases;
    }

    @Override
    public List<Path> unrecorded(String allocId, Collection<VolumeId> volumes) throws KernelTrouble {
        return mounted.unrecorded(
                allocId,
                volumes.stream()
                        .filter(volume -> !HostVolumeNames.isFor(volume))
                        .toList());
    }

    @Override
    public long epoch(String allocId, String alias) {
        return hosts.isUsed(allocId, alias) ? hosts.epoch(allocId, alias) : mounted.epoch(allocId, alias);
    }

    @Override
    public List<ToServer.Held> held() {
        return Stream.concat(mounted.held().stream(), hosts.held().stream()).toList();
    }

    @Override
    public void foundRunning(String allocId, Map<String, VolumeId> volumes) {
        hosts.found(allocId, volumes);
    }
}
