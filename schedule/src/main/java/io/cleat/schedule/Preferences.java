package io.cleat.schedule;

import io.cleat.model.Affinity;
import io.cleat.model.JobSpec;
import io.cleat.model.Spread;
import io.cleat.model.Task;
import io.cleat.model.TaskGroup;
import io.cleat.state.NodeRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * What a job says that nodes should be, for one allocation that is to be placed: from -1 for a node that is all that it
 * should not be, to 1.
 */
final class Preferences {
    private static final double ALL = 100;

    private final int count;
    private final List<Weighed> affinities = new ArrayList<>();
    private final List<Counted> spreads = new ArrayList<>();

    /** What a node should be, or with a weight below 0 should not be. */
    private record Weighed(ConstraintFilter condition, int weight) {}

    /**
     * A spread, and how many allocations each value of its attribute has already. There may be as many values as nodes:
     * the least and the most are looked for once, not for each node.
     */
    private record Counted(Spread spread, Map<String, Integer> counts, int least, int most) {
        static Counted of(Spread spread, Map<String, Integer> counts) {
            int least = Integer.MAX_VALUE;
            int most = 0;
            for (int each : counts.values()) {
                least = Math.min(least, each);
                most = Math.max(most, each);
            }
            return new Counted(spread, counts, least, most);
        }
    }

    Preferences(JobSpec job, TaskGroup group, Proposed proposed, Searches searches) {
        this.count = group.count();
        List<Affinity> all = new ArrayList<>(job.affinities());
        all.addAll(group.affinities());
        for (Task task : group.tasks()) {
            all.addAll(task.affinities());
        }
        for (Affinity affinity : all) {
            affinities.add(new Weighed(new ConstraintFilter(affinity.condition(), searches), affinity.weight()));
        }
        for (List<Spread> some : List.of(job.spreads(), group.spreads())) {
            for (Spread spread : some) {
                spreads.add(Counted.of(spread, proposed.byValue(spread.attribute(), Optional.of(group.name()))));
            }
        }
    }

    /** The share of the weights of what it should be that it is. */
    OptionalDouble affinity(NodeRow node) {
        double met = 0;
        double all = 0;
        for (Weighed affinity : affinities) {
            all += Math.abs(affinity.weight());
            if (affinity.condition().isMet(node)) {
                met += affinity.weight();
            }
        }
        return all == 0 ? OptionalDouble.empty() : OptionalDouble.of(met / all);
    }

    /** How much one more allocation there is wanted, by all spreads. */
    OptionalDouble spread(NodeRow node) {
        double sum = 0;
        double all = 0;
        for (Counted counted : spreads) {
            Spread spread = counted.spread();
            all += spread.weight();
            String value = Attributes.resolve(spread.attribute(), node.facts());
            sum += spread.weight() * wanted(counted, value);
        }
        return all == 0 ? OptionalDouble.empty() : OptionalDouble.of(sum / all);
    }

    private double wanted(Counted counted, @Nullable String value) {
        if (value == null) {
            return -1;
        }
        Spread spread = counted.spread();
        int there = counted.counts().getOrDefault(value, 0);
        return spread.targets().isEmpty()
                ? evenly(there, counted)
                : toTarget(there, percent(spread, value) / ALL * count);
    }

    /** What no target names has what the targets leave. */
    private static double percent(Spread spread, String value) {
        int left = (int) ALL;
        for (Spread.Target target : spread.targets()) {
            if (target.value().equals(value)) {
                return target.percent();
            }
            left -= target.percent();
        }
        return left;
    }

    private static double toTarget(int there, double target) {
        return target == 0 ? -1 : Math.max(-1, (target - there - 1) / target);
    }

    /** The value with the fewest is wanted most, one with more the less the more it has. */
    private static double evenly(int there, Counted counted) {
        int least = Math.min(there, counted.least());
        int most = Math.max(there, counted.most());
        if (there > least) {
            return -(double) (there - least) / there;
        }
        return most == 0 ? 0 : (double) (most - least) / most;
    }
}
