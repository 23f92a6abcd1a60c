package io.cleat.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** The processor time that this process has taken. */
final class Processor {
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private Processor() {}

    /** Seconds since its start, of all its threads. */
    static double seconds() {
        return SYSTEM.getProcessCpuTime() / 1e9;
    }
}
