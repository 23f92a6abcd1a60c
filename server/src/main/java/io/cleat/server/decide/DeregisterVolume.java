package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.model.DesiredStatus;
import io.cleat.model.VolumeId;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.AttachmentRow;
import io.cleat.state.Change;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClusterState;
import io.cleat.state.OperationRow;
import io.cleat.state.VolumeRow;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Forgets a volume; its plugin is not called, its data stays.
 *
 * @param force though claims of ended allocations remain: these keep excluding others
 */
public record DeregisterVolume(VolumeId volume, boolean force) implements Command<VolumeReply> {
    @Override
    public Decision<Change, VolumeReply> decide(ClusterState newest, DecideContext context) {
        Optional<VolumeRow> known = newest.volume(volume);
        if (known.isEmpty()) {
            return Work.refuse(new Refusal.NotFound("volume not found: " + volume.id()));
        }
        Instant now = context.decidedAt();
        List<ClaimRow> inTheWay = newest.claims().ofVolume(volume).stream()
                .filter(claim -> !force || isLive(newest, claim))
                .toList();
        if (!inTheWay.isEmpty()) {
            return Work.refuse(VolumeRules.inUse(newest, volume, inTheWay, now));
        }
        Optional<OperationRow> busy = Operations.inFlight(newest, volume);
        if (busy.isPresent() && !force) {
            return Work.refuse(Operations.busy(busy.get(), volume, now));
        }
        List<AttachmentRow> attachments = newest.attachments().of(known.get().key());
        if (!attachments.isEmpty() && !force) {
            return Work.refuse(Attachments.stillThere(newest, volume, attachments, now));
        }
        Work work = new Work(newest, context);
        Volumes.remove(work, known.get());
        return work.accept(new VolumeReply.Done());
    }

    /** Whether its allocation may still run, by the word of servers or node. */
    private static boolean isLive(ClusterState state, ClaimRow claim) {
        return state.allocation(claim.allocId())
                .map(row -> row.desired() == DesiredStatus.RUN || !row.isEnded())
                .orElse(false);
    }
}
