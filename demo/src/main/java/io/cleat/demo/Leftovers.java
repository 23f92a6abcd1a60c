package io.cleat.demo;

import io.cleat.base.KernelTrouble;
import io.cleat.kernel.Mount;
import io.cleat.kernel.MountTable;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Counts what is left of a run: by its own paths, ids and control groups, never machine-wide. */
record Leftovers(Workplace workplace, Optional<OurImage> image, Traces traces) {
    private static final Path SOCKETS = Path.of("/proc/net/unix");

    /** Fails if anything is left; tells the counts, and removes the workplace. */
    void count(Narrator tell) throws CheckFailed, InterruptedException {
        none(tell, "mounts", "below " + workplace.root(), mounts());
        none(tell, "loop devices", "with a file below it", loops());
        none(tell, "processes", "that name it or are in its control groups", processes());
        none(tell, "sockets", "below it", sockets());
        if (image.isPresent()) {
            OurImage ours = image.get();
            none(tell, "containers", "of image " + ours.name(), ours.containers());
            ours.remove();
            CheckFailed.unless(!ours.engine().has(ours.name()), "the image " + ours.name(), "gone", "there");
            tell.verified("image", ours.name() + " is removed from the engine");
        }
        List<String> groups = traces.cgroups();
        none(tell, "control groups", groups.isEmpty() ? "were used" : "named " + String.join(", ", groups), cgroups());
        none(tell, "directories", "of allocations or volumes", traces.directories(workplace.root()));
        none(
                tell,
                "networks",
                "of allocations: namespaces, addresses, rules",
                new OurNetworks(Path.of("/")).of(traces));
        workplace.remove();
        tell.verified("data", workplace.root() + " is removed");
    }

    private static void none(Narrator tell, String what, String which, List<String> left) throws CheckFailed {
        CheckFailed.unless(left.isEmpty(), what + " " + which, "0", left.size() + ": " + left);
        tell.verified("0 " + what, which);
    }

    List<String> mounts() throws CheckFailed {
        return OurMounts.below(workplace.root()).stream().map(Mount::target).toList();
    }

    List<String> loops() throws CheckFailed {
        return OurMounts.loops().entrySet().stream()
                .filter(loop -> isOurs(loop.getValue()))
                .map(loop -> loop.getKey() + " " + loop.getValue())
                .toList();
    }

    /** The file of a container that has ended is shown without what it lay below: its id is left. */
    private boolean isOurs(String file) {
        return file.startsWith(workplace.root() + "/") || traces.isNamedIn(file);
    }

    List<String> processes() throws CheckFailed {
        return traces.processes(workplace.root()).stream()
                .map(process -> process.brief() + ": " + String.join(" ", process.arguments()))
                .toList();
    }

    /** Those that somebody listens on, and those that are only files now. */
    List<String> sockets() throws CheckFailed {
        List<String> found = new ArrayList<>();
        try (Stream<String> lines = Files.lines(SOCKETS);
                Stream<Path> entries = Files.walk(workplace.root())) {
            lines.filter(line -> line.contains(workplace.root() + "/")).forEach(found::add);
            entries.filter(Leftovers::isSocket).map(Path::toString).forEach(found::add);
        } catch (IOException unreadable) {
            throw CheckFailed.unseen("sockets", unreadable);
        }
        return found;
    }

    private static boolean isSocket(Path path) {
        try {
            int mode = (Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
            return (mode & 0170000) == 0140000;
        } catch (IOException gone) {
            return false;
        }
    }

    /** The control groups that are there, in whichever hierarchy. */
    List<String> cgroups() throws CheckFailed {
        List<String> found = new ArrayList<>();
        try {
            for (Mount mount : MountTable.readTwice().mounts()) {
                if (mount.fsType().startsWith("cgroup")) {
                    find(Path.of(mount.target()), found);
                }
            }
        } catch (KernelTrouble unreadable) {
            throw CheckFailed.unseen("the mounts of control groups", unreadable);
        } catch (IOException unreadable) {
            throw CheckFailed.unseen("control groups", unreadable);
        }
        return found;
    }

    private void find(Path hierarchy, List<String> found) throws IOException {
        try (DirectoryStream<Path> groups = Files.newDirectoryStream(hierarchy, "cleat-*")) {
            for (Path group : groups) {
                if (traces.cgroups().contains(group.getFileName().toString())) {
                    found.add(group.toString());
                }
            }
        }
    }
}
