package io.cleat.sim;

import io.cleat.model.ClientStatus;
import io.cleat.model.JobType;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClaimState;
import io.cleat.state.ClusterState;
import io.cleat.state.DeploymentRow;
import io.cleat.state.NodeStatus;
import java.util.ArrayList;
import java.util.List;

/** What a calm cluster comes to: what the operator wants runs, and sees its volumes. */
final class Wanted {
    private final World world;
    private final Operator operator;

    Wanted(World world, Operator operator) {
        this.world = world;
        this.operator = operator;
    }

    /** What is not there yet, in words. */
    List<String> missing() {
        ClusterState image = world.image();
        List<String> missing = new ArrayList<>();
        for (SimMachine machine : world.machines) {
            if (image.nodes().stream()
                    .noneMatch(node -> node.name().equals(machine.name) && node.status() == NodeStatus.READY)) {
                missing.add("node " + machine.name);
            }
        }
        if (operator.wantsMountsBack()) {
            world.machines.forEach(
                    machine -> machine.mounts.dead().forEach(at -> missing.add(machine.name + " " + at)));
        }
        for (DeploymentRow deployment : image.deployments().all()) {
            if (deployment.status().isActive()) {
                missing.add("the end of deployment " + deployment);
            }
        }
        missing.addAll(world.storage.notGrown());
        missing.addAll(unseen(image));
        for (Jobs.Use use : Jobs.USES) {
            if (operator.wants(use)) {
                boolean isBatch = use.type() == JobType.BATCH;
                long there = image.allocationsOfJob(use.job()).stream()
                        .filter(row -> isBatch
                                ? row.status() == ClientStatus.COMPLETE
                                : row.status() == ClientStatus.RUNNING && !row.isTerminal())
                        .count();
                if (there < use.count()) {
                    missing.add("job " + use.id() + ": " + there + " of " + use.count());
                }
            }
        }
        return missing;
    }

    /** Volumes that a running task is to see and does not, by its machine's mounts. */
    private List<String> unseen(ClusterState image) {
        List<String> unseen = new ArrayList<>();
        for (ClaimRow claim : image.claims().in(ClaimState.GRANTED)) {
            AllocationRow allocation = image.allocation(claim.allocId()).orElseThrow();
            boolean isSeen = allocation.status() != ClientStatus.RUNNING
                    || world.machines.stream()
                            .filter(machine ->
                                    machine.name.equals(allocation.placed().nodeName()))
                            .anyMatch(machine -> machine.shows(claim));
            if (!isSeen) {
                unseen.add(allocation.name() + " does not see " + claim);
            }
        }
        return unseen;
    }

    /** Nodes, allocations, claims and open evaluations, for people. */
    String waits() {
        ClusterState image = world.image();
        StringBuilder text = new StringBuilder("\nnodes and allocations:");
        image.nodes()
                .forEach(row -> text.append("\n  ")
                        .append(row.name())
                        .append(' ')
                        .append(row.id())
                        .append(' ')
                        .append(row.status()));
        image.allocations()
                .forEach(row -> text.append("\n  ")
                        .append(row.id())
                        .append(' ')
                        .append(row.name())
                        .append(" on ")
                        .append(row.placed().nodeName())
                        .append(" wanted ")
                        .append(row.desired())
                        .append(" is ")
                        .append(row.status())
                        .append(' ')
                        .append(row.seen().statusDescription())
                        .append(' ')
                        .append(row.seen().volumes()));
        image.claims().all().forEach(row -> text.append("\n  ").append(row));
        image.evaluations().all().stream()
                .filter(row -> !row.status().isTerminal())
                .forEach(row -> text.append("\n  ").append(row));
        return text.toString();
    }
}
