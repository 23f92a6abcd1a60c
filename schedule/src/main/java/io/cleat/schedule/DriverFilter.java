package io.cleat.schedule;

import io.cleat.model.DriverFacts;
import io.cleat.model.TaskGroup;
import io.cleat.state.NodeRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Every task's driver must be there and healthy. */
final class DriverFilter implements NodeFilter {
    private final SortedSet<String> wanted = new TreeSet<>();

    DriverFilter(TaskGroup group) {
        group.tasks().forEach(task -> wanted.add(task.driver()));
    }

    @Override
    public Optional<Rejection> reject(NodeRow node) {
        List<String> missing = new ArrayList<>();
        for (String driver : wanted) {
            if (!isUsable(node.facts().drivers().get(driver))) {
                missing.add(driver);
            }
        }
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of(Rejection.of("missing drivers (" + String.join(", ", missing) + ")"));
    }

    private static boolean isUsable(@Nullable DriverFacts driver) {
        return driver != null && driver.detected() && driver.healthy();
    }
}
