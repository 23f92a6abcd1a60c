package io.cleat.kernel;

import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Ordered;
import io.cleat.base.Retry;
import io.cleat.base.Time;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Control groups in whichever hierarchies are mounted and may be written to (cgroups(7)). */
final class LinuxCgroups implements Cgroups {
    /** What is used of version 1: limits and counting, and freezing where version 2 cannot kill. */
    private static final Set<String> COUNTING = Set.of("memory", "cpu", "cpuacct", "pids");

    private static final String FREEZER = "freezer";

    private final List<Hierarchy> hierarchies;
    private final List<Path> others;
    private final String parent;
    private final Time time;
    private final String reason;

    /** @param others the hierarchies that are not used here: a container's runtime uses all */
    private LinuxCgroups(List<Hierarchy> hierarchies, List<Path> others, String parent, Time time, String reason) {
        this.hierarchies = List.copyOf(hierarchies);
        this.others = List.copyOf(others);
        this.parent = parent;
        this.time = time;
        this.reason = reason;
    }

    static LinuxCgroups detect(MountTable table, String parent, Time time) {
        List<Hierarchy> found = new ArrayList<>();
        List<String> unusable = new ArrayList<>();
        List<Mount> mounts = table.mounts().stream()
                .filter(m -> m.fsType().equals("cgroup") || m.fsType().equals("cgroup2"))
                .filter(m -> table.at(Path.of(m.target())).filter(m::equals).isPresent())
                .toList();
        boolean kills = false;
        for (Mount mount : mounts) {
            Path root = Path.of(mount.target());
            if (mount.isReadOnly() || !Files.isWritable(root)) {
                unusable.add(mount.target());
            } else if (mount.fsType().equals("cgroup2")) {
                Hierarchy.Version2 second = new Hierarchy.Version2(root);
                found.add(second);
                kills = true;
            } else {
                found.add(new Hierarchy.Version1(root, Ordered.copyOf(mount.superOptions())));
            }
        }
        boolean killing = kills;
        List<Path> others = new ArrayList<>();
        found.removeIf(h -> {
            boolean other = h instanceof Hierarchy.Version1 first && !isUsed(first, killing);
            return other && others.add(h.root());
        });
        String reason = !found.isEmpty()
                ? ""
                : unusable.isEmpty()
                        ? "no control groups are mounted"
                        : "the control groups at " + String.join(", ", unusable) + " may not be written to";
        return new LinuxCgroups(found, others, parent, time, reason);
    }

    private static boolean isUsed(Hierarchy.Version1 first, boolean killing) {
        return first.controllers().stream().anyMatch(COUNTING::contains)
                || (!killing && first.controllers().contains(FREEZER));
    }

    @Override
    public Layout layout() {
        Set<Class<?>> kinds = new LinkedHashSet<>();
        hierarchies.forEach(hierarchy -> kinds.add(hierarchy.getClass()));
        if (kinds.isEmpty()) {
            return Layout.NONE;
        }
        if (kinds.size() == 2) {
            return Layout.HYBRID;
        }
        return kinds.contains(Hierarchy.Version2.class) ? Layout.V2 : Layout.V1;
    }

    @Override
    public String reason() {
        return reason;
    }

    @Override
    public boolean limitsSwap() {
        return hierarchies.stream()
                .anyMatch(h -> h instanceof Hierarchy.Version2
                        ? layout() == Layout.V2
                        : Files.exists(h.root().resolve("memory.memsw.limit_in_bytes")));
    }

    @Override
    public Group create(String name) throws KernelTrouble {
        LinuxCgroup group = linuxGroup(name);
        for (Hierarchy hierarchy : hierarchies) {
            Path own = hierarchy.root().resolve(parent);
            try {
                make(own);
                if (hierarchy instanceof Hierarchy.Version2) {
                    handDown(hierarchy.root());
                    handDown(own);
                }
                make(own.resolve(name));
            } catch (IOException failed) {
                throw new KernelTrouble(
                        "the control group " + own.resolve(name) + " could not be made: " + failed,
                        Effect.NONE,
                        Retry.SAME_CALL,
                        failed);
            }
        }
        return group;
    }

    @Override
    public Group group(String name) {
        return linuxGroup(name);
    }

    private LinuxCgroup linuxGroup(String name) {
        return new LinuxCgroup(
                name,
                "/" + parent + "/" + name,
                places(name),
                others.stream().map(root -> root.resolve(parent).resolve(name)).toList(),
                time);
    }

    @Override
    public List<String> names() throws KernelTrouble {
        Set<String> names = new TreeSet<>();
        for (Hierarchy hierarchy : hierarchies) {
            Path own = hierarchy.root().resolve(parent);
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(own, entry -> Files.isDirectory(entry))) {
                entries.forEach(entry -> names.add(entry.getFileName().toString()));
            } catch (NoSuchFileException none) {
                // No group of ours was made here.
            } catch (IOException failed) {
                throw new KernelTrouble(
                        "the control groups in " + own + " could not be listed: " + failed,
                        Effect.NONE,
                        Retry.SAME_CALL,
                        failed);
            }
        }
        return List.copyOf(names);
    }

    @Override
    public boolean removeParent() throws KernelTrouble {
        if (!names().isEmpty()) {
            return false;
        }
        List<Path> roots = new ArrayList<>(others);
        hierarchies.forEach(hierarchy -> roots.add(hierarchy.root()));
        for (Path root : roots) {
            Path own = root.resolve(parent);
            try {
                Files.deleteIfExists(own);
            } catch (DirectoryNotEmptyException taken) {
                return false;
            } catch (IOException failed) {
                throw new KernelTrouble(
                        "the control group " + own + " could not be removed: " + failed,
                        Effect.NONE,
                        Retry.SAME_CALL,
                        failed);
            }
        }
        return true;
    }

    private List<LinuxCgroup.Place> places(String name) {
        if (name.isEmpty() || name.contains("/") || name.startsWith(".")) {
            throw new IllegalArgumentException("'" + name + "' cannot name a control group");
        }
        return hierarchies.stream()
                .map(h -> new LinuxCgroup.Place(h, h.root().resolve(parent).resolve(name)))
                .toList();
    }

    private static void make(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            try {
                Files.createDirectory(directory);
            } catch (FileAlreadyExistsException made) {
                return;
            }
        }
    }

    /** Lets the groups below {@code group} be counted, as far as it is counted itself. */
    private static void handDown(Path group) {
        for (String controller : List.of("memory", "cpu", "pids")) {
            try (Stream<String> has = Files.lines(group.resolve("cgroup.controllers"))) {
                if (has.anyMatch(line -> List.of(line.split(" ", -1)).contains(controller))) {
                    Files.writeString(
                            group.resolve("cgroup.subtree_control"), "+" + controller, StandardOpenOption.WRITE);
                }
            } catch (IOException refused) {
                // The kernel refuses where a group has processes of its own: then nothing is
                // counted, and killing works all the same.
            }
        }
    }
}
