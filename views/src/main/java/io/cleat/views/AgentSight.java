package io.cleat.views;

import io.cleat.agent.alloc.AllocationDirectory;
import io.cleat.agent.alloc.Allocations;
import io.cleat.agent.task.TaskRecord;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** What can be seen of the allocations on this node. Any thread. */
public interface AgentSight {
    /** Where no node runs. */
    AgentSight NONE =
            new AgentSight() {
                @Override
                public Optional<Path> logs(String allocId) {
                    return Optional.empty();
                }

                @Override
                public Optional<Map<String, TaskRecord>> tasks(String allocId) {
                    return Optional.empty();
                }
            };

    /** Over the agent's own. */
    static AgentSight of(Allocations allocations) {
        return new AgentSight() {
            @Override
            public Optional<Path> logs(String allocId) {
                return allocations.directory(allocId).map(AllocationDirectory::logs);
            }

            @Override
            public Optional<Map<String, TaskRecord>> tasks(String allocId) {
                return allocations.tasks(allocId);
            }
        };
    }

    /** Where the output of an allocation's tasks is kept; empty for one that is not here. */
    Optional<Path> logs(String allocId);

    /** An allocation's tasks by name; empty for one that is not here. */
    Optional<Map<String, TaskRecord>> tasks(String allocId);
}
