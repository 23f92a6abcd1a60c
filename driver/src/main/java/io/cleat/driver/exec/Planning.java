package io.cleat.driver.exec;

import io.cleat.base.DriverTrouble;
import io.cleat.base.KernelTrouble;
import io.cleat.driver.ProgramSearch;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskConfig.TaskMount;
import io.cleat.driver.shim.ShimTasks;
import io.cleat.kernel.TextPath;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Makes of a task's configuration what its container is to be. Any thread. */
final class Planning {
    /** What Docker takes for the group of a number that the image does not name. */
    private static final long ROOT = 0;

    private final ExecDriver.Parts parts;

    Planning(ExecDriver.Parts parts) {
        this.parts = parts;
    }

    /**
     * Of a task with the machine's programs.
     *
     * @param user user id, group id, further groups
     */
    ContainerPlan plan(TaskConfig config, String name, List<Long> user)
            throws DriverTrouble, KernelTrouble, InterruptedException {
        ExecBlock block = ExecBlock.of(config.config());
        List<String> command = new ArrayList<>();
        command.add(command(block, config));
        command.addAll(block.args());
        return plan(
                config,
                name,
                command,
                config.env(),
                block.workDir().isEmpty() ? "/" : block.workDir(),
                user,
                config.ownUser(),
                Optional.empty());
    }

    /**
     * Of a task whose root is an image's.
     *
     * @param otherwise whom it runs as if neither its job nor its image says
     */
    ContainerPlan plan(TaskConfig config, String name, List<Long> otherwise, ImageRoot root)
            throws DriverTrouble, KernelTrouble, InterruptedException {
        ExecBlock block = ExecBlock.of(config.config());
        TaskImages.Program program = root.program();
        ImageUsers users = new ImageUsers(root.passwd(), root.group());
        boolean jobSays = !config.ownUser() && !config.user().isEmpty();
        boolean imageSays = !jobSays && !program.user().isEmpty();
        ImageUsers.Found user = jobSays
                ? users.find(config.user(), groupOf(config.user()))
                : imageSays ? users.find(program.user(), ROOT) : new ImageUsers.Found(otherwise, "");
        return plan(
                config,
                name,
                command(block, program, config),
                environment(config, program, user.home()),
                workDir(block, program, config),
                user.ids(),
                config.ownUser() && !imageSays,
                Optional.of(root));
    }

    /** A number that the image does not name is of the group of the same number, as elsewhere. */
    private static long groupOf(String user) {
        return user.matches("\\d{1,10}") ? Long.parseLong(user) : ROOT;
    }

    /** As engines do it: what the job says of one of them takes its place. */
    private static List<String> command(ExecBlock block, TaskImages.Program program, TaskConfig config)
            throws DriverTrouble {
        List<String> words = new ArrayList<>(block.entrypoint().isEmpty() ? program.entrypoint() : block.entrypoint());
        if (!block.command().isEmpty() || !block.args().isEmpty()) {
            if (!block.command().isEmpty()) {
                words.add(block.command());
            }
            words.addAll(block.args());
        } else if (block.entrypoint().isEmpty()) {
            words.addAll(program.command());
        }
        if (words.isEmpty() || words.getFirst().isEmpty()) {
            throw ShimTasks.refused(config.id(), "its image names no program: give one with command or entrypoint");
        }
        return words;
    }

    private static Map<String, String> environment(TaskConfig config, TaskImages.Program program, String home) {
        Map<String, String> all = new TreeMap<>();
        if (!home.isEmpty()) {
            all.put("HOME", home);
        }
        for (String each : program.environment()) {
            int equals = each.indexOf('=');
            if (equals > 0) {
                all.put(each.substring(0, equals), each.substring(equals + 1));
            }
        }
        all.putAll(config.env());
        return all;
    }

    private static String workDir(ExecBlock block, TaskImages.Program program, TaskConfig config) throws DriverTrouble {
        if (!block.workDir().isEmpty()) {
            return block.workDir();
        }
        if (program.workDir().isEmpty()) {
            return "/";
        }
        return TextPath.of("/" + program.workDir())
                .map(path -> path.normalize().toString())
                .orElseThrow(() -> ShimTasks.refused(
                        config.id(),
                        "its image names the working directory "
                                + program.workDir()
                                + ", which is no path: give one with work_dir"));
    }

    private ContainerPlan plan(
            TaskConfig config,
            String name,
            List<String> command,
            Map<String, String> env,
            String workDir,
            List<Long> user,
            boolean ownUser,
            Optional<ImageRoot> root)
            throws DriverTrouble, KernelTrouble, InterruptedException {
        ExecBlock block = ExecBlock.of(config.config());
        List<TaskMount> mounts = new ArrayList<>();
        mounts.add(own(config.allocDir(), "/alloc"));
        // On top of what a root in the container may write, which no task can take away.
        mounts.add(new TaskMount(config.logs().directory(), "/alloc/logs", true, "private"));
        mounts.add(own(config.taskDir().resolve("local"), "/local"));
        mounts.add(own(config.taskDir().resolve("secrets"), "/secrets"));
        mounts.add(own(config.taskDir().resolve("tmp"), "/tmp"));
        block.hostPaths().forEach(path -> mounts.add(own(path, path.toString())));
        mounts.addAll(config.mounts());
        if (block.pluginVolumes()) {
            mounts.addAll(pluginVolumes(config));
        }
        return new ContainerPlan(
                name,
                command,
                env,
                workDir,
                user,
                ownUser,
                block.bound(),
                block.added(),
                block.hostPids(),
                block.hostIpc(),
                config.network(),
                config.resources(),
                mounts,
                MountSources.look(mounts, parts.workers().of(ExecDriver.NAME), parts.time()),
                root);
    }

    private static List<TaskMount> pluginVolumes(TaskConfig config) throws DriverTrouble {
        Map<String, TaskMount> places = new TreeMap<>();
        for (TaskMount volumes : config.pluginVolumes()) {
            TaskMount other = places.putIfAbsent(volumes.taskPath(), volumes);
            if (other != null && !other.equals(volumes)) {
                throw ShimTasks.refused(
                        config.id(),
                        "plugin_volumes = true, and two plugins of its group have their volumes at "
                                + volumes.taskPath()
                                + ": give each a stage_publish_base_dir of its own");
            }
        }
        if (places.isEmpty()) {
            throw ShimTasks.refused(
                    config.id(), "plugin_volumes = true, and no other task of its group is a plugin that serves nodes");
        }
        return List.copyOf(places.values());
    }

    private static TaskMount own(Path hostPath, String taskPath) {
        return new TaskMount(hostPath, taskPath, false, "private");
    }

    /** A bare name may be that of a program in the task's own directory, which comes first. */
    private String command(ExecBlock block, TaskConfig config) throws KernelTrouble, InterruptedException {
        boolean isLocal = !block.command().startsWith("/")
                && new ProgramSearch(parts.workers(), parts.time())
                        .first(config.id(), List.of(config.taskDir() + "/local/" + block.command()))
                        .isPresent();
        return isLocal ? "/local/" + block.command() : block.command();
    }
}
