package io.cleat.kernel;

import io.cleat.base.KernelTrouble;
import java.nio.file.Path;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;

/** The port for processes that are not our children. */
public interface Processes {
    /** Kills, and cannot be caught. */
    int SIGKILL = 9;

    /** The process that has this id now; empty when there is none, or only its remains. */
    Optional<ProcessIdentity> identify(long pid) throws KernelTrouble;

    /**
     * Whether this very process still runs: same id, same start time, same boot, and neither a zombie nor dead (an
     * orphan may stay a zombie for long, and is no longer alive).
     */
    default boolean isAlive(ProcessIdentity process) throws KernelTrouble {
        return identify(process.pid()).filter(process::equals).isPresent();
    }

    /**
     * Sends a signal to this very process.
     *
     * @return false when it no longer runs
     */
    boolean signal(ProcessIdentity process, int signal) throws KernelTrouble;

    /** The live processes of the session that {@code leader} leads or led, itself included. */
    List<ProcessIdentity> session(long leader) throws KernelTrouble;

    /**
     * The user ids that live processes have: real, effective, saved, or for files. A process that began meanwhile may
     * be missing.
     */
    NavigableSet<Long> users() throws KernelTrouble;

    /** Whether two processes are in one session; false once one is gone. */
    boolean shareSession(long pid, long other) throws KernelTrouble;

    /** What a process has used; empty when it is gone. */
    Optional<Usage> usage(ProcessIdentity process) throws KernelTrouble;

    /**
     * What was used so far.
     *
     * @param cpuUserNanos processor time in user mode
     * @param cpuSystemNanos processor time in the kernel
     * @param memoryBytes what is resident
     */
    record Usage(long cpuUserNanos, long cpuSystemNanos, long memoryBytes) {}

    /** The processes of this machine, under {@code /proc}. */
    static Processes linux() {
        return new LinuxProcesses(Path.of("/proc"));
    }
}
