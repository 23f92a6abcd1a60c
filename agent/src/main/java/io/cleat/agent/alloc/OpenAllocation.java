package io.cleat.agent.alloc;

import io.cleat.agent.task.TaskRecord;
import io.cleat.model.JobId;
import io.cleat.model.TaskGroup;
import java.util.Map;

/**
 * An allocation that is on this node and has not ended.
 *
 * @param tasks by name, as they are now
 */
public record OpenAllocation(String allocId, JobId job, TaskGroup group, Map<String, TaskRecord> tasks) {}
