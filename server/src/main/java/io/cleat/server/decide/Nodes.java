package io.cleat.server.decide;

import io.cleat.model.BlockedBy;
import io.cleat.model.HostVolume;
import io.cleat.model.JobId;
import io.cleat.model.NodeFacts;
import io.cleat.model.NodeNetwork;
import io.cleat.model.PluginInstance;
import io.cleat.server.commit.DecideContext;
import io.cleat.state.AllocationRow;
import io.cleat.state.Change;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClaimState;
import io.cleat.state.ClusterState;
import io.cleat.state.HostVolumeRow;
import io.cleat.state.JobRow;
import io.cleat.state.JobStatus;
import io.cleat.state.NodeRow;
import io.cleat.state.NodeTombstone;
import io.cleat.state.OperationRow;
import io.cleat.state.OperationState;
import io.cleat.state.Remainder;
import io.cleat.state.Trigger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What follows when a node comes, changes or goes. */
final class Nodes {
    private Nodes() {}

    /** The node, or what is kept of it since it was collected. */
    static Optional<NodeRow> everKnown(ClusterState state, String nodeId) {
        return state.node(nodeId).or(() -> state.nodeTombstone(nodeId).map(NodeTombstone::node));
    }

    /** Forgets a node; what still names it is told of it as it was. */
    static Change removal(ClusterState state, String nodeId) {
        return isNamed(state, nodeId) ? new Change.NodeBuried(nodeId) : new Change.NodeRemoved(nodeId);
    }

    /** What of a node's facts every member can read. */
    static NodeFacts readable(NodeFacts facts, DecideContext context) {
        return context.featureLevel() < Change.PORTS_LEVEL ? facts.withNetwork(NodeNetwork.NONE) : facts;
    }

    /** Whether a claim, an attachment or a call that is under way names the node. */
    static boolean isNamed(ClusterState state, String nodeId) {
        return !state.claims().onNode(nodeId).isEmpty()
                || !state.attachments().onNode(nodeId).isEmpty()
                || state.operations().onNode(nodeId).stream().anyMatch(row -> !row.isDone());
    }

    /**
     * Takes in what a node says of itself. A new boot id proves that nothing of before the boot is left there: what was
     * being released is free, and what is still granted is granted for the new boot.
     *
     * @param before what was known of it
     * @param comes whether it was not ready before
     */
    static void changed(Work work, Optional<NodeFacts> before, NodeFacts facts, boolean comes, NewIds ids) {
        boolean hasBooted = before.isPresent() && !before.get().bootId().equals(facts.bootId());
        if (hasBooted && !booted(work, facts.id(), work.version())) {
            Remainders.leave(work, new Remainder.NodeBooted(facts.id()));
        }
        made(work, facts);
        boolean matters = comes
                || before.isEmpty()
                || hasBooted
                || !placement(before.get()).equals(placement(facts));
        if (matters) {
            cameUp(work, facts.id(), ids);
        }
    }

    /** A host volume of which the answer was not heard is there once its node lists it. */
    private static void made(Work work, NodeFacts facts) {
        for (HostVolumeRow row : work.state().hostVolumes().onNode(facts.id())) {
            HostVolume told = facts.hostVolumes().get(row.spec().name());
            if (row.hostPath().isEmpty()
                    && told != null
                    && told.id().equals(row.spec().id())
                    && work.hasRoom()) {
                work.add(new Change.HostVolumePut(row.made(told.path(), row.capacity(), work.now())));
            }
        }
    }

    /** New room: blocked evaluations are tried again, and each system job looks at the node. */
    static void cameUp(Work work, String nodeId, NewIds ids) {
        Wakes.all(work);
        systemJobs(work, nodeId, null, ids).ifPresent(rest -> Remainders.leave(work, rest));
    }

    /**
     * System jobs look at the node, as many as there is room for.
     *
     * @param after the last that has; null for none
     * @return what is left
     */
    static Optional<Remainder> systemJobs(Work work, String nodeId, @Nullable JobId after, NewIds ids) {
        JobId last = after;
        for (JobRow job : work.state().wantedOnEachNode(firstAfter(after))) {
            if (job.id().equals(after) || isOver(work.state(), job)) {
                continue;
            }
            if (!work.hasRoom()) {
                return Optional.of(new Remainder.NodeUp(nodeId, last));
            }
            Evaluations.evaluate(work, job, Trigger.NODE_UPDATE, nodeId, ids);
            last = job.id();
        }
        return Optional.empty();
    }

    /** Whether it is a copy that was run, at its time or when asked: it is not run late. */
    private static boolean isOver(ClusterState state, JobRow job) {
        return job.spec().parent().isPresent() && state.jobStatus(job) == JobStatus.DEAD;
    }

    private static JobId firstAfter(@Nullable JobId after) {
        return after == null ? new JobId("", "") : after;
    }

    /** Each job with something on the node is evaluated, and what waits for the node says so. */
    static void wentDown(Work work, String nodeId, NewIds ids) {
        seeTo(work, nodeId, "", ids).ifPresent(rest -> Remainders.leave(work, rest));
    }

    /**
     * As {@link #wentDown}, as far as there is room.
     *
     * @param after the last allocation that was seen to; empty for none
     * @return what is left
     */
    static Optional<Remainder> seeTo(Work work, String nodeId, String after, NewIds ids) {
        Set<JobId> evaluated = new HashSet<>();
        String last = after;
        for (AllocationRow allocation : work.state().allocationsOnNode(nodeId)) {
            if (allocation.id().compareTo(after) <= 0) {
                continue;
            }
            if (!work.hasRoom()) {
                return Optional.of(new Remainder.NodeDown(nodeId, last));
            }
            if (!allocation.isTerminal() && evaluated.add(allocation.job())) {
                work.state()
                        .job(allocation.job())
                        .ifPresent(job -> Evaluations.evaluate(work, job, Trigger.NODE_UPDATE, nodeId, ids));
            }
            for (ClaimRow claim : work.state().claims().ofAllocation(allocation.id())) {
                if (claim.state() == ClaimState.RELEASING) {
                    work.add(new Change.ClaimPut(claim.blockedBy(Claims.unproved(work, claim, claim.since()))));
                }
            }
            last = allocation.id();
        }
        return Optional.empty();
    }

    /**
     * Settles what a node held or did before its boot, as far as there is room.
     *
     * @param since calls that were sent from then on were sent after the boot
     * @return whether that was all
     */
    static boolean booted(Work work, String nodeId, long since) {
        String boot =
                work.state().node(nodeId).map(node -> node.facts().bootId()).orElse("");
        for (ClaimRow claim : work.state().claims().onNode(nodeId)) {
            if (claim.bootId().equals(boot) || claim.state() == ClaimState.WAITING) {
                continue;
            }
            if (!work.hasRoom()) {
                return false;
            }
            if (claim.state() == ClaimState.GRANTED) {
                work.add(new Change.ClaimPut(claim.onBoot(boot)));
            } else {
                Claims.free(work, List.of(claim));
            }
        }
        for (OperationRow operation : work.state().operations().onNode(nodeId)) {
            if (operation.state() == OperationState.SENT && operation.modifyVersion() < since) {
                if (!work.hasRoom()) {
                    return false;
                }
                work.add(new Change.OperationPut(interrupted(work, operation, nodeId)));
            }
        }
        return true;
    }

    private static OperationRow interrupted(Work work, OperationRow operation, String nodeId) {
        return operation.unknown(
                work.now(),
                new BlockedBy(
                        "call",
                        Words.node(work.state(), nodeId),
                        work.now(),
                        work.now(),
                        "the machine booted while the call was running; it is made again"),
                work.now());
    }

    /** What placement looks at. */
    private static List<Object> placement(NodeFacts facts) {
        List<Object> seen = new ArrayList<>();
        new TreeMap<>(facts.drivers()).forEach((name, driver) -> seen.add(name + driver.detected() + driver.healthy()));
        for (PluginInstance instance : facts.plugins()) {
            seen.add(List.of(
                    instance.pluginId(),
                    instance.healthy(),
                    Optional.ofNullable(instance.node()),
                    Optional.ofNullable(instance.controller())));
        }
        seen.addAll(List.of(
                facts.attributes(),
                facts.meta(),
                facts.datacenter(),
                facts.nodePool(),
                facts.total(),
                facts.diskMb(),
                facts.unclear(),
                facts.hostVolumes(),
                facts.network()));
        return seen;
    }
}
