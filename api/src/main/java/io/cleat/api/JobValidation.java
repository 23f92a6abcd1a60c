package io.cleat.api;

import io.cleat.base.InputLimits;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.model.JobType;
import io.cleat.model.NameRule;
import io.cleat.model.NamespaceName;
import io.cleat.model.WireNamed;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What is wrong with a job, all at once: rules of the format, then what this version does not do (which is refused,
 * never ignored). Whether drivers, volumes and namespaces exist is not looked at.
 */
public final class JobValidation {
    private JobValidation() {}

    /**
     * @param job in its stored form ({@link Canonical#stored})
     * @return one text per fault; empty for a job that can be stored
     */
    public static List<String> faults(Job job) {
        Faults faults = new Faults();
        JobBlocks.JOB.check(job, faults);
        faults.addIf(job.ID().contains(" "), "Job ID contains a space");
        faults.addIf(job.ID().indexOf('\0') >= 0, "Job ID contains a null character");
        if (!job.ID().isEmpty()) {
            NameRule.idFault("job id", job.ID()).ifPresent(faults::add);
        }
        NameRule.partFault("namespace", Canonical.orElse(job.Namespace(), NamespaceName.DEFAULT))
                .ifPresent(faults::add);
        NameRule.partFault("node pool", Canonical.orElse(job.NodePool(), "default"))
                .ifPresent(faults::add);
        for (String datacenter : JobConversion.listOf(job.Datacenters())) {
            if (!datacenter.isEmpty()) {
                NameRule.partFault("datacenter", datacenter).ifPresent(faults::add);
            }
        }
        faults.addIf(
                job.Datacenters() != null && job.Datacenters().contains(""), "job datacenter must be non-empty string");
        OneLine.check(job, "Job", faults);
        LaunchRules.check(job, faults);
        UnsupportedParts.ofJob(job, faults);
        ConstraintRules.check(job.Constraints(), faults);
        PreferenceRules.check(job, job.Affinities(), job.Spreads(), faults);
        groups(job, faults);
        return faults.list();
    }

    /**
     * Lets a job through that has no fault.
     *
     * @param job in its stored form
     * @throws Refused {@link Refusal.Invalid} with all faults as the one text that the wire has
     */
    public static void require(Job job) throws Refused {
        List<String> faults = faults(job);
        if (!faults.isEmpty()) {
            throw new Refused(new Refusal.Invalid(Faults.render(faults)));
        }
    }

    /** The answer of {@code /v1/validate/job} for a job with these faults. */
    public static JobValidateResponse response(List<String> faults) {
        return new JobValidateResponse(
                true, faults.isEmpty() ? "" : Faults.render(faults), faults.isEmpty() ? null : faults, "");
    }

    private static void groups(Job job, Faults faults) {
        List<TaskGroup> groups = job.TaskGroups();
        if (groups == null || groups.isEmpty()) {
            faults.add("Missing job task groups");
            return;
        }
        Set<String> names = new HashSet<>();
        for (int i = 0; i < groups.size(); i++) {
            TaskGroup group = groups.get(i);
            if (group.Name().isEmpty()) {
                faults.add("Job task group " + (i + 1) + " missing name");
            } else if (!names.add(group.Name())) {
                faults.add("Job task group " + (i + 1) + " redefines '" + group.Name() + "'");
            }
            faults.addIf(
                    isOnEachNode(job) && Canonical.or(group.Count(), 1) > 1,
                    "Job task group "
                            + group.Name()
                            + " has count "
                            + group.Count()
                            + ". Count cannot exceed 1 with system scheduler");
        }
        long count = groups.stream()
                .mapToLong(group -> Canonical.or(group.Count(), 1))
                .sum();
        faults.addIf(
                count > InputLimits.JOB_COUNT,
                "Job asks for "
                        + count
                        + " allocations; at most "
                        + InputLimits.JOB_COUNT
                        + " are possible, so lower the count of its groups");
        for (TaskGroup group : groups) {
            if (!group.Name().isEmpty()) {
                NameRule.partFault("group name", group.Name()).ifPresent(faults::add);
            }
            faults.nest("Task group " + group.Name() + " validation failed", GroupRules.faults(job, group));
        }
    }

    /** Whether it has an allocation on each node, and not a number of them anywhere. */
    static boolean isOnEachNode(Job job) {
        return WireNamed.find(JobType.class, Canonical.orElse(job.Type(), ""))
                .map(JobType::isOnEachNode)
                .orElse(false);
    }
}
