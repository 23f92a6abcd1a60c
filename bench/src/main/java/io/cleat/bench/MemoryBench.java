package io.cleat.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Memory of what runs idle, by the proportional set size: private pages, and of shared ones each user's part. */
final class MemoryBench implements Bench {
    private static final Duration IDLE = Duration.ofSeconds(30);
    private static final double MB = 1e6;

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public String about() {
        return "memory of an idle agent, the bundled plugin, and a shim";
    }

    @Override
    public List<BenchRow> run(Path scratch) throws Exception {
        if (!Launcher.isRoot()) {
            return List.of(BenchRow.absent("memory", "reason: needs root"));
        }
        Path empty = CProgram.build(scratch, "empty", CProgram.PAUSING);
        List<Process> peers = new ArrayList<>();
        try (DevProcess agent = DevProcess.start(scratch, Optional.empty())) {
            peers.add(new ProcessBuilder(empty.toString()).start());
            peers.add(new ProcessBuilder(Jvm.hello("stay")).start());
            agent.awaitLeader();
            agent.awaitPlugin(DevProcess.PLUGIN);
            String data = agent.data().toString();
            Thread.sleep(IDLE);
            double jvm = size(peers.get(1).pid());
            double plain = size(peers.get(0).pid());
            double own = size(agent.pid());
            double plugin = size(find("io.cleat.localplugin.Main", data));
            double shim = size(find(Launcher.shim() + "\0run", data));
            return List.of(
                    row("memory, idle dev agent", own, jvm, 180).detail("30 s after its start, proportional set size"),
                    row("memory, bundled plugin", plugin, jvm, 80),
                    BenchRow.of("memory, a shim", shim, Unit.BYTES)
                            .limit("an empty static C program", plain)
                            .budget("1 MB", shim <= MB));
        } finally {
            peers.forEach(Process::destroyForcibly);
        }
    }

    private static double size(long pid) throws IOException {
        return new Pids(List.of(pid)).memory();
    }

    private static BenchRow row(String what, double size, double jvm, int megabytes) {
        return BenchRow.of(what, size, Unit.BYTES)
                .limit("a JVM's hello", jvm)
                .budget(megabytes + " MB", size <= megabytes * MB);
    }

    /** The process whose command line names both texts. */
    private static long find(String program, String data) throws IOException {
        return ProcessHandle.allProcesses()
                .mapToLong(ProcessHandle::pid)
                .filter(pid -> names(pid, program) && names(pid, data))
                .findFirst()
                .orElseThrow(() -> new IOException("no process of " + program));
    }

    private static boolean names(long pid, String text) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/cmdline")).contains(text);
        } catch (IOException gone) {
            return false;
        }
    }
}
