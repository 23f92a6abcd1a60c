package io.cleat.driver.docker;

import io.cleat.base.Deadline;
import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Time;
import io.cleat.driver.SharedSources;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskConfig.TaskMount;
import io.cleat.kernel.PathStat;
import io.cleat.kernel.PathWorkers;
import io.cleat.kernel.Paths;
import io.cleat.kernel.Place;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What a container sees of the machine, as the engine takes it: the task's directories, its volumes, and what its block
 * asks for.
 *
 * <p>Holds nothing of its own; used by any thread.
 */
final class MountList {
    /** What engines give a directory in memory, unless they give it nothing. */
    private static final int ANYBODYS = 01777;

    /** What engines take for granted. */
    private static final String PRIVATE = "rprivate";

    private static final Duration WITHIN = Duration.ofSeconds(30);

    private final OwnBinds binds;
    private final HostFiles hosts;
    private final SharedSources shared;
    private final PathWorkers workers;
    private final Time time;

    MountList(OwnBinds binds, HostFiles hosts, SharedSources shared, PathWorkers workers, Time time) {
        this.binds = binds;
        this.hosts = hosts;
        this.shared = shared;
        this.workers = workers;
        this.time = time;
    }

    /**
     * What an engine is asked for.
     *
     * @param mounts as it takes them
     * @param binds those that spread, in the older form {@code source:target:options}. Podman (to 4.3 at least) takes a
     *     mount whose propagation is said for one that is not recursive, whatever is said of that: what a plugin had
     *     mounted would be missing for the next one
     * @param devices volumes that are block devices, as it takes them
     */
    record Asked(List<Map<String, Object>> mounts, List<String> binds, List<Map<String, Object>> devices) {}

    Asked of(String container, TaskConfig config, DockerBlock block) throws DriverTrouble, InterruptedException {
        List<TaskMount> wanted = new ArrayList<>();
        wanted.add(own(config.allocDir(), "/alloc", false));
        // On top of what a root in the container may write.
        wanted.add(own(config.logs().directory(), "/alloc/logs", true));
        wanted.add(own(config.taskDir().resolve("local"), "/local", false));
        wanted.add(own(config.taskDir().resolve("secrets"), "/secrets", false));
        wanted.addAll(config.mounts());
        if (block.pluginVolumes()) {
            wanted.addAll(config.pluginVolumes());
        }
        List<Map<String, Object>> mounts = new ArrayList<>();
        List<String> binds = new ArrayList<>();
        List<Map<String, Object>> devices = new ArrayList<>();
        try {
            shared.require(wanted);
            for (TaskMount mount : wanted) {
                if (isBlock(mount)) {
                    devices.add(ContainerSpec.device(
                            mount.hostPath().toString(), mount.taskPath(), mount.readOnly() ? "r" : "rw"));
                } else if (canBeShort(mount)) {
                    binds.add(mount.hostPath()
                            + ":"
                            + mount.taskPath()
                            + (mount.readOnly() ? ":ro," : ":rw,")
                            + propagation(mount.propagation()));
                } else {
                    mounts.add(bind(
                            mount.hostPath(), mount.taskPath(), mount.readOnly(), propagation(mount.propagation())));
                }
            }
        } catch (KernelTrouble failed) {
            throw new DriverTrouble(failed.reason(), Effect.NONE, failed.retry(), failed);
        }
        int number = 0;
        for (BlockMount mount : block.mounts()) {
            mounts.add(asked(container, number++, config, mount));
        }
        if (block.joined(config.network()).isPresent()) {
            Set<Object> taken = new HashSet<>();
            mounts.forEach(mount -> taken.add(mount.get("Target")));
            wanted.forEach(mount -> taken.add(mount.taskPath()));
            hosts.write(container, block.named(config.network())).forEach((target, file) -> {
                if (taken.add(target.toString())) {
                    mounts.add(bind(file, target.toString(), true, PRIVATE));
                }
            });
        }
        return new Asked(mounts, binds, devices);
    }

    /** Whether it spreads, and no colon is in the way. */
    private static boolean canBeShort(TaskMount mount) {
        return !propagation(mount.propagation()).equals(PRIVATE)
                && mount.hostPath().toString().indexOf(':') < 0
                && mount.taskPath().indexOf(':') < 0;
    }

    /** Lets go of all that is held for a container that is gone. */
    void release(String container) throws DriverTrouble, InterruptedException {
        binds.release(container);
        hosts.remove(container);
    }

    private static TaskMount own(Path hostPath, String taskPath, boolean readOnly) {
        return new TaskMount(hostPath, taskPath, readOnly, "private");
    }

    private boolean isBlock(TaskMount mount) throws KernelTrouble, InterruptedException {
        if (!mount.isVolume()) {
            return false;
        }
        Path path = mount.hostPath();
        Path parent = Objects.requireNonNullElse(path.getParent(), path);
        Paths paths = workers.of(DockerDriver.NAME);
        PathStat stat = paths.stat(Place.of(parent, path), Deadline.in(time, WITHIN))
                .orElseThrow(() -> new KernelTrouble(
                        "nothing is at " + path + ", which the task is to see at " + mount.taskPath(),
                        Effect.NONE,
                        Retry.AFTER_OBSERVING));
        return stat.type() == PathStat.Type.BLOCK;
    }

    /** The kernel's word, as engines take it. */
    private static String propagation(String asked) {
        return switch (asked) {
            case "bidirectional" -> "rshared";
            case "host-to-task" -> "rslave";
            default -> PRIVATE;
        };
    }

    private static Map<String, Object> bind(Path source, String target, boolean readOnly, String propagation) {
        Map<String, Object> mount = new LinkedHashMap<>();
        mount.put("Type", "bind");
        mount.put("Source", source.toString());
        mount.put("Target", target);
        mount.put("ReadOnly", readOnly);
        if (!propagation.equals(PRIVATE)) {
            mount.put("BindOptions", Map.of("Propagation", propagation));
        }
        return mount;
    }

    private Map<String, Object> asked(String container, int number, TaskConfig config, BlockMount mount)
            throws DriverTrouble, InterruptedException {
        return switch (mount) {
            case BlockMount.Own(String below, String target, boolean readOnly) ->
                bind(
                        binds.hold(container, number, new Place(config.taskDir(), below), readOnly),
                        target,
                        readOnly,
                        PRIVATE);
            case BlockMount.Host(Path source, String target, boolean readOnly, String propagation) ->
                bind(source, target, readOnly, propagation);
            case BlockMount.Named(String name, String target, boolean readOnly) ->
                Map.of("Type", "volume", "Source", name, "Target", target, "ReadOnly", readOnly);
            case BlockMount.Memory(String target, long bytes, int mode) -> {
                Map<String, Object> options = new LinkedHashMap<>();
                if (bytes > 0) {
                    options.put("SizeBytes", bytes);
                }
                options.put("Mode", mode > 0 ? mode : ANYBODYS);
                yield Map.of("Type", "tmpfs", "Target", target, "TmpfsOptions", options);
            }
        };
    }
}
