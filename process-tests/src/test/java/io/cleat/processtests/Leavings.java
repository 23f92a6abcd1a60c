package io.cleat.processtests;

import io.cleat.agent.NodeIdentity;
import io.cleat.agent.network.AllocationNetworks;
import io.cleat.agent.network.CniSettings;
import io.cleat.base.Deadline;
import io.cleat.base.DiskTrouble;
import io.cleat.base.KernelTrouble;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.kernel.BootId;
import io.cleat.kernel.Cgroups;
import io.cleat.kernel.LoopDevices;
import io.cleat.kernel.Mount;
import io.cleat.kernel.MountTable;
import io.cleat.kernel.Mounts;
import io.cleat.testkit.Eventually;
import io.cleat.testkit.NetworkLeaks;
import io.cleat.testkit.ShimProgram;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a run has on the machine, found by its directory alone: processes that name it or are in a control group of its
 * nodes, mounts at or below it, loop devices over its files, networks of its nodes' allocations.
 */
record Leavings(Path root) {
    private static final Path PROC = Path.of("/proc");
    private static final Path BLOCK = Path.of("/sys/block");

    /** In words, for a failure's message; empty when nothing is left. */
    List<String> found() throws Exception {
        List<String> found = new ArrayList<>();
        for (long pid : processes()) {
            found.add("process " + pid);
        }
        for (Mount mount : MountTable.readTwice().atOrBelow(root)) {
            found.add("mount " + mount.target());
        }
        for (Path file : loopFiles()) {
            found.add("loop device over " + file);
        }
        for (Path data : directories()) {
            found.addAll(NetworkLeaks.ofThisMachine().found(NetworkLeaks.names(data)));
        }
        return found;
    }

    List<Long> processes() throws Exception {
        Set<Long> all = new TreeSet<>(processesNaming(root.toString()));
        // A task in a container knows no path of the machine.
        for (String parent : groups()) {
            Cgroups of = Cgroups.linux(parent, new SystemTime());
            for (String name : of.names()) {
                all.addAll(of.group(name).processes());
            }
        }
        return List.copyOf(all);
    }

    /** The control groups of tasks whose name has {@code text} in it. */
    List<String> taskGroups(String text) throws Exception {
        List<String> found = new ArrayList<>();
        for (String parent : groups()) {
            found.addAll(Cgroups.linux(parent, new SystemTime()).names());
        }
        return found.stream().filter(name -> name.contains(text)).toList();
    }

    /** The control groups of the nodes that have their data in a directory of the run. */
    private Set<String> groups() throws IOException, DiskTrouble {
        Set<String> groups = new TreeSet<>();
        for (Path data : directories()) {
            Path file = data.resolve("client/node");
            if (Files.exists(file)) {
                String id = NodeIdentity.at(file, List.of(), () -> "").id();
                groups.add("cleat-" + id.substring(0, 8));
            }
        }
        return groups;
    }

    private List<Path> directories() throws IOException {
        List<Path> all = new ArrayList<>();
        try (DirectoryStream<Path> directories = Files.newDirectoryStream(root)) {
            directories.forEach(all::add);
        } catch (NoSuchFileException removed) {
            return List.of();
        }
        return all;
    }

    /** As the node's agent would, of what a failed test has left of its own. */
    private void removeNetworks() throws Exception {
        Path programs = root.resolve("cni");
        for (Path data : directories()) {
            Path records = data.resolve("client/networks");
            if (!Files.isDirectory(records)) {
                continue;
            }
            AllocationNetworks networks = AllocationNetworks.at(
                    records,
                    new CniSettings(
                            programs, List.of(programs, Path.of("/usr/lib/cni")), "cleat", OwnBridge.SUBNET, "", 0),
                    ShimProgram.built(),
                    Threads.virtual((where, fault) -> fault.printStackTrace()),
                    BootId.read(),
                    driver -> Optional.empty());
            for (String allocId : networks.held()) {
                networks.remove(allocId);
            }
        }
    }

    /** The live processes with {@code text} in their arguments or environment, but this one. */
    List<Long> processesNaming(String text) throws IOException {
        long own = ProcessHandle.current().pid();
        List<Long> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path entry : entries) {
                long pid = Long.parseLong(entry.getFileName().toString());
                if (pid != own && (file(entry, "cmdline") + file(entry, "environ")).contains(text)) {
                    found.add(pid);
                }
            }
        }
        return found;
    }

    private static String file(Path process, String name) {
        try {
            byte[] bytes = Files.readAllBytes(process.resolve(name));
            return new String(bytes, StandardCharsets.ISO_8859_1);
        } catch (IOException gone) {
            return "";
        }
    }

    /** The files behind loop devices, one for each device. */
    List<Path> loopFiles() throws IOException {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> devices = Files.newDirectoryStream(BLOCK, "loop*")) {
            for (Path device : devices) {
                // Of others, too, which may be detached at this moment.
                String file = file(device, "loop/backing_file").strip();
                // Of a plugin's container that has ended, only what lies below its pool is shown.
                Path inPool = root.resolve("data/pool" + file);
                if (file.startsWith(root + "/")) {
                    files.add(Path.of(file));
                } else if (!file.isEmpty() && Files.exists(inPool)) {
                    files.add(inPool);
                }
            }
        }
        return files;
    }

    /** Takes it all away: kills, unmounts, detaches, and removes the control groups. */
    void remove() throws Exception {
        Set<String> groups = new TreeSet<>(groups());
        for (long pid : processes()) {
            groups.addAll(groupsOf(pid));
        }
        Eventually.holds(
                () -> {
                    for (long pid : processes()) {
                        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
                    }
                    return processes().isEmpty();
                },
                "the processes of " + root + " end");
        removeNetworks();
        Eventually.holds(this::unmounted, "all below " + root + " is unmounted");
        detachLoops();
        SystemTime time = new SystemTime();
        for (String parent : groups) {
            Cgroups of = Cgroups.linux(parent, time);
            for (String name : of.names()) {
                of.group(name).killAll(Deadline.in(time, Duration.ofSeconds(10)));
                of.group(name).remove(Deadline.in(time, Duration.ofSeconds(10)));
            }
            if (!of.removeParent()) {
                throw new IllegalStateException("the control group " + parent + " is still there");
            }
        }
    }

    /** The kernel lets go of what a process held some time after its end. */
    void detachLoops() throws Exception {
        Eventually.holds(
                () -> {
                    for (Path file : loopFiles()) {
                        isDone(() -> LoopDevices.linux(new SystemTime()).detach(file));
                    }
                    return loopFiles().isEmpty();
                },
                "the loop devices of " + root + " are detached");
    }

    private boolean unmounted() throws Exception {
        for (Mount mount : MountTable.readTwice().atOrBelow(root).reversed()) {
            if (!isDone(() -> Mounts.linux().unmount(Path.of(mount.target())))) {
                return false;
            }
        }
        return MountTable.readTwice().atOrBelow(root).isEmpty();
    }

    @FunctionalInterface
    private interface Deed {
        void run() throws Exception;
    }

    private static boolean isDone(Deed deed) throws Exception {
        try {
            deed.run();
            return true;
        } catch (KernelTrouble busy) {
            return false;
        }
    }

    /** The control groups of ours that a process is in: their names begin with {@code cleat-}. */
    private static Set<String> groupsOf(long pid) {
        Set<String> names = new TreeSet<>();
        for (String line : file(PROC.resolve(Long.toString(pid)), "cgroup").split("\n", -1)) {
            for (String name : line.substring(line.lastIndexOf(':') + 1).split("/", -1)) {
                if (name.startsWith("cleat-")) {
                    names.add(name);
                }
            }
        }
        return names;
    }
}
