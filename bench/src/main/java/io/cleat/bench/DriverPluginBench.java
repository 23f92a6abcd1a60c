package io.cleat.bench;

import io.cleat.base.DriverTrouble;
import io.cleat.driver.ExecCommand;
import io.cleat.driver.ExecSession;
import io.cleat.driver.TaskHandle;
import io.cleat.driverplugin.ExternalDriver;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What drivers in programs of their own cost the agent: memory for each and for each of their tasks, and a command's
 * bytes on their way, beside the same plugin called directly.
 */
final class DriverPluginBench implements Bench {
    private static final int PLUGINS = 4;
    private static final int TASKS = 50;
    private static final int FLOODS = 3;
    private static final int BYTES = 100_000_000;
    private static final double MB = 1e6;
    private static final List<String> FLOOD = List.of("head", "-c", "" + BYTES, "/dev/zero");

    @Override
    public String name() {
        return "driver-plugin";
    }

    @Override
    public String about() {
        return "drivers in programs of their own";
    }

    @Override
    public List<BenchRow> run(Path scratch) throws Exception {
        if (!Launcher.isRoot()) {
            return List.of(BenchRow.absent("driver plugin", "reason: needs root"));
        }
        Path pausing = CProgram.build(scratch, "pausing", CProgram.PAUSING);
        Process peer = new ProcessBuilder(pausing.toString()).start();
        try (BenchDrivers drivers = new BenchDrivers(scratch)) {
            double plain = new Pids(List.of(peer.pid())).memory();
            // Classes and what all share come with the first.
            ExternalDriver first = drivers.add();
            List<BenchRow> rows = new ArrayList<>();
            TaskHandle task = drivers.start(first, pausing);
            rows.add(plugins(drivers, plain));
            rows.add(tasks(drivers, first, pausing, plain));
            // Last, since its buffers stay.
            rows.add(exec(drivers, first, task));
            return rows;
        } finally {
            peer.destroyForcibly();
        }
    }

    private static BenchRow plugins(BenchDrivers drivers, double plain) throws Exception {
        long heap = OwnProcess.heap();
        double followers = drivers.followers();
        for (int i = 1; i < PLUGINS; i++) {
            drivers.add();
        }
        return row(
                "driver plugin, host side: memory of each",
                (OwnProcess.heap() - heap) / (PLUGINS - 1.0),
                (drivers.followers() - followers) / (PLUGINS - 1.0),
                plain);
    }

    private static BenchRow tasks(BenchDrivers drivers, ExternalDriver driver, Path program, double plain)
            throws Exception {
        long heap = OwnProcess.heap();
        double followers = drivers.followers();
        for (int i = 0; i < TASKS; i++) {
            drivers.start(driver, program);
        }
        return row(
                "the same of each of its tasks",
                (OwnProcess.heap() - heap) / (double) TASKS,
                (drivers.followers() - followers) / TASKS,
                plain);
    }

    private static BenchRow row(String what, double heap, double followers, double plain) {
        return BenchRow.of(what, Math.max(0, heap) + followers, Unit.BYTES)
                .limit("an empty static C program", plain)
                .budget("1 MB", heap + followers <= MB)
                .detail("heap " + Unit.BYTES.text(Math.max(0, heap)) + ", who takes its output "
                        + Unit.BYTES.text(followers));
    }

    private static BenchRow exec(BenchDrivers drivers, ExternalDriver driver, TaskHandle task) throws Exception {
        Samples own = new Samples();
        Samples direct = new Samples();
        try (DriverByHand hand = new DriverByHand(drivers.socket())) {
            for (int i = 0; i < FLOODS; i++) {
                long begin = System.nanoTime();
                try (ExecSession session = driver.exec(task, new ExecCommand(FLOOD, false))) {
                    session.endInput();
                    require(drained(session));
                }
                own.add(System.nanoTime() - begin);
                begin = System.nanoTime();
                require(hand.output(task.id(), FLOOD));
                direct.add(System.nanoTime() - begin);
            }
        }
        return BenchRow.of("exec of a driver plugin, output", BYTES / own.median(), Unit.BYTES_PER_SECOND)
                .limit("the same plugin called directly", BYTES / direct.median());
    }

    private static long drained(ExecSession session) throws DriverTrouble, InterruptedException {
        long bytes = 0;
        for (Optional<ExecSession.Output> next = session.next(); next.isPresent(); next = session.next()) {
            bytes += next.get() instanceof ExecSession.Output.Out(byte[] piece) ? piece.length : 0;
        }
        return bytes;
    }

    private static void require(long bytes) throws IOException {
        if (bytes != BYTES) {
            throw new IOException(bytes + " bytes came, not " + BYTES);
        }
    }
}
