package io.cleat.server.decide;

import io.cleat.model.BlockedBy;
import io.cleat.model.JobId;
import io.cleat.model.JobType;
import io.cleat.model.NodeFacts;
import io.cleat.model.PluginInstance;
import io.cleat.state.AllocationRow;
import io.cleat.state.Change;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClaimState;
import io.cleat.state.JobRow;
import io.cleat.state.OperationRow;
import io.cleat.state.OperationState;
import io.cleat.state.Trigger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What follows when a node comes, changes or goes. */
final class Nodes {
    private Nodes() {}

    /**
     * Takes in what a node says of itself. A new boot id proves that nothing of before the boot is
     * left there: what was being released is free, and what is still granted is granted for the new
     * boot.
     *
     * @param before what was known of it
     */
    static void changed(Work work, Optional<NodeFacts> before, NodeFacts facts, NewIds ids) {
        if (before.isPresent() && !before.get().bootId().equals(facts.bootId())) {
            booted(work, facts);
        }
        boolean matters =
                before.isEmpty()
                        || !before.get().bootId().equals(facts.bootId())
                        || !placement(before.get()).equals(placement(facts));
        if (matters) {
            cameUp(work, facts.id(), ids);
        }
    }

    /** New room: blocked evaluations are tried again, and each system job looks at the node. */
    static void cameUp(Work work, String nodeId, NewIds ids) {
        Evaluations.wakeAll(work);
        for (JobRow job : List.copyOf(work.state().jobs())) {
            if (job.spec().type() == JobType.SYSTEM && !job.stop()) {
                Evaluations.evaluate(work, job, Trigger.NODE_UPDATE, nodeId, ids);
            }
        }
    }

    /** Each job with something on the node is evaluated. */
    static void wentDown(Work work, String nodeId, NewIds ids) {
        Set<JobId> jobs = new TreeSet<>();
        for (AllocationRow allocation : work.state().allocationsOnNode(nodeId)) {
            if (!allocation.isTerminal()) {
                jobs.add(allocation.job());
            }
        }
        for (JobId id : jobs) {
            work.state()
                    .job(id)
                    .ifPresent(
                            job ->
                                    Evaluations.evaluate(
                                            work, job, Trigger.NODE_UPDATE, nodeId, ids));
        }
        // What waits for this node says so from now on.
        for (ClaimRow claim : work.state().claimsOnNode(nodeId)) {
            if (claim.state() == ClaimState.RELEASING) {
                work.add(
                        new Change.ClaimPut(
                                claim.blockedBy(Claims.unproved(work, claim, claim.since()))));
            }
        }
    }

    private static void booted(Work work, NodeFacts facts) {
        List<ClaimRow> free = new ArrayList<>();
        for (ClaimRow claim : work.state().claimsOnNode(facts.id())) {
            if (claim.bootId().equals(facts.bootId())) {
                continue;
            }
            switch (claim.state()) {
                case WAITING -> {}
                case GRANTED -> work.add(new Change.ClaimPut(claim.onBoot(facts.bootId())));
                case RELEASING -> free.add(claim);
            }
        }
        Claims.free(work, free);
        for (OperationRow operation : work.state().operationsOnNode(facts.id())) {
            if (operation.state() == OperationState.SENT) {
                work.add(
                        new Change.OperationPut(
                                operation.unknown(
                                        work.now(),
                                        new BlockedBy(
                                                "call",
                                                Words.node(work.state(), facts.id()),
                                                work.now(),
                                                work.now(),
                                                "the machine booted while the call was running; it"
                                                        + " is made again"),
                                        work.now())));
            }
        }
    }

    /** What placement looks at. */
    private static List<Object> placement(NodeFacts facts) {
        List<Object> seen = new ArrayList<>();
        new TreeMap<>(facts.drivers())
                .forEach((name, driver) -> seen.add(name + driver.detected() + driver.healthy()));
        for (PluginInstance instance : facts.plugins()) {
            seen.add(
                    List.of(
                            instance.pluginId(),
                            instance.healthy(),
                            Optional.ofNullable(instance.node()),
                            Optional.ofNullable(instance.controller())));
        }
        seen.addAll(
                List.of(
                        facts.attributes(),
                        facts.meta(),
                        facts.datacenter(),
                        facts.nodePool(),
                        facts.total(),
                        facts.diskMb(),
                        facts.unclear()));
        return seen;
    }
}
