package io.cleat.driver.exec;

import io.cleat.driver.TaskConfig.TaskMount;
import io.cleat.driver.shim.ProcessLimits;
import io.cleat.kernel.Mount;
import io.cleat.model.Resources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The configuration of a container as OCI runtimes read it (runtime-spec 1.0.2, {@code config.json}). */
final class OciSpec {
    /** Where a container has the shim, its first process. */
    static final String INIT = "/.cleat-init";

    private static final long MEBI = 1 << 20;

    private static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    /** What tells of the machine, or of its kernel's secrets (runtime-spec, "Masked Paths"). */
    private static final List<String> MASKED = List.of(
            "/proc/acpi",
            "/proc/asound",
            "/proc/kcore",
            "/proc/keys",
            "/proc/latency_stats",
            "/proc/sched_debug",
            "/proc/scsi",
            "/proc/timer_list",
            "/proc/timer_stats",
            "/sys/devices/virtual/powercap",
            "/sys/firmware");

    private static final List<String> READ_ONLY = List.of(
            "/proc/bus",
            "/proc/fs",
            "/proc/irq",
            "/proc/sys",
            "/proc/sysrq-trigger",
            // Of version 1 the runtime mounts the directory of the hierarchies for writing.
            "/sys/fs/cgroup");

    private final Syscalls syscalls;
    private final SystemFiles system;
    private final Map<String, Long> limits;
    private final boolean limitsSwap;
    private final boolean recursiveReadOnly;

    /**
     * @param limits what each process may have at most, by names of getrlimit(2)
     * @param limitsSwap whether the machine's control groups do
     * @param recursiveReadOnly whether the kernel can make a mount read-only with all below it
     */
    OciSpec(
            Syscalls syscalls,
            SystemFiles system,
            Map<String, Long> limits,
            boolean limitsSwap,
            boolean recursiveReadOnly) {
        this.syscalls = syscalls;
        this.system = system;
        this.limits = new TreeMap<>(limits);
        this.limitsSwap = limitsSwap;
        this.recursiveReadOnly = recursiveReadOnly;
    }

    /**
     * @param cgroup the path of its control group in every hierarchy
     * @param init the program of its first process
     * @param instead what is seen in the place of the machine's own files, by their paths
     */
    Map<String, Object> of(ContainerPlan plan, String cgroup, Path init, Map<Path, Path> instead) throws IOException {
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("ociVersion", "1.0.2");
        spec.put("process", process(plan));
        spec.put(
                "root", Map.of("path", ImageRoots.ROOT, "readonly", plan.image().isEmpty()));
        if (!plan.network().hostname().isEmpty()) {
            spec.put("hostname", plan.network().hostname());
        }
        spec.put("mounts", mounts(plan, init, instead));
        spec.put("linux", linux(plan, cgroup));
        return spec;
    }

    private Map<String, Object> process(ContainerPlan plan) {
        List<String> args = new ArrayList<>(List.of(INIT, "init"));
        args.addAll(plan.command());
        Map<String, String> env = new TreeMap<>(plan.env());
        env.putIfAbsent("PATH", PATH);
        Map<String, Object> user = new LinkedHashMap<>();
        user.put("uid", plan.user().get(0));
        user.put("gid", plan.user().get(1));
        if (plan.user().size() > 2) {
            user.put("additionalGids", plan.user().subList(2, plan.user().size()));
        }
        return Map.of(
                "terminal",
                false,
                "user",
                user,
                "args",
                args,
                "env",
                env.entrySet().stream()
                        .map(e -> e.getKey() + "=" + e.getValue())
                        .toList(),
                "cwd",
                plan.workDir(),
                "capabilities",
                capabilities(plan),
                "rlimits",
                limits.entrySet().stream().map(OciSpec::rlimit).toList(),
                "noNewPrivileges",
                true);
    }

    private static Map<String, Object> rlimit(Map.Entry<String, Long> limit) {
        String type = "RLIMIT_" + limit.getKey().toUpperCase(Locale.ROOT);
        return Map.of("type", type, "soft", limit.getValue(), "hard", limit.getValue());
    }

    /**
     * Those that a process is to have come into effect as it executes its first program, root's from the bound, others'
     * from the ambient ones (capabilities(7)). Before, none is: with some of them it could read that program
     * ({@link InitProgram}).
     */
    private static Map<String, Object> capabilities(ContainerPlan plan) {
        boolean isRoot = plan.user().getFirst() == 0;
        Set<String> bound = Capability.spelled(plan.bound());
        Set<String> atOnce = isRoot ? bound : Capability.spelled(plan.ambient());
        Set<String> ambient = isRoot ? Set.of() : atOnce;
        return Map.of(
                "bounding", bound,
                "permitted", atOnce,
                "effective", Set.of(),
                "inheritable", ambient,
                "ambient", ambient);
    }

    private List<Object> mounts(ContainerPlan plan, Path init, Map<Path, Path> instead) throws IOException {
        List<Object> mounts = new ArrayList<>();
        mounts.add(mount("/proc", "proc", "proc", List.of("nosuid", "noexec", "nodev")));
        if (!plan.hostDevices()) {
            mounts.add(mount(
                    "/dev", "tmpfs", "tmpfs", List.of("nosuid", "noexec", "strictatime", "mode=755", "size=64k")));
            mounts.add(mount(
                    "/dev/pts",
                    "devpts",
                    "devpts",
                    List.of("nosuid", "noexec", "newinstance", "ptmxmode=0666", "mode=0620")));
            mounts.add(
                    mount("/dev/shm", "tmpfs", "shm", List.of("nosuid", "noexec", "nodev", "mode=1777", "size=64m")));
            mounts.add(mount("/dev/mqueue", "mqueue", "mqueue", List.of("nosuid", "noexec", "nodev")));
        }
        mounts.add(mount("/sys", "sysfs", "sysfs", List.of("nosuid", "noexec", "nodev", "ro")));
        mounts.add(mount("/sys/fs/cgroup", "cgroup", "cgroup", List.of("nosuid", "noexec", "nodev", "relatime", "ro")));
        Set<Path> shown = new LinkedHashSet<>(instead.keySet());
        shown.addAll(plan.image().isPresent() ? system.boundToImages() : system.bound());
        for (Path path : shown) {
            // Of the machine or ours, not of others.
            Path source = instead.getOrDefault(path, path);
            mounts.add(bind(new TaskMount(source, path.toString(), true, "private"), Files.isDirectory(source)));
        }
        mounts.add(bind(new TaskMount(init, INIT, true, "private"), false));
        for (TaskMount mount : plan.mounts()) {
            mounts.add(shown(mount, plan.sources().isDirectory(mount.hostPath()), plan.hostDevices()));
        }
        return mounts;
    }

    /**
     * What a task is shown beside the system. In directories no device counts and no program takes another user, but
     * for a task that uses the machine's devices; a volume is so for every task.
     */
    private Map<String, Object> shown(TaskMount mount, boolean recursive, boolean hostDevices) {
        if (recursive && (!hostDevices || mount.isVolume())) {
            return bind(mount, true, List.of("nosuid", "nodev"));
        }
        // A device that is a volume is one that it may use.
        return bind(mount, recursive, mount.isVolume() ? List.of("nosuid") : List.of());
    }

    private Map<String, Object> bind(TaskMount mount, boolean recursive) {
        return bind(mount, recursive, List.of());
    }

    /** Nothing is mounted below a file, and crun takes no recursive option for one. */
    private Map<String, Object> bind(TaskMount mount, boolean recursive, List<String> more) {
        List<String> options = new ArrayList<>(more);
        // Without the power to make what lies below read-only too, it is not shown at all.
        options.add(!recursive || (mount.readOnly() && !recursiveReadOnly) ? "bind" : "rbind");
        options.add(
                switch (mount.propagation()) {
                    case "bidirectional" -> recursive ? "rshared" : "shared";
                    case "host-to-task" -> recursive ? "rslave" : "slave";
                    default -> recursive ? "rprivate" : "private";
                });
        if (mount.readOnly()) {
            options.add("ro");
            if (recursive && recursiveReadOnly) {
                options.add("rro");
            }
        }
        return mount(mount.taskPath(), "bind", mount.hostPath().toString(), options);
    }

    private static Map<String, Object> mount(String target, String type, String source, List<String> options) {
        return Map.of("destination", target, "type", type, "source", source, "options", options);
    }

    private Map<String, Object> linux(ContainerPlan plan, String cgroup) {
        List<Map<String, String>> namespaces = new ArrayList<>();
        namespaces.add(Map.of("type", "mount"));
        namespaces.add(Map.of("type", "uts"));
        namespaces.add(Map.of("type", "cgroup"));
        if (!plan.hostPids()) {
            namespaces.add(Map.of("type", "pid"));
        }
        if (!plan.hostIpc()) {
            namespaces.add(Map.of("type", "ipc"));
        }
        plan.network()
                .namespace()
                .ifPresent(path -> namespaces.add(Map.of("type", "network", "path", path.toString())));
        return Map.of(
                "namespaces",
                namespaces,
                "cgroupsPath",
                cgroup,
                "resources",
                resources(plan),
                "seccomp",
                syscalls.profile(plan.bound()),
                "maskedPaths",
                MASKED,
                "readonlyPaths",
                READ_ONLY,
                "rootfsPropagation",
                plan.mountsOutwards() ? "shared" : "slave");
    }

    /** None of the machine's but those that it is shown, as raw block volumes are. */
    private static List<Object> devices(ContainerPlan plan) {
        List<Object> devices = new ArrayList<>();
        devices.add(Map.of("allow", plan.hostDevices(), "access", "rwm"));
        for (TaskMount mount : plan.mounts()) {
            Optional<Mount.Device> device = plan.sources().device(mount.hostPath());
            if (device.isPresent()) {
                devices.add(Map.of(
                        "allow",
                        true,
                        "type",
                        "b",
                        "major",
                        (long) device.get().major(),
                        "minor",
                        (long) device.get().minor(),
                        "access",
                        mount.readOnly() ? "r" : "rw"));
            }
        }
        return devices;
    }

    private Map<String, Object> resources(ContainerPlan plan) {
        Resources asked = plan.resources();
        Map<String, Object> resources = new LinkedHashMap<>();
        // The runtime adds the few that every program needs: null, zero, random, tty.
        resources.put("devices", devices(plan));
        resources.put("pids", Map.of("limit", ProcessLimits.TASKS));
        Map<String, Object> cpu = new LinkedHashMap<>();
        if (asked.cpuMhz() > 0) {
            cpu.put("shares", Math.clamp(asked.cpuMhz(), 2, 262_144));
        }
        if (!asked.coreIds().isEmpty()) {
            cpu.put("cpus", asked.coreList());
        }
        if (!cpu.isEmpty()) {
            resources.put("cpu", cpu);
        }
        long most = asked.memoryLimitMb() * MEBI;
        if (most > 0) {
            Map<String, Object> memory = new LinkedHashMap<>();
            memory.put("limit", most);
            if (limitsSwap) {
                // Of memory and swap together: what is beyond is an error to be seen.
                memory.put("swap", most);
            }
            if (asked.memoryMb() * MEBI < most) {
                memory.put("reservation", asked.memoryMb() * MEBI);
            }
            resources.put("memory", memory);
        }
        return resources;
    }
}
