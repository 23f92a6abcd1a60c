package io.cleat.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** What the process that measures has taken, and its end. */
final class OwnProcess {
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private OwnProcess() {}

    /** Seconds of processor time since its start, of all its threads. */
    static double processorSeconds() {
        return SYSTEM.getProcessCpuTime() / 1e9;
    }

    /** Bytes of heap that something still refers to. */
    static long heap() {
        Runtime runtime = Runtime.getRuntime();
        System.gc();
        System.gc();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    /** What is measured beside a fault says nothing: the process ends with it. */
    static void endBy(String where, Throwable fault) {
        System.err.println(where);
        fault.printStackTrace();
        Runtime.getRuntime().halt(1);
    }
}
