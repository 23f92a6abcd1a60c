package io.cleat.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Processes that are looked at. */
record Pids(List<Long> pids) {
    Pids {
        pids = List.copyOf(pids);
    }

    /** Bytes of one of them (proc_pid_smaps(5), Pss), on average. */
    double memory() throws IOException {
        long kilobytes = 0;
        for (long pid : pids) {
            kilobytes += memory(pid);
        }
        return kilobytes * 1024.0 / pids.size();
    }

    private static long memory(long pid) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/smaps_rollup"))) {
            if (line.startsWith("Pss:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", ""));
            }
        }
        throw new IOException("no Pss of process " + pid);
    }

    /** Seconds of processor time that all of them use in a second, by the scheduler's own count. */
    double processorTime(Duration over) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        long before = nanos();
        Thread.sleep(over);
        long used = nanos() - before;
        return used / (double) (System.nanoTime() - begin);
    }

    /** What all threads of a process have used until now, by the clock's ticks of 10 ms. */
    static Duration processorTotal(long pid) throws IOException {
        return ProcessHandle.of(pid)
                .flatMap(process -> process.info().totalCpuDuration())
                .orElseThrow(() -> new IOException("process " + pid + " is gone"));
    }

    private long nanos() throws IOException {
        long nanos = 0;
        for (long pid : pids) {
            String text = Files.readString(Path.of("/proc/" + pid + "/schedstat"));
            nanos += Long.parseLong(text.split(" ", -1)[0]);
        }
        return nanos;
    }
}
