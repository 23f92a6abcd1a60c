package io.cleat.driver.exec;

import io.cleat.driver.TaskConfig.TaskMount;
import io.cleat.driver.TaskNetwork;
import io.cleat.kernel.TextPath;
import io.cleat.model.Resources;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a container is to be.
 *
 * @param name its own, for its directories and control group
 * @param user user id, group id, further group ids
 * @param ownUser whether the user has no name on this machine, and is to have one in the container
 * @param bound the capabilities its processes may ever have
 * @param ambient those of them that a user other than root has at once
 * @param network that it joins
 * @param mounts what it sees beside the system's directories, in this order
 * @param sources what is there
 * @param image its root where that is an image's; empty for the machine's programs
 */
record ContainerPlan(
        String name,
        List<String> command,
        Map<String, String> env,
        String workDir,
        List<Long> user,
        boolean ownUser,
        Set<String> bound,
        Set<String> ambient,
        boolean hostPids,
        boolean hostIpc,
        TaskNetwork network,
        Resources resources,
        List<TaskMount> mounts,
        MountSources sources,
        Optional<ImageRoot> image) {
    private static final Path DEVICES = Path.of("/dev");

    /** Whether it sees all devices of the host, and may use them. */
    boolean hostDevices() {
        return mounts.stream()
                .flatMap(mount -> TextPath.of(mount.taskPath()).stream())
                .anyMatch(DEVICES::equals);
    }

    /** Whether what is mounted inside is to be seen outside. */
    boolean mountsOutwards() {
        return mounts.stream().anyMatch(mount -> mount.propagation().equals("bidirectional"));
    }
}
