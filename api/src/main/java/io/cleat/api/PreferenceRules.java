package io.cleat.api;

import io.cleat.base.TextRule;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rules of what nodes should be. */
final class PreferenceRules {
    /** Values that one spread may name: each is counted for each placement. */
    private static final int MOST_TARGETS = 100;

    private PreferenceRules() {}

    static void check(Job job, @Nullable List<Affinity> affinities, @Nullable List<Spread> spreads, Faults faults) {
        system(job, affinities, faults);
        faults.addIf(
                JobValidation.isOnEachNode(job)
                        && !JobConversion.listOf(spreads).isEmpty(),
                "System jobs may not have a spread block");
        affinities(affinities, faults);
        List<Spread> all = JobConversion.listOf(spreads);
        for (int i = 0; i < all.size(); i++) {
            faults.nest("Spread " + (i + 1) + " validation failed", spread(all.get(i)));
        }
    }

    static void ofTasks(Job job, @Nullable List<Task> tasks, Faults faults) {
        for (Task task : JobConversion.listOf(tasks)) {
            system(job, task.Affinities(), faults);
        }
    }

    /** It runs on each node that it may run on. */
    private static void system(Job job, @Nullable List<Affinity> affinities, Faults faults) {
        faults.addIf(
                JobValidation.isOnEachNode(job)
                        && !JobConversion.listOf(affinities).isEmpty(),
                "System jobs may not have an affinity block");
    }

    static void affinities(@Nullable List<Affinity> given, Faults faults) {
        List<Affinity> all = JobConversion.listOf(given);
        for (int i = 0; i < all.size(); i++) {
            faults.nest("Affinity " + (i + 1) + " validation failed", affinity(all.get(i)));
        }
    }

    private static Faults affinity(Affinity affinity) {
        Faults faults =
                ConstraintRules.comparison("affinity", affinity.LTarget(), affinity.Operand(), affinity.RTarget());
        faults.addIf(Canonical.or(affinity.Weight(), 0) == 0, "Affinity weight cannot be zero");
        PlacementBlocks.AFFINITY.check(affinity, faults);
        return faults;
    }

    private static Faults spread(Spread spread) {
        Faults faults = new Faults();
        PlacementBlocks.SPREAD.check(spread, faults);
        List<SpreadTarget> targets = JobConversion.listOf(spread.SpreadTarget());
        faults.addIf(
                targets.size() > MOST_TARGETS,
                "Spread has " + targets.size() + " targets; the most is " + MOST_TARGETS);
        Set<String> values = new HashSet<>();
        long sum = 0;
        for (SpreadTarget target : targets) {
            String quoted = TextRule.quoted(target.Value());
            faults.addIf(!values.add(target.Value()), "Spread target value " + quoted + " already defined");
            faults.addIf(
                    target.Percent() < 0 || target.Percent() > 100,
                    "Spread target percentage for value "
                            + quoted
                            + " must be between 0 and 100, got "
                            + target.Percent());
            sum += target.Percent();
        }
        faults.addIf(sum > 100, "Sum of spread target percentages must not be greater than 100%; got " + sum + "%");
        return faults;
    }
}
