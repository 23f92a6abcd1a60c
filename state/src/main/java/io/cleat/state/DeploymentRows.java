package io.cleat.state;

import io.cleat.model.JobId;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The deployments of one image. */
public final class DeploymentRows {
    private final Table<String, DeploymentRow> table;

    DeploymentRows(Table<String, DeploymentRow> table) {
        this.table = table;
    }

    public Optional<DeploymentRow> get(String id) {
        return Optional.ofNullable(table.get(id));
    }

    public Collection<DeploymentRow> all() {
        return table.all();
    }

    public Collection<DeploymentRow> from(String id) {
        return table.from(id);
    }

    /** A job's deployments, oldest first. */
    public List<DeploymentRow> ofJob(JobId id) {
        return table.find(Tables.DEPLOYMENTS_BY_JOB, id).stream()
                .sorted(Comparator.comparingLong(DeploymentRow::createVersion).thenComparing(DeploymentRow::id))
                .toList();
    }

    /** The deployments of this job, oldest first: none of a purged one that had its id. */
    public List<DeploymentRow> of(JobRow job) {
        return ofJob(job.id()).stream()
                .filter(row -> row.createVersion() >= job.createVersion())
                .toList();
    }

    /** The deployment of a version of a job; the newest if there were several. */
    public Optional<DeploymentRow> ofVersion(JobVersionId jobVersion) {
        return ofJob(jobVersion.job()).stream()
                .filter(row -> row.jobVersion().equals(jobVersion))
                .reduce((older, newer) -> newer);
    }

    /** Whether it is a canary that nobody has promoted, of whatever deployment. */
    public boolean isUnpromoted(AllocationRow allocation) {
        return allocation.isCanary()
                && get(allocation.deploymentId())
                        .map(row -> row.groups().get(allocation.group()))
                        .map(DeploymentRow.Group::isUnpromoted)
                        .orElse(false);
    }
}
