package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.model.BlockedBy;
import io.cleat.model.ClientStatus;
import io.cleat.model.DesiredStatus;
import io.cleat.model.VolumeId;
import io.cleat.schedule.AttachNeed;
import io.cleat.schedule.PluginHealth;
import io.cleat.state.AllocationRow;
import io.cleat.state.AttachmentId;
import io.cleat.state.AttachmentRow;
import io.cleat.state.AttachmentState;
import io.cleat.state.Change;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClaimState;
import io.cleat.state.ClusterState;
import io.cleat.state.Encrypted;
import io.cleat.state.Remainder;
import io.cleat.state.Trigger;
import io.cleat.state.VolumeKey;
import io.cleat.state.VolumeRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Attachments: written before the first call, gone only after a confirmed detach. */
public final class Attachments {
    private Attachments() {}

    static Refusal stillThere(ClusterState state, VolumeId volume, List<AttachmentRow> attachments, Instant now) {
        List<String> where = new ArrayList<>();
        for (AttachmentRow row : attachments) {
            where.add(row.state().wire()
                    + " for "
                    + Words.age(row.since(), now)
                    + " on "
                    + Words.node(state, row.id().nodeId()));
        }
        return new Refusal.Conflict("volume in use: "
                + volume.id()
                + ": "
                + Words.volume(volume)
                + " is still "
                + Words.few(where)
                + ". It is detached by itself once nothing uses it there");
    }

    /** The claims that need the attachment: others on its node wait until it is gone. */
    public static List<ClaimRow> users(ClusterState state, AttachmentRow row) {
        return state.claims().of(row.id().key()).stream().filter(row::isFor).toList();
    }

    /**
     * Attaching is given up: the allocations that wait for it fail with the plugin's words, and the attachment stays,
     * to be detached.
     */
    static void giveUp(Work work, AttachmentRow row, String words, NewIds ids) {
        work.add(new Change.AttachmentPut(row.moved(
                AttachmentState.DETACHING,
                row.publishContext(),
                new BlockedBy(
                        "detach",
                        "plugin " + row.id().key().pluginId(),
                        work.now(),
                        null,
                        "attaching failed; it is detached to be sure"),
                work.now())));
        if (!failUsers(work, row.id(), words, work.version(), ids)) {
            Remainders.leave(work, new Remainder.FailAttaching(row.id(), words));
        }
    }

    /**
     * The allocations that wait for an attachment fail, as many as there is room for.
     *
     * @param since those that claim it from then on wait for another one
     * @return whether these were all
     */
    static boolean failUsers(Work work, AttachmentId id, String words, long since, NewIds ids) {
        Optional<AttachmentRow> row = work.state().attachments().get(id);
        if (row.isEmpty()) {
            return true;
        }
        for (ClaimRow claim : users(work.state(), row.get())) {
            Optional<AllocationRow> allocation = work.state().allocation(claim.allocId());
            boolean isConcerned = claim.state() == ClaimState.GRANTED
                    && claim.modifyVersion() < since
                    && allocation.filter(each -> !each.isEnded()).isPresent();
            if (isConcerned) {
                if (!work.hasRoom()) {
                    return false;
                }
                fail(work, allocation.get(), words, ids);
            }
        }
        return true;
    }

    /**
     * Has a volume detached from a node though no row says that it is attached there: a server that was restored knows
     * none. Its plugin is asked as for any other.
     *
     * @param words why, for people
     * @return whether it is to be detached; false if its plugin does not attach, the node is not one of the plugin's,
     *     or the attachment is known
     */
    static boolean detachUnknown(Work work, VolumeRow volume, String nodeId, String words) {
        VolumeKey key = volume.key();
        PluginHealth plugin = PluginHealth.of(work.state(), key.pluginId());
        AttachmentId id = new AttachmentId(key, nodeId);
        Optional<String> node = plugin.externalNodeId(nodeId);
        if (plugin.attachNeed() != AttachNeed.NEEDED
                || work.state().attachments().get(id).isPresent()
                || volume.spec().capabilities().isEmpty()
                || node.isEmpty()) {
            return false;
        }
        AttachmentRow row = new AttachmentRow(
                id,
                volume.id(),
                node.get(),
                false,
                volume.spec().capabilities().getFirst(),
                Encrypted.NONE,
                AttachmentState.ATTACHING,
                work.now(),
                null,
                0,
                0);
        work.add(new Change.AttachmentPut(row.moved(
                AttachmentState.DETACHING,
                Encrypted.NONE,
                AttachProgress.waits("plugin " + key.pluginId(), work.now(), words),
                work.now())));
        return true;
    }

    /**
     * Has detached what was attached to the machine that was the node before, as far as there is room: the provider
     * knows the one that is the node now by another id. Who claims such a volume on the node waits until it is attached
     * to that one.
     *
     * @param since what is attached from then on is attached to the new machine
     * @return whether that was all
     */
    static boolean leaveFormerMachine(Work work, String nodeId, long since) {
        for (AttachmentRow row : work.state().attachments().onNode(nodeId)) {
            if (row.state() == AttachmentState.DETACHING || row.createVersion() >= since) {
                continue;
            }
            if (!work.hasRoom()) {
                return false;
            }
            work.add(new Change.AttachmentPut(row.moved(
                    AttachmentState.DETACHING,
                    row.publishContext(),
                    AttachProgress.waits(
                            "plugin " + row.id().key().pluginId(),
                            work.now(),
                            "it is detached from the former machine of " + Words.node(work.state(), nodeId) + " first"),
                    work.now())));
        }
        return true;
    }

    private static void fail(Work work, AllocationRow allocation, String words, NewIds ids) {
        work.add(new Change.AllocationPut(allocation
                .status(ClientStatus.FAILED, words)
                .desired(DesiredStatus.EVICT, "its volume could not be attached")));
        Claims.release(work, work.state().allocation(allocation.id()).orElse(allocation));
        Wakes.forRoom(work);
        work.state()
                .job(allocation.job())
                .filter(job -> !job.stop())
                .ifPresent(job -> Evaluations.evaluate(work, job, Trigger.ALLOC_FAILURE, "", ids));
    }
}
