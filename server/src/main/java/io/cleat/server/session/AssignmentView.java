package io.cleat.server.session;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Secrets;
import io.cleat.model.BlockedBy;
import io.cleat.model.DesiredStatus;
import io.cleat.model.VolumeSpec;
import io.cleat.server.decide.AttachStory;
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

/**
 * What one node is to make true, read from one image. Secrets become plain here and nowhere else.
 */
final class AssignmentView {
    private final ClusterState state;
    private final String nodeId;

    AssignmentView(ClusterState state, String nodeId) {
        this.state = state;
        this.nodeId = nodeId;
    }

    /** What the assignments are made of: while it is equal, they are. */
    List<Source> sources() {
        List<Source> sources = new ArrayList<>();
        for (AllocationRow allocation : state.allocationsOnNode(nodeId)) {
            List<ClaimSource> claims = new ArrayList<>();
            for (ClaimRow claim : state.claimsOfAllocation(allocation.id())) {
                VolumeRow volume = volumeOf(claim).orElse(null);
                claims.add(
                        new ClaimSource(
                                claim.modifyVersion(),
                                attachmentOf(claim).map(AttachmentRow::modifyVersion).orElse(0L),
                                claim.state() == ClaimState.GRANTED ? notThere(claim) : null,
                                volume == null ? null : volume.spec(),
                                volume == null ? Encrypted.NONE : volume.secrets(),
                                volume == null ? 0 : volume.expandTo(),
                                HoldingRow.unknown(state, claim.key()).isEmpty()));
            }
            sources.add(
                    new Source(
                            allocation.id(),
                            allocation.allocModifyVersion(),
                            desired(allocation),
                            claims));
        }
        return sources;
    }

    /**
     * What has ended is not begun once more by a node that has lost what it had written down of it:
     * its replacement may run.
     */
    private static DesiredStatus desired(AllocationRow allocation) {
        return allocation.isEnded() && allocation.desired() == DesiredStatus.RUN
                ? DesiredStatus.STOP
                : allocation.desired();
    }

    /** One allocation, as far as its assignment depends on it. */
    record Source(String allocId, long version, DesiredStatus desired, List<ClaimSource> claims) {}

    /** One claim, likewise. */
    record ClaimSource(
            long version,
            long attachment,
            @Nullable BlockedBy notThere,
            @Nullable VolumeSpec spec,
            Encrypted secrets,
            long expandTo,
            boolean isHeldByKnown) {}

    /**
     * @param reign the one that is open with the image
     */
    ToNode.Assignments assignments(String reign, Vault vault) {
        List<ToNode.Assignment> assignments = new ArrayList<>();
        for (AllocationRow allocation : state.allocationsOnNode(nodeId)) {
            state.jobVersion(allocation.jobVersion())
                    .ifPresent(text -> assignments.add(assignment(allocation, text, vault)));
        }
        return new ToNode.Assignments(state.version(), reign, assignments);
    }

    private ToNode.Assignment assignment(
            AllocationRow allocation, JobVersionRow text, Vault vault) {
        Map<String, ToNode.AssignedVolume> volumes = new TreeMap<>();
        for (ClaimRow claim : state.claimsOfAllocation(allocation.id())) {
            volumeOf(claim)
                    .ifPresent(
                            volume -> volumes.put(claim.alias(), assigned(claim, volume, vault)));
        }
        return new ToNode.Assignment(
                allocation.id(),
                allocation.name(),
                allocation.index(),
                allocation.evalId(),
                text.spec(),
                allocation.jobNumber(),
                allocation.group(),
                desired(allocation),
                volumes,
                allocation.noShutdownDelay(),
                allocation.deployment() == null ? null : allocation.deployment().id());
    }

    private ToNode.AssignedVolume assigned(ClaimRow claim, VolumeRow volume, Vault vault) {
        ToNode.@Nullable Grant grant = null;
        BlockedBy waitingFor = claim.blockedBy();
        if (claim.state() == ClaimState.GRANTED) {
            Optional<AttachmentRow> attachment =
                    attachmentOf(claim).filter(row -> row.covers(claim));
            waitingFor = attachment.isPresent() ? coming(attachment.get()) : notThere(claim);
            List<HoldingRow> unknown = HoldingRow.unknown(state, claim.key());
            if (!unknown.isEmpty()) {
                waitingFor = AttachStory.unknown(state, unknown.getFirst(), claim.since());
            }
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
        BlockedBy next = AttachStory.of(state, claim, claim.since());
        BlockedBy told = claim.blockedBy();
        return next != null && told != null ? told : next;
    }

    private static ToNode.Grant grant(
            ClaimRow claim, VolumeRow volume, Optional<AttachmentRow> attachment, Vault vault)
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
                volume.expandTo());
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
        return state.attachment(new AttachmentId(claim.key(), claim.nodeId()));
    }

    private Optional<VolumeRow> volumeOf(ClaimRow claim) {
        return state.volume(claim.volume())
                .or(() -> state.volumeTombstone(claim.key()).map(VolumeTombstone::volume));
    }
}
