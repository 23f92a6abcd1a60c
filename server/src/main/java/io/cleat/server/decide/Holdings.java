package io.cleat.server.decide;

import io.cleat.schedule.AttachNeed;
import io.cleat.schedule.PluginHealth;
import io.cleat.state.AttachmentId;
import io.cleat.state.AttachmentRow;
import io.cleat.state.AttachmentState;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.Encrypted;
import io.cleat.state.HoldingId;
import io.cleat.state.HoldingRow;
import io.cleat.state.VolumeKey;
import io.cleat.state.VolumeRow;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What nodes hold for allocations that this cluster does not know. */
public final class Holdings {
    private Holdings() {}

    /** What holds the provider's volume on that node; empty if nothing does but claims. */
    public static Optional<HoldingRow> on(ClusterState state, AttachmentId attachment) {
        return state.holdingsOf(attachment.key()).stream()
                .filter(row -> row.id().nodeId().equals(attachment.nodeId()))
                .findFirst();
    }

    /**
     * Lets go what nodes hold no more, and hands the volumes on; as many as there is room for.
     *
     * @return whether these were all
     */
    static boolean free(Work work, List<HoldingRow> gone) {
        for (HoldingRow row : gone) {
            if (!work.hasRoom()) {
                return false;
            }
            work.add(new Change.HoldingRemoved(row.id()));
            VolumeKey key = row.id().key();
            if (work.state().holdingsOf(key).isEmpty()) {
                detachLater(work, row.id());
                Claims.handOn(work, Set.of(key));
            }
        }
        return true;
    }

    /**
     * The volume was attached for what this cluster does not know, so no row says it: one is made,
     * to be detached, since another node may not have it before.
     */
    private static void detachLater(Work work, HoldingId gone) {
        ClusterState state = work.state();
        PluginHealth plugin = PluginHealth.of(state, gone.key().pluginId());
        AttachmentId id = new AttachmentId(gone.key(), gone.nodeId());
        Optional<VolumeRow> volume = state.volumesWithKey(gone.key()).stream().findFirst();
        Optional<String> node = plugin.externalNodeId(gone.nodeId());
        if (plugin.attachNeed() != AttachNeed.NEEDED
                || state.attachment(id).isPresent()
                || volume.isEmpty()
                || volume.get().spec().capabilities().isEmpty()
                || node.isEmpty()) {
            return;
        }
        AttachmentRow row =
                new AttachmentRow(
                        id,
                        volume.get().id(),
                        node.get(),
                        false,
                        volume.get().spec().capabilities().getFirst(),
                        Encrypted.NONE,
                        AttachmentState.ATTACHING,
                        work.now(),
                        null,
                        0,
                        0);
        work.add(new Change.AttachmentPut(row));
        work.add(
                new Change.AttachmentPut(
                        row.moved(
                                AttachmentState.DETACHING,
                                Encrypted.NONE,
                                AttachStory.waits(
                                        "plugin " + gone.key().pluginId(),
                                        work.now(),
                                        "it was attached before the recovery, and is detached"),
                                work.now())));
    }
}
