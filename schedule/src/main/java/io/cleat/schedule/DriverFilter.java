package io.cleat.schedule;

import io.cleat.model.DriverFacts;
import io.cleat.model.Task;
import io.cleat.model.TaskGroup;
import io.cleat.state.NodeRow;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Every task's driver must be there and healthy. */
final class DriverFilter implements NodeFilter {
    private final TaskGroup group;

    DriverFilter(TaskGroup group) {
        this.group = group;
    }

    @Override
    public Optional<Rejection> reject(NodeRow node) {
        String missing = group.tasks().stream()
                .map(Task::driver)
                .distinct()
                .filter(driver -> !isUsable(node.facts().drivers().get(driver)))
                .sorted()
                .collect(Collectors.joining(", "));
        return missing.isEmpty() ? Optional.empty() : Optional.of(Rejection.of("missing drivers (" + missing + ")"));
    }

    private static boolean isUsable(@Nullable DriverFacts driver) {
        return driver != null && driver.detected() && driver.healthy();
    }
}
