package io.cleat.model;

import java.util.List;

/**
 * The variables that a task may read: those at the paths of its job, group and task, in its job's namespace, and
 * nothing else. A copy of a job reads those of the job that it is a copy of.
 */
public final class OwnVariables {
    private static final String ROOT = "nomad/jobs";

    private OwnVariables() {}

    /** Whether or not they are there, the most general first. */
    public static List<VariableId> of(JobSpec job, String group, String task) {
        JobId named = job.parent().orElse(job.id());
        String ofJob = ROOT + "/" + named.id();
        String ofGroup = ofJob + "/" + group;
        return List.of(
                new VariableId(named.namespace(), ROOT),
                new VariableId(named.namespace(), ofJob),
                new VariableId(named.namespace(), ofGroup),
                new VariableId(named.namespace(), ofGroup + "/" + task));
    }
}
