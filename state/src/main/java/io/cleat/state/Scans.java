package io.cleat.state;

import io.cleat.model.JobId;
import io.cleat.model.VolumeId;
import java.util.Collection;

/**
 * Rows of an image for those who read many: read no further than they are iterated, and none of them copied. Those that
 * run backwards begin with the last row whose id is less than the one given.
 */
public final class Scans {
    private final Tables tables;

    Scans(Tables tables) {
        this.tables = tables;
    }

    public Collection<NodeRow> nodesBefore(String id) {
        return tables.nodes.before(id);
    }

    public Collection<JobRow> jobsBefore(JobId id) {
        return tables.jobs.before(id);
    }

    public Collection<DeploymentRow> deploymentsBefore(String id) {
        return tables.deployments.before(id);
    }

    public Collection<AllocationRow> allocationsBefore(String id) {
        return tables.allocations.before(id);
    }

    public Collection<VolumeRow> volumesBefore(VolumeId id) {
        return tables.volumes.before(id);
    }

    public Collection<VolumeRow> volumesOfPluginBefore(String pluginId, VolumeId id) {
        return tables.volumes.findBefore(Tables.VOLUMES_BY_PLUGIN, pluginId, id);
    }

    public Collection<PluginRow> pluginsBefore(String id) {
        return tables.plugins.before(id);
    }

    public Collection<AllocationRow> allocationsOfJob(JobId id) {
        return tables.allocations.each(Tables.ALLOCATIONS_BY_JOB, id);
    }

    public Collection<AllocationRow> allocationsOnNode(String nodeId) {
        return tables.allocations.each(Tables.ALLOCATIONS_BY_NODE, nodeId);
    }

    public Collection<AllocationRow> allocationsOfEvaluation(String evalId) {
        return tables.allocations.each(Tables.ALLOCATIONS_BY_EVALUATION, evalId);
    }

    /** By id. */
    public Collection<EvaluationRow> evaluations(EvaluationStatus status) {
        return tables.evaluations.each(Tables.EVALUATIONS_BY_STATUS, status);
    }

    public Collection<EvaluationRow> evaluationsOfJob(JobId id) {
        return tables.evaluations.each(Tables.EVALUATIONS_BY_JOB, id);
    }
}
