package io.cleat.schedule;

import io.cleat.model.DriverFacts;
import io.cleat.model.Task;
import io.cleat.model.TaskGroup;
import io.cleat.state.NodeRow;
import java.util.Optional;

/** Every task's driver must be there and healthy. */
final class DriverFilter implements NodeFilter {
    private final TaskGroup group;

    DriverFilter(TaskGroup group) {
        this.group = group;
    }

    @Override
    public Optional<Rejection> reject(NodeRow node) {
        for (Task task : group.tasks()) {
            DriverFacts driver = node.facts().drivers().get(task.driver());
            if (driver == null || !driver.detected() || !driver.healthy()) {
                return Optional.of(Rejection.of("missing drivers"));
            }
        }
        return Optional.empty();
    }
}
