package io.cleat.schedule;

import io.cleat.base.Durations;
import io.cleat.model.KillTimeout;
import io.cleat.model.Task;
import io.cleat.model.TaskGroup;
import io.cleat.state.NodeRow;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;

/** A node must admit the time that each task has to stop, or it would be killed before. */
final class KillTimeoutFilter implements NodeFilter {
    private final Duration wanted;

    KillTimeoutFilter(TaskGroup group) {
        wanted = group.tasks().stream()
                .map(Task::killTimeout)
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }

    @Override
    public Optional<Rejection> reject(NodeRow node) {
        Duration most = KillTimeout.most(node.facts().attributes());
        return wanted.compareTo(most) <= 0
                ? Optional.empty()
                : Optional.of(Rejection.of("kill_timeout of "
                        + Durations.words(wanted)
                        + " is more than the "
                        + Durations.words(most)
                        + " that the node admits (its agent's -max-kill-timeout)"));
    }
}
