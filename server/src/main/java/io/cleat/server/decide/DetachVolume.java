package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.model.ClientStatus;
import io.cleat.model.VolumeId;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.AllocationRow;
import io.cleat.state.AttachmentId;
import io.cleat.state.AttachmentRow;
import io.cleat.state.AttachmentState;
import io.cleat.state.Change;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClaimState;
import io.cleat.state.ClusterState;
import io.cleat.state.OperationCall;
import io.cleat.state.OperationOutcome;
import io.cleat.state.OperationRow;
import io.cleat.state.VolumeProgress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Releases what ended allocations on a node still hold of a volume. That happens by itself. Where nothing holds it the
 * plugin is asked to detach it all the same, in case that was forgotten. With {@code abandon} an operator vouches that
 * nothing of it is left, and it is free without proof. Of a node that is heard a claim is only given up on the word
 * that its machine is off, and not against what the node itself says; an attachment that no claim uses may be given up
 * on any node.
 *
 * @param abandon gives up releases whose outcome is not known
 * @param machineIsOff by name or id, the node whose machine the operator says is off; empty for no such word
 * @param by who vouches, for the record
 */
public record DetachVolume(VolumeId volume, String nodeId, boolean abandon, String machineIsOff, String by)
        implements Command<DetachVolume.Reply> {
    /** Without the word that the machine is off. */
    public DetachVolume(VolumeId volume, String nodeId, boolean abandon, String by) {
        this(volume, nodeId, abandon, "", by);
    }

    /**
     * @param freed how many claims were freed
     * @param waiting what is still being released, in words; with {@code abandon}, what there was no room for in one
     *     decision: ask again
     */
    public record Reply(int freed, List<String> waiting) {
        public Reply {
            waiting = List.copyOf(waiting);
        }
    }

    @Override
    public Decision<Change, Reply> decide(ClusterState newest, DecideContext context) {
        Instant now = context.decidedAt();
        List<ClaimRow> claims = newest.claims().ofVolume(volume).stream()
                .filter(claim -> claim.nodeId().equals(nodeId) && claim.holds())
                .toList();
        List<AttachmentRow> attachments = newest.attachments().onNode(nodeId).stream()
                .filter(row -> row.volume().equals(volume))
                .toList();
        if (newest.volume(volume).isEmpty() && claims.isEmpty() && attachments.isEmpty()) {
            return Work.refuse(new Refusal.NotFound("volume not found: " + volume.id()));
        }
        List<ClaimRow> releasing = claims.stream()
                .filter(claim -> claim.state() == ClaimState.RELEASING)
                .toList();
        Work work = new Work(newest, context);
        if (!abandon) {
            if (claims.isEmpty()) {
                detachUnknown(work);
            }
            return work.accept(new Reply(
                    0, releasing.stream().map(c -> Words.claim(newest, c, now)).toList()));
        }
        Optional<Refusal> refusal = refusal(newest, claims, now);
        if (refusal.isPresent()) {
            return Work.refuse(refusal.get());
        }
        if (newest.node(nodeId).isEmpty() && claims.isEmpty() && attachments.isEmpty()) {
            return Work.refuse(new Refusal.NotFound("there is no node \""
                    + nodeId
                    + "\", and nothing holds volume "
                    + volume.id()
                    + " there: `cleat volume why "
                    + volume.id()
                    + "` names who does"));
        }
        List<ClaimRow> freed = new ArrayList<>();
        for (ClaimRow claim : releasing) {
            if (!work.hasRoom()) {
                break;
            }
            freed.add(claim);
            Volumes.event(
                    work,
                    volume,
                    nodeId,
                    "claim abandoned",
                    by + " vouches that nothing is left of " + Words.claim(newest, claim, now));
        }
        List<ClaimRow> left = releasing.subList(freed.size(), releasing.size());
        if (left.isEmpty()) {
            attachments.forEach(row -> drop(work, row));
        }
        Claims.free(work, freed);
        return work.accept(new Reply(
                freed.size(),
                left.stream().map(c -> Words.claim(newest, c, now)).toList()));
    }

    /**
     * The provider may have the volume attached there though nothing here says so, as after the server was restored
     * from a copy; it then refuses every other node. A node that is heard has said what it holds, and would be asked
     * for nothing that it uses.
     */
    private void detachUnknown(Work work) {
        if (!MachineIsOff.isHeard(work.state(), nodeId)) {
            return;
        }
        work.state()
                .volume(volume)
                .filter(row -> Holdings.on(work.state(), new AttachmentId(row.key(), nodeId))
                        .isEmpty())
                .filter(row -> Attachments.detachUnknown(work, row, nodeId, by + " asks for its detachment"))
                .ifPresent(row -> Volumes.event(
                        work,
                        volume,
                        nodeId,
                        "detach",
                        by + " has it detached from this node, where it is not known to be attached"));
    }

    /** What speaks against the operator's word: a running allocation, or the node's own word. */
    private Optional<Refusal> refusal(ClusterState state, List<ClaimRow> claims, Instant now) {
        Optional<String> wrongWord = new MachineIsOff(machineIsOff).fault(state, nodeId);
        if (wrongWord.isPresent()) {
            return Optional.of(new Refusal.Conflict(wrongWord.get()));
        }
        for (ClaimRow claim : claims) {
            Optional<String> why = against(state, claim);
            if (why.isPresent()) {
                return Optional.of(new Refusal.Conflict(Words.volume(volume)
                        + " cannot be abandoned by "
                        + Words.claim(state, claim, now)
                        + ": "
                        + why.get()));
            }
        }
        return Optional.empty();
    }

    private Optional<String> against(ClusterState state, ClaimRow claim) {
        if (claim.state() == ClaimState.GRANTED) {
            return Optional.of("it is in use, not being released; stop that allocation first");
        }
        if (!MachineIsOff.isHeard(state, nodeId)) {
            return Optional.empty();
        }
        String heard = "its node can be heard, and says that ";
        String later = "; if its machine is off, ask again once the node is down";
        Optional<AllocationRow> allocation = state.allocation(claim.allocId());
        VolumeProgress.Phase phase = allocation
                .map(row -> row.seen().volumes().get(claim.alias()))
                .map(VolumeProgress::phase)
                .orElse(VolumeProgress.Phase.NONE);
        switch (phase) {
            case PUBLISHED, MOUNTING -> {
                return Optional.of(heard
                        + "the volume is mounted there, or about to be; it is free once the node has unmounted it"
                        + later);
            }
            case UNMOUNTING -> {
                return Optional.of(heard + "the volume is being unmounted; it is free after that" + later);
            }
            case NONE, UNPUBLISHED -> {}
        }
        if (allocation.filter(row -> row.status() == ClientStatus.RUNNING).isPresent()) {
            return Optional.of(heard
                    + "the allocation is running; it is free once that has ended and the volume is unmounted"
                    + later);
        }
        return new MachineIsOff(machineIsOff).isGiven()
                ? Optional.empty()
                : Optional.of("its node can be heard, so it releases the volume itself; if its machine is"
                        + " off all the same, vouch for that with "
                        + MachineIsOff.flag(state, nodeId));
    }

    private void drop(Work work, AttachmentRow row) {
        for (OperationRow operation : work.state().operations().of(volume)) {
            AttachmentId id = OperationCall.attachmentOf(operation.call());
            if (!operation.isDone() && row.id().equals(id)) {
                work.add(new Change.OperationPut(operation.done(new OperationOutcome.Abandoned(by), work.now())));
            }
        }
        if (row.state() != AttachmentState.DETACHING) {
            work.add(new Change.AttachmentPut(
                    row.moved(AttachmentState.DETACHING, row.publishContext(), null, work.now())));
        }
        work.add(new Change.AttachmentRemoved(row.id()));
        Volumes.event(work, volume, nodeId, "attachment abandoned", by + " vouches that it is detached");
    }
}
