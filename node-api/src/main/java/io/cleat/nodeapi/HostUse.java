package io.cleat.nodeapi;

import io.cleat.api.Nanos;
import io.cleat.api.NodeStats;
import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.base.Time;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the machine uses. Shares of processors are of the time since it was asked before, the first time since the
 * machine started.
 *
 * <p>Guarded by {@code lock}, which is held for reading a few files of the kernel's memory.
 */
final class HostUse {
    private static final Pattern CPU = Pattern.compile("(?m)^(cpu\\d+) (.*)$");
    private static final Pattern MEMORY = Pattern.compile("(?m)^(\\w+):\\s+(\\d+) kB$");

    private final Path proc;
    private final Path data;
    private final double mhzPerCore;
    private final Time time;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Ticks> before = new HashMap<>();

    /**
     * @param proc where the kernel's files are
     * @param data where allocations are kept
     */
    HostUse(Path proc, Path data, double mhzPerCore, Time time) {
        this.proc = proc;
        this.data = data;
        this.mhzPerCore = mhzPerCore;
        this.time = time;
    }

    /** Counts of one processor since the start. */
    private record Ticks(long user, long system, long idle) {
        long total() {
            return user + system + idle;
        }

        Ticks since(Ticks earlier) {
            return new Ticks(user - earlier.user, system - earlier.system, idle - earlier.idle);
        }

        double share(long part) {
            return total() <= 0 ? 0 : 100.0 * part / total();
        }
    }

    NodeStats now() throws DiskTrouble {
        try {
            List<NodeStats.@Nullable Cpu> cpus = new ArrayList<>(cpus());
            double ticks = 0;
            for (NodeStats.Cpu cpu : cpus) {
                ticks += cpu == null ? 0 : cpu.TotalTicks();
            }
            NodeStats.Disk disk = disk();
            List<NodeStats.@Nullable Disk> disks = new ArrayList<>(List.of(disk));
            return new NodeStats(disk, cpus, ticks, List.of(), disks, memory(), Nanos.of(time.now()), uptime());
        } catch (IOException e) {
            throw new DiskTrouble("reading what the machine uses: " + e, Effect.NONE, Retry.SAME_CALL, e);
        }
    }

    private List<NodeStats.Cpu> cpus() throws IOException {
        List<NodeStats.Cpu> cpus = new ArrayList<>();
        Matcher line = CPU.matcher(read("stat"));
        lock.lock();
        try {
            while (line.find()) {
                String[] counts = line.group(2).strip().split("\\s+", -1);
                // user nice system idle iowait irq softirq steal
                Ticks now = new Ticks(
                        count(counts, 0) + count(counts, 1),
                        count(counts, 2) + count(counts, 5) + count(counts, 6),
                        count(counts, 3) + count(counts, 4));
                Ticks earlier = before.put(line.group(1), now);
                Ticks used = earlier == null ? now : now.since(earlier);
                double busy = used.share(used.user() + used.system());
                cpus.add(new NodeStats.Cpu(
                        line.group(1),
                        used.share(used.idle()),
                        used.share(used.system()),
                        busy,
                        busy / 100 * mhzPerCore,
                        used.share(used.user())));
            }
        } finally {
            lock.unlock();
        }
        return cpus;
    }

    private static long count(String[] counts, int index) {
        return index < counts.length ? Long.parseLong(counts[index]) : 0;
    }

    private NodeStats.Memory memory() throws IOException {
        Map<String, Long> kib = new HashMap<>();
        Matcher line = MEMORY.matcher(read("meminfo"));
        while (line.find()) {
            kib.put(line.group(1), Long.parseLong(line.group(2)));
        }
        long total = 1024 * kib.getOrDefault("MemTotal", 0L);
        long available = 1024 * kib.getOrDefault("MemAvailable", 0L);
        return new NodeStats.Memory(available, 1024 * kib.getOrDefault("MemFree", 0L), total, total - available);
    }

    private NodeStats.Disk disk() throws IOException {
        FileStore store = Files.getFileStore(data);
        long size = store.getTotalSpace();
        long used = size - store.getUnallocatedSpace();
        String text = store.toString();
        int paren = text.lastIndexOf(" (");
        return new NodeStats.Disk(
                store.getUsableSpace(),
                store.name(),
                0,
                paren < 0 ? text : text.substring(0, paren),
                size,
                used,
                size == 0 ? 0 : 100.0 * used / size);
    }

    private long uptime() throws IOException {
        String text = read("uptime");
        int dot = text.indexOf('.');
        return dot < 0 ? 0 : Long.parseLong(text.substring(0, dot));
    }

    private String read(String file) throws IOException {
        return Files.readString(proc.resolve(file));
    }
}
