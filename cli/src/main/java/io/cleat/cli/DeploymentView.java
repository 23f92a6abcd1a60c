package io.cleat.cli;

import io.cleat.api.Deployment;
import io.cleat.api.DeploymentState;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Deployments as text. */
final class DeploymentView {
    private DeploymentView() {}

    /** Deployments, newest first. */
    static String list(List<Deployment> deployments, boolean verbose) {
        Columns columns = new Columns("ID", "Job ID", "Job Version", "Status", "Description");
        deployments.stream()
                .sorted(Comparator.comparingLong(Deployment::CreateIndex)
                        .reversed()
                        .thenComparing(Deployment::ID))
                .forEach(one -> columns.row(
                        Human.id(one.ID(), verbose),
                        one.JobID(),
                        Long.toString(one.JobVersion()),
                        one.Status(),
                        one.StatusDescription()));
        return columns.text();
    }

    static String summary(Deployment one, boolean verbose) {
        return new Rows()
                .put("ID", Human.id(one.ID(), verbose))
                .put("Job ID", one.JobID())
                .put("Job Version", Long.toString(one.JobVersion()))
                .put("Status", one.Status())
                .put("Description", one.StatusDescription())
                .text();
    }

    /** How far each group is; a column only for what some group has. */
    static String groups(Deployment one, ZoneId zone) {
        Map<String, DeploymentState> groups = new TreeMap<>(one.TaskGroups());
        boolean canaries = groups.values().stream().anyMatch(g -> g.DesiredCanaries() > 0);
        Columns columns = canaries
                ? new Columns(
                        "Task Group",
                        "Auto Revert",
                        "Promoted",
                        "Desired",
                        "Canaries",
                        "Placed",
                        "Healthy",
                        "Unhealthy",
                        "Progress Deadline")
                : new Columns(
                        "Task Group", "Auto Revert", "Desired", "Placed", "Healthy", "Unhealthy", "Progress Deadline");
        groups.forEach((name, group) -> {
            String desired = Integer.toString(group.DesiredTotal());
            String placed = Integer.toString(group.PlacedAllocs());
            String healthy = Integer.toString(group.HealthyAllocs());
            String unhealthy = Integer.toString(group.UnhealthyAllocs());
            Instant by = group.RequireProgressBy();
            String deadline = by == null ? "N/A" : Human.time(by, zone);
            String revert = Boolean.toString(group.AutoRevert());
            if (canaries) {
                columns.row(
                        name,
                        revert,
                        group.DesiredCanaries() == 0 ? "N/A" : Boolean.toString(group.Promoted()),
                        desired,
                        Integer.toString(group.DesiredCanaries()),
                        placed,
                        healthy,
                        unhealthy,
                        deadline);
            } else {
                columns.row(name, revert, desired, placed, healthy, unhealthy, deadline);
            }
        });
        return columns.text();
    }
}
