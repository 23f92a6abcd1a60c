package io.cleat.agent.task;

import io.cleat.agent.network.JoinedNetwork;
import io.cleat.agent.template.TaskPlaces;
import io.cleat.base.Ordered;
import io.cleat.model.AllocAddress;
import io.cleat.model.AllocatedPort;
import io.cleat.model.JobSpec;
import io.cleat.model.Task;
import io.cleat.model.TaskGroup;
import io.cleat.model.VolumeMount;
import io.cleat.model.VolumeRequest;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a task runner needs to know of its allocation.
 *
 * @param allocDir the directory that the allocation's tasks share
 * @param taskRoot the task's own directory, in which {@code local}, {@code secrets} and {@code tmp} are
 * @param logs where output goes
 * @param user whom it runs as if it names no user
 * @param published where each volume of the allocation is published on the host, by alias
 * @param ports of the node that the allocation was given
 * @param address of the allocation in a network of its own; null if it has none
 * @param network that its tasks are to see
 */
public record TaskSetting(
        String allocId,
        String allocName,
        int allocIndex,
        JobSpec job,
        TaskGroup group,
        Task task,
        Path allocDir,
        Path taskRoot,
        Path logs,
        OwnUser user,
        Map<String, Path> published,
        List<AllocatedPort> ports,
        @Nullable AllocAddress address,
        JoinedNetwork network) {
    public TaskSetting {
        published = Ordered.copyOf(published);
        ports = List.copyOf(ports);
    }

    /** Where the task's paths lie. */
    TaskPlaces places() {
        return new TaskPlaces(Objects.requireNonNull(taskRoot.getParent()), task.name());
    }

    /** Whether a task may not write there: by its mount, or by the group's claim. */
    boolean isReadOnly(VolumeMount mount) {
        VolumeRequest request = group.volumes().get(mount.alias());
        return mount.readOnly() || (request != null && request.readOnly());
    }

    /** The volume of that name where it is published; empty if it is not. */
    Optional<VolumeBinds.Published> volume(String alias) {
        return Optional.ofNullable(published.get(alias)).map(path -> VolumeBinds.Published.of(group, alias, path));
    }
}
