package io.cleat.testkit;

import io.cleat.base.KernelTrouble;
import io.cleat.kernel.Mount;
import io.cleat.kernel.MountTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What of a run is on the machine now, by its mark: processes that name it or are in a control group of it, mounts,
 * loop devices, sockets, and control groups; and networks of its allocations. Another namespace has a process in it, or
 * a mount that holds it.
 *
 * <p>Used by any thread.
 */
final class Leaks {
    private static final Path PROC = Path.of("/proc");
    private static final Path BLOCK = Path.of("/sys/block");
    private static final Path GROUPS = Path.of("/sys/fs/cgroup");
    private static final Pattern ID = Pattern.compile("([0-9a-f]{8})(-[0-9a-f]{4}){3}-");

    private final String mark;
    private final Set<String> groups = new ConcurrentSkipListSet<>();
    private final Set<String> networks = new ConcurrentSkipListSet<>();

    /** @param mark what the paths of its directories begin with */
    Leaks(String mark) {
        this.mark = mark;
    }

    /**
     * Remembers the control groups and the allocations of nodes whose directories are there now: they are named by
     * files that may be gone before they are looked for.
     */
    void noteNodes() throws IOException {
        Path first = Path.of(mark);
        try (DirectoryStream<Path> runs =
                Files.newDirectoryStream(Objects.requireNonNull(first.getParent()), first.getFileName() + "*")) {
            for (Path run : runs) {
                noteNode(run);
                try (DirectoryStream<Path> inner = Files.newDirectoryStream(run)) {
                    for (Path data : inner) {
                        noteNode(data);
                    }
                }
            }
        }
    }

    private void noteNode(Path data) throws IOException {
        networks.addAll(NetworkLeaks.names(data));
        Path file = data.resolve("client/node");
        if (Files.isRegularFile(file)) {
            Matcher id = ID.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
            if (id.find()) {
                noteGroup("cleat-" + id.group(1));
            }
        }
    }

    /** Remembers a control group, of that name in any hierarchy. */
    void noteGroup(String parent) {
        groups.add(parent);
    }

    /** In words, one each; empty when nothing is there. */
    List<String> found() throws IOException, KernelTrouble, InterruptedException {
        List<String> found = new ArrayList<>();
        processes(found);
        for (Mount mount : MountTable.readTwice().mounts()) {
            if (mount.target().contains(mark) || mount.source().contains(mark)) {
                found.add("mount at " + mount.target());
            }
        }
        loops(found);
        for (String line : Files.readAllLines(PROC.resolve("net/unix"))) {
            if (line.contains(mark)) {
                found.add("socket" + line.substring(line.lastIndexOf(' ')));
            }
        }
        for (String group : groups()) {
            found.add("control group " + group);
        }
        found.addAll(NetworkLeaks.ofThisMachine().found(networks));
        return found;
    }

    private void processes(List<String> found) throws IOException {
        String own = Long.toString(ProcessHandle.current().pid());
        try (DirectoryStream<Path> all = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path process : all) {
                String id = process.getFileName().toString();
                String words = text(process, "cmdline");
                boolean isNamed =
                        words.contains(mark) || text(process, "environ").contains(mark);
                if (!id.equals(own) && (isNamed || isInGroup(text(process, "cgroup")))) {
                    found.add("process " + id + ": " + words.replace('\0', ' '));
                }
            }
        }
    }

    private boolean isInGroup(String lines) {
        return groups.stream().anyMatch(group -> lines.contains("/" + group + "/"));
    }

    private void loops(List<String> found) throws IOException {
        try (DirectoryStream<Path> devices = Files.newDirectoryStream(BLOCK, "loop*")) {
            for (Path device : devices) {
                String file = text(device, "loop/backing_file");
                if (file.contains(mark)) {
                    found.add(device.getFileName() + " of " + file.strip());
                }
            }
        }
    }

    /** By their names, each once; a hierarchy or two more levels down lie below a mount point. */
    private Set<String> groups() throws IOException {
        Set<String> there = new TreeSet<>();
        if (!Files.isDirectory(GROUPS)) {
            return there;
        }
        for (String group : groups) {
            if (Files.exists(GROUPS.resolve(group))) {
                there.add(group);
            }
            try (DirectoryStream<Path> hierarchies = Files.newDirectoryStream(GROUPS)) {
                for (Path hierarchy : hierarchies) {
                    if (Files.exists(hierarchy.resolve(group))) {
                        there.add(group);
                    }
                }
            }
        }
        return there;
    }

    private static String text(Path directory, String file) {
        try {
            return Files.readString(directory.resolve(file), StandardCharsets.ISO_8859_1);
        } catch (IOException gone) {
            return "";
        }
    }
}
