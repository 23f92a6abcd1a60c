package io.cleat.processtests;

import static java.util.Objects.requireNonNull;

import io.cleat.api.AllocationStub;
import io.cleat.api.LocalToken;
import io.cleat.api.Params;
import io.cleat.processtests.AttackRows.Verdict;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/**
 * What is attacked: an agent with a neighbour's job, files whose contents nobody may come by, and a fingerprint of the
 * machine from before; and what must hold of all that at the end.
 */
final class AttackGround implements AutoCloseable {
    private static final String PLUGIN = "local-plugin";
    private static final int MOST_PATHS = 400;

    /** Beside other tests; {@code ./dev attack}, which runs alone, says a second. */
    private static final Duration LONGEST_ANSWER = Duration.ofMillis(Long.getLong("cleat.attack.answer", 5_000));

    private static final Set<PosixFilePermission> PASSED = PosixFilePermissions.fromString("rwx--x--x");

    private final AgentRun agent;
    private final Api api;
    private final ProcessHandle process;
    private final AllocationStub neighbour;
    private final List<String> secrets;
    private final MachineFingerprint before;
    private final AgentPulse pulse;
    private final String mark = "taken" + UUID.randomUUID().toString().substring(0, 8);

    private AttackGround(AgentRun agent) throws Exception {
        this.agent = agent;
        this.api = agent.api();
        // Others of the machine are to come as far as the agent lets them.
        Files.setPosixFilePermissions(agent.root(), PASSED);
        String canary = "canary-" + UUID.randomUUID();
        Path victims = Files.createDirectory(victims(agent.root()));
        Files.setPosixFilePermissions(victims, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(
                Files.writeString(victims.resolve("secret"), canary), PosixFilePermissions.fromString("rw-------"));
        Files.writeString(victims.resolve("file"), "kept " + canary);
        agent.start();
        process = agent.handle();
        agent.register(AttackJobs.neighbour());
        neighbour = agent.running("neighbour");
        agent.awaits(() -> counted("raw") > 3, "the neighbour counts");
        secrets = List.of(
                canary,
                Files.readString(agent.data().resolve(LocalToken.FILE)).strip(),
                new String(
                        Files.readAllBytes(agent.data().resolve("server/secrets.key")), StandardCharsets.ISO_8859_1));
        before = MachineFingerprint.of(victims);
        pulse = new AgentPulse(agent.data().resolve("http.sock"));
    }

    /** An agent with its neighbour, both running. */
    static AttackGround prepared() throws Exception {
        AgentRun agent = AgentRun.prepare();
        try {
            return new AttackGround(agent);
        } catch (Exception | AssertionError failed) {
            agent.close();
            throw failed;
        }
    }

    AgentRun agent() {
        return agent;
    }

    Api api() {
        return api;
    }

    /** The newest allocation of a job, waited for. */
    AllocationStub allocation(String job) throws Exception {
        agent.awaits(() -> !allocations(job).isEmpty(), "an allocation of " + job);
        return allocations(job).getFirst();
    }

    private List<AllocationStub> allocations(String job) throws Exception {
        return api.client().jobs().allocations(job, true, Params.none()).body();
    }

    /** The status of that allocation. */
    String status(String job) throws Exception {
        return allocation(job).ClientStatus();
    }

    private static Path victims(Path root) {
        return root.resolve("victims");
    }

    /** What the parties' program is told of this machine, but no secret. */
    List<String> settings(List<String> only) throws Exception {
        Path data = agent.data();
        List<String> lines = new ArrayList<>();
        only.forEach(name -> lines.add("only " + name));
        lines.add("mark " + mark);
        lines.add("root " + agent.root());
        lines.add("port " + agent.port().port());
        lines.add("own " + ownDirectory());
        lines.add("victim-file " + victims(agent.root()).resolve("secret"));
        lines.add("victim-directory " + victims(agent.root()));
        for (String begin : List.of("canary-", "root:*:", "root:!", "root:$")) {
            lines.add("secret " + begin);
        }
        for (String space : List.of("mnt", "pid", "ipc", "uts", "cgroup")) {
            lines.add("ns-%s %s".formatted(space, Files.readSymbolicLink(Path.of("/proc/self/ns", space))));
        }
        for (Path hidden : List.of(
                data.resolve("http.sock"),
                data.resolve(LocalToken.FILE),
                data.resolve("agent.lock"),
                data.resolve("client/node"),
                data.resolve("server/secrets.key"),
                data.resolve("client/exec/shims"),
                data.resolve("client/csi/plugins"),
                data.resolve("pool"),
                data.resolve("alloc/" + neighbour.ID()),
                data.resolve("alloc/" + neighbour.ID() + "/usual/local"),
                data.resolve("alloc/" + neighbour.ID() + "/usual/secrets/own"),
                victims(agent.root()).resolve("secret"),
                Path.of("/etc/shadow"),
                Path.of("/root"),
                LocalToken.AGENTS)) {
            lines.add("hidden " + hidden);
        }
        processes().forEach((name, pid) -> lines.add("process " + name + " " + pid));
        paths(data).forEach(path -> lines.add("data " + path));
        return lines;
    }

    /** Where the local users may write. */
    Path ownDirectory() throws IOException {
        Path own = agent.root().resolve("own");
        if (!Files.exists(own)) {
            Files.createDirectory(own);
            Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwxrwxrwx"));
        }
        return own;
    }

    private Map<String, Long> processes() throws Exception {
        Map<String, Long> found = new TreeMap<>();
        found.put("agent", process.pid());
        for (String task : List.of("usual", "contained", "raw")) {
            for (long pid : agent.leavings().processesNaming("NOMAD_TASK_NAME=" + task)) {
                if (comm(pid).equals("sh") && !found.containsKey(task)) {
                    found.put(task, pid);
                }
            }
        }
        for (long pid : agent.leavings().processesNaming(agent.root().toString())) {
            if (comm(pid).equals("shim")) {
                found.put("shim", pid);
            }
        }
        return found;
    }

    private static String comm(long pid) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/comm")).strip();
        } catch (IOException gone) {
            return "";
        }
    }

    /** The user of a process. */
    long user(String task) throws Exception {
        Long pid = processes().get(task);
        return pid == null ? -1 : ((Number) Files.getAttribute(Path.of("/proc/" + pid), "unix:uid")).longValue();
    }

    private static List<Path> paths(Path data) throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(data, Set.of(), 7, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes of) {
                return visitFile(path, of);
            }

            @Override
            public FileVisitResult visitFile(Path path, BasicFileAttributes of) {
                boolean isNew = !path.toString().contains("/containers/");
                if (isNew && path.toString().chars().allMatch(c -> c > ' ' && c < 127)) {
                    found.add(path);
                }
                return found.size() < MOST_PATHS ? FileVisitResult.CONTINUE : FileVisitResult.TERMINATE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path path, IOException gone) {
                return FileVisitResult.CONTINUE;
            }
        });
        return found;
    }

    private long counted(String task) throws Exception {
        return api.printed(neighbour.ID(), task).lines().count();
    }

    /** Looks at all that must have held beside the attempts themselves, and ends what runs. */
    void judge(AttackRows rows) throws Exception {
        pulse.end();
        rows.add("battery", "agent/answers", of(pulse.failures().isEmpty()), "" + pulse.failures());
        rows.add(
                "battery",
                "agent/answers_in_time",
                of(pulse.longest().compareTo(LONGEST_ANSWER) <= 0),
                pulse.toString());
        rows.add("battery", "agent/same_process", of(process.isAlive()), "" + process.pid());
        for (String task : List.of("usual", "contained", "raw")) {
            rows.add("battery", "neighbour/" + task, of(goesOn(task)), "counts without a gap");
        }
        changes(rows, "files/machine", before.changes(MachineFingerprint.of(victims(agent.root()))));
        changes(rows, "files/marked", MachineFingerprint.marked(mark));
        changes(rows, "files/data_directory", givenAway(agent.data()));
        changes(rows, "secrets/told", told(agent.data().resolve("alloc"), agent.printed()));
    }

    /** After their jobs: nothing of the parties is left. */
    void judgeEnd(AttackRows rows) throws Exception {
        for (var job : agent.client().jobs().list(Params.none()).body()) {
            if (!job.ID().equals(PLUGIN)) {
                agent.stop(job.ID());
            }
        }
        for (var volume : agent.client().volumes().list(Params.none()).body()) {
            agent.delete(volume.ID());
        }
        agent.stop(PLUGIN);
        try {
            Api.await(() -> left().isEmpty(), "all jobs have ended");
        } catch (AssertionError late) {
            // What is left says it.
        }
        changes(rows, "machine/left", left());
    }

    /** What is on the machine, but for what an agent has that runs nothing. */
    private List<String> left() throws Exception {
        List<String> left = agent.leavings().found();
        left.remove("process " + process.pid());
        left.remove("mount " + agent.data().resolve("client/csi"));
        return left;
    }

    private static Verdict of(boolean held) {
        return held ? Verdict.HELD : Verdict.BROKEN;
    }

    private static void changes(AttackRows rows, String name, List<String> changes) {
        rows.add(
                "battery",
                name,
                of(changes.isEmpty()),
                changes.stream().limit(8).toList() + "");
    }

    private boolean goesOn(String task) throws Exception {
        List<String> lines = api.printed(neighbour.ID(), task).lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            if (!lines.get(i).equals(String.valueOf(i + 1))) {
                return false;
            }
        }
        agent.awaits(() -> counted(task) > lines.size(), task + " of the neighbour goes on");
        return api.task(neighbour.ID(), task).orElseThrow().Restarts() == 0;
    }

    /** What in the data directory, but for allocations, is not its owner's alone to write. */
    private static List<String> givenAway(Path data) throws IOException {
        List<String> found = new ArrayList<>();
        for (Path path : paths(data)) {
            if (path.startsWith(data.resolve("alloc")) || path.startsWith(data.resolve("pool"))) {
                continue;
            }
            try {
                Map<String, Object> now = Files.readAttributes(path, "unix:uid,mode", LinkOption.NOFOLLOW_LINKS);
                int mode = (int) requireNonNull(now.get("mode"));
                boolean isLink = (mode & 0170000) == 0120000;
                boolean isOpen = (mode & 022) != 0 && !isLink;
                if (isOpen || !Integer.valueOf(0).equals(now.get("uid"))) {
                    found.add(path + " " + now);
                }
            } catch (IOException gone) {
                // What comes and goes is not what was given away.
            }
        }
        return found;
    }

    /** Where a secret can be read that no party may have. */
    private List<String> told(Path allocations, String printed) throws IOException {
        List<String> found = new ArrayList<>();
        if (hasSecret(printed)) {
            found.add("the agent's own log");
        }
        try (DirectoryStream<Path> each = Files.newDirectoryStream(allocations)) {
            for (Path allocation : each) {
                search(allocation, found);
            }
        }
        search(ownDirectory(), found);
        return found;
    }

    private void search(Path directory, List<String> found) throws IOException {
        Files.walkFileTree(directory, Set.of(), 8, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path path, BasicFileAttributes of) throws IOException {
                if (of.isRegularFile()
                        && of.size() < 1 << 22
                        && hasSecret(Files.readString(path, StandardCharsets.ISO_8859_1))) {
                    found.add(path.toString());
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path path, IOException gone) {
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private boolean hasSecret(String text) {
        return secrets.stream().anyMatch(text::contains);
    }

    @Override
    public void close() {
        try {
            pulse.end();
            agent.kill();
            agent.leavings().remove();
            // No path is long enough for what a task has nested; this program walks by handles.
            new ProcessBuilder(
                            "rm",
                            "-rf",
                            "--one-file-system",
                            agent.data().resolve("alloc").toString())
                    .inheritIO()
                    .start()
                    .waitFor();
        } catch (InterruptedException cutShort) {
            Thread.currentThread().interrupt();
        } catch (Exception failed) {
            throw new IllegalStateException("not all is cleaned up", failed);
        } finally {
            agent.close();
        }
    }
}
