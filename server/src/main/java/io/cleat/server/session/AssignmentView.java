package io.cleat.server.session;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Secrets;
import io.cleat.model.BlockedBy;
import io.cleat.model.DesiredStatus;
import io.cleat.model.JobSpec;
import io.cleat.model.TaskGroup;
import io.cleat.model.VolumeSpec;
import io.cleat.server.decide.AttachProgress;
import io.cleat.server.vault.Purpose;
import io.cleat.server.vault.Vault;
import io.cleat.state.AllocationRow;
import io.cleat.state.AttachmentId;
import io.cleat.state.AttachmentRow;
import io.cleat.state.AttachmentState;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClaimState;
import io.cleat.state.ClusterState;
import io.cleat.state.Encrypted;
import io.cleat.state.HoldingRow;
import io.cleat.state.HostVolumeRow;
import io.cleat.state.JobVersionRow;
import io.cleat.state.VolumeRow;
import io.cleat.state.VolumeTombstone;
import io.cleat.wire.ToNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What one node is to make true, read from one image. Secrets become plain here and nowhere else. */
final class AssignmentView {
    private final ClusterState state;
    private final String nodeId;

    AssignmentView(ClusterState state, String nodeId) {
        this.state = state;
        this.nodeId = nodeId;
    }

    /** The allocations that the node is told of. */
    List<AllocationRow> allocations() {
        return state.allocationsOnNode(nodeId).stream().filter(this::isTold).toList();
    }

    /** One of them; empty if it is none. */
    Optional<AllocationRow> allocation(String id) {
        return state.allocation(id).filter(row -> row.nodeId().equals(nodeId)).filter(this::isTold);
    }

    private boolean isTold(AllocationRow allocation) {
        return state.jobVersion(allocation.jobVersion()).isPresent();
    }

    /** What the assignment of one is made of: while it is equal, that is. */
    Source source(AllocationRow allocation) {
        List<ClaimSource> claims = new ArrayList<>();
        for (ClaimRow claim : state.claims().ofAllocation(allocation.id())) {
            VolumeRow volume = volumeOf(claim).orElse(null);
            claims.add(new ClaimSource(
                    claim.modifyVersion(),
                    attachmentOf(claim).map(AttachmentRow::modifyVersion).orElse(0L),
                    claim.state() == ClaimState.GRANTED ? notThere(claim) : null,
                    volume == null ? null : volume.spec(),
                    volume == null ? Encrypted.NONE : volume.secrets(),
                    volume == null ? 0 : volume.expandTo(),
                    volume != null && volume.compareOnly(),
                    unknown(claim)));
        }
        return new Source(allocation.stamps().allocModifyVersion(), desired(allocation), claims);
    }

    /**
     * What has ended is not begun once more by a node that has lost what it had written down of it: its replacement may
     * run.
     */
    private static DesiredStatus desired(AllocationRow allocation) {
        return allocation.isEnded() && allocation.desired() == DesiredStatus.RUN
                ? DesiredStatus.STOP
                : allocation.desired();
    }

    /** One allocation, as far as its assignment depends on it. */
    record Source(long version, DesiredStatus desired, List<ClaimSource> claims) {
        Source {
            claims = List.copyOf(claims);
        }
    }

    /** One claim, likewise. */
    record ClaimSource(
            long version,
            long attachment,
            @Nullable BlockedBy notThere,
            @Nullable VolumeSpec spec,
            Encrypted secrets,
            long expandTo,
            boolean compareOnly,
            @Nullable BlockedBy unknown) {}

    /** One of {@link #allocations}, as the node is told of it. */
    ToNode.Assignment assignment(AllocationRow allocation, Vault vault) {
        JobVersionRow jobVersion = state.jobVersion(allocation.jobVersion()).orElseThrow();
        Map<String, ToNode.AssignedVolume> volumes = new TreeMap<>();
        for (ClaimRow claim : state.claims().ofAllocation(allocation.id())) {
            if (HostVolumeRow.isFor(claim.key())) {
                volumes.put(claim.alias(), assigned(claim));
                continue;
            }
            volumeOf(claim).ifPresent(volume -> volumes.put(claim.alias(), assigned(claim, volume, vault)));
        }
        return new ToNode.Assignment(
                allocation.id(),
                allocation.name(),
                allocation.identity().index(),
                allocation.lineage().evalId(),
                asGiven(jobVersion.spec(), allocation),
                allocation.byVersion().jobNumber(),
                allocation.group(),
                desired(allocation),
                volumes,
                allocation.wanted().noShutdownDelay(),
                allocation.deployment() == null ? null : allocation.deployment().id(),
                allocation.placed().ports());
    }

    /** The job with the cores that the allocation's tasks were given, where they want some. */
    private static JobSpec asGiven(JobSpec job, AllocationRow allocation) {
        boolean hasCores = allocation.placed().resources().values().stream().anyMatch(each -> each.cores() > 0);
        return hasCores
                ? job.withGroups(job.groups().stream()
                        .map(group -> group.name().equals(allocation.group()) ? asGiven(group, allocation) : group)
                        .toList())
                : job;
    }

    private static TaskGroup asGiven(TaskGroup group, AllocationRow allocation) {
        return group.withTasks(group.tasks().stream()
                .map(task -> task.edit()
                        .resources(allocation.placed().resources().getOrDefault(task.name(), task.resources()))
                        .done())
                .toList());
    }

    /** Of a host volume: nothing is attached for it, and it has no secrets. */
    private ToNode.AssignedVolume assigned(ClaimRow claim) {
        BlockedBy unknown = unknown(claim);
        boolean isGranted = claim.state() == ClaimState.GRANTED && unknown == null;
        return new ToNode.AssignedVolume(
                claim.volume(),
                claim.key().pluginId(),
                claim.key().externalId(),
                claim.readOnly(),
                claim.modes(),
                claim.mountOptions(),
                Map.of(),
                isGranted ? new ToNode.Grant(claim.epoch(), Secrets.none(), Secrets.none(), 0, false) : null,
                isGranted ? null : unknown == null ? claim.blockedBy() : unknown);
    }

    private ToNode.AssignedVolume assigned(ClaimRow claim, VolumeRow volume, Vault vault) {
        ToNode.@Nullable Grant grant = null;
        BlockedBy waitingFor = claim.blockedBy();
        if (claim.state() == ClaimState.GRANTED) {
            Optional<AttachmentRow> attachment = attachmentOf(claim).filter(row -> row.covers(claim));
            waitingFor = attachment.isPresent() ? coming(attachment.get()) : notThere(claim);
            BlockedBy unknown = unknown(claim);
            waitingFor = unknown == null ? waitingFor : unknown;
            if (waitingFor == null) {
                try {
                    grant = grant(claim, volume, attachment, vault);
                } catch (DiskTrouble trouble) {
                    waitingFor = unreadable(claim.since(), trouble);
                }
            }
        }
        return new ToNode.AssignedVolume(
                claim.volume(),
                claim.key().pluginId(),
                claim.key().externalId(),
                claim.readOnly(),
                claim.modes(),
                claim.mountOptions(),
                volume.spec().context(),
                grant,
                waitingFor);
    }

    /** What an attachment that is not attached waits for; null if it is attached. */
    private static @Nullable BlockedBy coming(AttachmentRow attachment) {
        if (attachment.state() == AttachmentState.ATTACHED) {
            return null;
        }
        BlockedBy told = attachment.blockedBy();
        return told != null
                ? told
                : new BlockedBy(
                        "attach",
                        "plugin " + attachment.id().key().pluginId(),
                        attachment.since(),
                        null,
                        "the volume is " + attachment.state().wire() + " here");
    }

    /** What a claim without an attachment waits for; null if it needs none. */
    private @Nullable BlockedBy notThere(ClaimRow claim) {
        BlockedBy next = AttachProgress.of(state, claim, claim.since());
        BlockedBy told = claim.blockedBy();
        return next != null && told != null ? told : next;
    }

    /** What holds a claim's volume and is not known here; null for nothing. */
    private @Nullable BlockedBy unknown(ClaimRow claim) {
        return HoldingRow.unknown(state, claim.key()).stream()
                .findFirst()
                .map(holding -> AttachProgress.unknown(state, holding, claim.since()))
                .orElse(null);
    }

    private static ToNode.Grant grant(ClaimRow claim, VolumeRow volume, Optional<AttachmentRow> attachment, Vault vault)
            throws DiskTrouble {
        Secrets context = Secrets.none();
        if (attachment.isPresent()) {
            AttachmentRow row = attachment.get();
            context = vault.decrypt(row.publishContext(), Purpose.publishContext(row.id()));
        }
        return new ToNode.Grant(
                claim.epoch(),
                context,
                vault.decrypt(volume.secrets(), Purpose.volume(volume.id())),
                volume.expandTo(),
                volume.compareOnly());
    }

    private static BlockedBy unreadable(Instant since, DiskTrouble trouble) {
        return new BlockedBy(
                "secrets",
                "the server: " + trouble.reason(),
                since,
                null,
                "the claim goes on once the server can read the volume's secrets");
    }

    private Optional<AttachmentRow> attachmentOf(ClaimRow claim) {
        return state.attachments().get(new AttachmentId(claim.key(), claim.nodeId()));
    }

    private Optional<VolumeRow> volumeOf(ClaimRow claim) {
        return state.volume(claim.volume())
                .or(() -> state.volumeTombstone(claim.key()).map(VolumeTombstone::volume));
    }
}
