package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.schedule.AttachNeed;
import io.cleat.schedule.PluginHealth;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.AttachmentId;
import io.cleat.state.AttachmentState;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.HoldingId;
import io.cleat.state.HoldingRow;
import io.cleat.state.HostVolumeRow;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A node has said all that it holds. In a recovery, what no claim stands for is taken in: its volume is not free. So is
 * what a claim stands for that does not know the volume as attached: it was attached and mounted since, and what is
 * detached because attaching failed is detached below it. Later, what the node holds no more is let go, and what is
 * attached by now; nothing is taken in then.
 *
 * @param secretDigest SHA-256, in hex, of the secret that the node proves itself with
 * @param held all of it; each names the node
 */
public record TakeHoldings(String nodeId, String secretDigest, List<HoldingId> held)
        implements Command<TakeHoldings.Reply> {
    public TakeHoldings {
        held = List.copyOf(held);
    }

    /** @param more whether there was no room for all of it: it is to be asked for again */
    public record Reply(boolean more) {}

    @Override
    public Decision<Change, Reply> decide(ClusterState newest, DecideContext context) {
        Optional<Refusal> stranger = Recovery.stranger(newest, nodeId, secretDigest);
        if (stranger.isPresent()) {
            return Work.refuse(stranger.get());
        }
        Work work = new Work(newest, context);
        boolean isAll = newest.isRecovering() ? takeIn(work) : letGo(work);
        return work.accept(new Reply(!isAll));
    }

    @Override
    public boolean goesOnInRecovery() {
        return true;
    }

    private boolean takeIn(Work work) {
        for (HoldingId id : held) {
            boolean isNew = id.nodeId().equals(nodeId)
                    && work.state().holdings().get(id).isEmpty()
                    && !isKnown(work.state(), id);
            if (isNew) {
                if (!work.hasRoom()) {
                    return false;
                }
                work.add(new Change.HoldingPut(new HoldingRow(id, work.now(), 0, 0)));
            }
        }
        return true;
    }

    private boolean letGo(Work work) {
        Set<HoldingId> said = new HashSet<>(held);
        List<HoldingRow> gone = new ArrayList<>();
        for (HoldingRow row : work.state().holdings().onNode(nodeId)) {
            if (!said.contains(row.id()) || isKnown(work.state(), row.id())) {
                gone.add(row);
            }
        }
        return Holdings.free(work, gone);
    }

    /** Whether a claim stands for it, and says all that there is to know. */
    private static boolean isKnown(ClusterState state, HoldingId id) {
        return id.isClaimed(state)
                && (HostVolumeRow.isFor(id.key())
                        || PluginHealth.of(state, id.key().pluginId()).attachNeed() == AttachNeed.NOT_NEEDED
                        || state.attachments()
                                .get(new AttachmentId(id.key(), id.nodeId()))
                                .filter(row -> row.state() == AttachmentState.ATTACHED)
                                .isPresent());
    }
}
