package io.cleat.demo;

import io.cleat.base.KernelTrouble;
import io.cleat.kernel.Mount;
import io.cleat.kernel.MountTable;
import io.cleat.kernel.ProcessIdentity;
import io.cleat.kernel.Processes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A process as {@code /proc} shows it.
 *
 * @param arguments the command and its arguments
 * @param environment {@code NAME=value} each, as it was when the program started
 * @param innerPid its id as it sees it itself: another one in a container
 */
record OurProcess(ProcessIdentity identity, List<String> arguments, List<String> environment, long innerPid) {
    /** The kinds that a container has for itself; the machine's network is everybody's. */
    static final List<String> NAMESPACES = List.of("ipc", "mnt", "pid", "uts");

    private static final Path PROC = Path.of("/proc");

    /** What the first process of a container of {@code exec} is called, which only waits and hands signals on. */
    private static final String INIT = "/.cleat-init";

    /** The live processes, but not this one. */
    static List<OurProcess> all() throws CheckFailed {
        long own = ProcessHandle.current().pid();
        List<OurProcess> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path entry : entries) {
                long pid = Long.parseLong(entry.getFileName().toString());
                if (pid != own) {
                    of(pid).ifPresent(found::add);
                }
            }
        } catch (IOException unreadable) {
            throw CheckFailed.unseen("the processes in /proc", unreadable);
        }
        return found;
    }

    static Optional<OurProcess> of(long pid) throws CheckFailed {
        try {
            Optional<ProcessIdentity> identity = Processes.linux().identify(pid);
            if (identity.isEmpty()) {
                return Optional.empty();
            }
            return Optional.of(
                    new OurProcess(identity.get(), words(pid, "cmdline"), words(pid, "environ"), innerPid(pid)));
        } catch (KernelTrouble unreadable) {
            throw CheckFailed.unseen("process " + pid, unreadable);
        } catch (IOException gone) {
            return Optional.empty();
        }
    }

    /** The live processes that name {@code text} in their arguments or environment. */
    static List<OurProcess> naming(String text) throws CheckFailed {
        return all().stream().filter(process -> process.names(text)).toList();
    }

    /** The live processes that a process has begun, and those that these have. */
    static List<OurProcess> below(long pid) throws CheckFailed {
        List<OurProcess> found = new ArrayList<>();
        for (long each : ProcessHandle.of(pid).stream()
                .flatMap(ProcessHandle::descendants)
                .mapToLong(ProcessHandle::pid)
                .toArray()) {
            of(each).ifPresent(found::add);
        }
        return found;
    }

    /**
     * The main process of a task: of those with the allocation's id, the one that began first; but what a container of
     * {@code exec} begins with.
     */
    static OurProcess ofTask(String allocId, String task) throws CheckFailed {
        return all().stream()
                .filter(process -> process.environment().contains("NOMAD_ALLOC_ID=" + allocId))
                .filter(process -> process.environment().contains("NOMAD_TASK_NAME=" + task))
                .filter(process -> !process.arguments().getFirst().equals(INIT))
                .min(Comparator.comparingLong((OurProcess p) -> p.identity().startTime())
                        .thenComparingLong(p -> p.identity().pid()))
                .orElseThrow(() -> new CheckFailed(
                        "the process of task " + task, "one with NOMAD_ALLOC_ID=" + allocId, "none in /proc"));
    }

    /** Whether this very process lives. */
    boolean isAlive() throws CheckFailed {
        try {
            return Processes.linux().isAlive(identity);
        } catch (KernelTrouble unreadable) {
            throw CheckFailed.unseen(identity.toString(), unreadable);
        }
    }

    /** Whether {@code text} is in its arguments or its environment. */
    boolean names(String text) {
        return arguments.stream().anyMatch(word -> word.contains(text))
                || environment.stream().anyMatch(word -> word.contains(text));
    }

    /** The value of an environment variable. */
    String variable(String name) throws CheckFailed {
        return environment.stream()
                .filter(word -> word.startsWith(name + "="))
                .map(word -> word.substring(name.length() + 1))
                .findFirst()
                .orElseThrow(() -> new CheckFailed(
                        "the environment of process " + identity.pid(), "the variable " + name, "it is not there"));
    }

    /** Where {@code path}, as it sees it itself, is seen from here. */
    Path seen(String path) {
        return Path.of(PROC + "/" + identity.pid() + "/root" + path);
    }

    /** What is mounted where it sees {@code path}. */
    Mount mountAt(String path) throws CheckFailed {
        try {
            return MountTable.of(identity.pid())
                    .at(Path.of(path))
                    .orElseThrow(() -> new CheckFailed(
                            "the mount table of process " + identity.pid(), "a mount at " + path, "none there"));
        } catch (KernelTrouble unreadable) {
            throw CheckFailed.unseen("the mount table of process " + identity.pid(), unreadable);
        }
    }

    /** Those of {@link #NAMESPACES} that it does not share with us. */
    Set<String> ownNamespaces() throws CheckFailed {
        TreeSet<String> own = new TreeSet<>();
        try {
            for (String kind : NAMESPACES) {
                Path its = PROC.resolve(identity.pid() + "/ns/" + kind);
                Path ours = PROC.resolve("self/ns/" + kind);
                if (!Files.readSymbolicLink(its).equals(Files.readSymbolicLink(ours))) {
                    own.add(kind);
                }
            }
            return own;
        } catch (IOException gone) {
            throw CheckFailed.unseen("the namespaces of process " + identity.pid(), gone);
        }
    }

    /** The program that it runs. */
    Path program() throws CheckFailed {
        try {
            return Files.readSymbolicLink(PROC.resolve(identity.pid() + "/exe"));
        } catch (IOException unreadable) {
            throw CheckFailed.unseen("the program of process " + identity.pid(), unreadable);
        }
    }

    /** The names of control groups on the way to its own that begin with {@code cleat-}; none once it has ended. */
    List<String> cgroups() throws CheckFailed {
        try {
            TreeSet<String> names = new TreeSet<>();
            for (String line : Files.readAllLines(PROC.resolve(identity.pid() + "/cgroup"))) {
                String path = line.substring(line.lastIndexOf(':') + 1);
                for (String name : path.split("/", -1)) {
                    if (name.startsWith("cleat-")) {
                        names.add(name);
                    }
                }
            }
            return List.copyOf(names);
        } catch (IOException unreadable) {
            // It may end between opening and reading, which is another error than before.
            if (!isAlive()) {
                return List.of();
            }
            throw CheckFailed.unseen("the groups of process " + identity.pid(), unreadable);
        }
    }

    /** Id and start, for people. */
    String brief() {
        return "pid " + identity.pid() + ", start " + identity.startTime();
    }

    /** The last of the ids that it has, from our namespace to its own. */
    private static long innerPid(long pid) throws IOException {
        for (String line : Files.readAllLines(PROC.resolve(pid + "/status"))) {
            if (line.startsWith("NSpid:")) {
                return Long.parseLong(line.substring(line.lastIndexOf('\t') + 1));
            }
        }
        return pid;
    }

    private static List<String> words(long pid, String file) throws IOException {
        byte[] bytes = Files.readAllBytes(PROC.resolve(pid + "/" + file));
        return List.of(new String(bytes, StandardCharsets.ISO_8859_1).split("\0", -1));
    }
}
