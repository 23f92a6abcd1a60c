package io.cleat.driver;

import io.cleat.model.AllocatedPort;
import io.cleat.model.Resources;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A task to be started, with every name in it expanded.
 *
 * @param id {@code allocation/task/8 hex digits}; a new one for each start
 * @param config the driver's own block
 * @param user whom the task runs as; empty for the agent's user
 * @param ownUser whether that is a number which its allocation alone has, for a task whose job names no user
 * @param allocDir the directory that the allocation's tasks share
 * @param taskDir the task's own directory: its working directory where files are not isolated
 * @param pluginVolumes where the storage plugins of its group's other tasks stage and publish volumes, as these see it:
 *     a driver that isolates files shows it to a task whose own block asks for it
 * @param ports of the node that its allocation was given: a driver whose tasks have a network of their own passes on
 *     what comes to those that the task's own block names
 * @param network that it sees
 * @param logs where output goes
 */
public record TaskConfig(
        String id,
        String allocId,
        String task,
        Map<String, Object> config,
        Map<String, String> env,
        String user,
        boolean ownUser,
        Resources resources,
        Path allocDir,
        Path taskDir,
        List<TaskMount> mounts,
        List<TaskMount> pluginVolumes,
        List<AllocatedPort> ports,
        TaskNetwork network,
        Logs logs) {
    public TaskConfig {
        config = Map.copyOf(config);
        env = Map.copyOf(env);
        mounts = List.copyOf(mounts);
        pluginVolumes = List.copyOf(pluginVolumes);
        ports = List.copyOf(ports);
    }

    /** Of a task without a user of its allocation's own, in a group without plugins and ports. */
    public TaskConfig(
            String id,
            String allocId,
            String task,
            Map<String, Object> config,
            Map<String, String> env,
            String user,
            Resources resources,
            Path allocDir,
            Path taskDir,
            List<TaskMount> mounts,
            Logs logs) {
        this(
                id,
                allocId,
                task,
                config,
                env,
                user,
                false,
                resources,
                allocDir,
                taskDir,
                mounts,
                List.of(),
                List.of(),
                TaskNetwork.OF_NODE,
                logs);
    }

    /** Of a task that sees the node's network. */
    public TaskConfig(
            String id,
            String allocId,
            String task,
            Map<String, Object> config,
            Map<String, String> env,
            String user,
            boolean ownUser,
            Resources resources,
            Path allocDir,
            Path taskDir,
            List<TaskMount> mounts,
            List<TaskMount> pluginVolumes,
            List<AllocatedPort> ports,
            Logs logs) {
        this(
                id,
                allocId,
                task,
                config,
                env,
                user,
                ownUser,
                resources,
                allocDir,
                taskDir,
                mounts,
                pluginVolumes,
                ports,
                TaskNetwork.OF_NODE,
                logs);
    }

    /** The same in another network. */
    public TaskConfig in(TaskNetwork other) {
        return new TaskConfig(
                id,
                allocId,
                task,
                config,
                env,
                user,
                ownUser,
                resources,
                allocDir,
                taskDir,
                mounts,
                pluginVolumes,
                ports,
                other,
                logs);
    }

    /**
     * A host path that an isolating driver shows the task.
     *
     * @param propagation {@code private}, {@code host-to-task} or {@code bidirectional}
     * @param isVolume whether others say what is in it: no program there gets the rights of its owner, and no file
     *     there is a device
     */
    public record TaskMount(Path hostPath, String taskPath, boolean readOnly, String propagation, boolean isVolume) {
        /** Of what is the machine's or the agent's own. */
        public TaskMount(Path hostPath, String taskPath, boolean readOnly, String propagation) {
            this(hostPath, taskPath, readOnly, propagation, false);
        }
    }

    /**
     * Where output is kept: {@code <directory>/<task>.stdout.N} and {@code .stderr.N}, N from 0.
     *
     * @param maxFileSize bytes
     */
    public record Logs(Path directory, int maxFiles, long maxFileSize, boolean disabled) {}
}
