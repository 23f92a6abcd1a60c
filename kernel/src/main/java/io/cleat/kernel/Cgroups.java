package io.cleat.kernel;

import io.cleat.base.Deadline;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Time;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/**
 * The port for control groups: the sets of processes that the kernel counts and kills for us, all of them below one
 * parent of our own, outside any group the agent is in.
 */
public interface Cgroups {
    /** Which of the kernel's two kinds this machine has. */
    enum Layout {
        V1,
        V2,
        /** Controllers under version 1, killing under version 2. */
        HYBRID,
        /** None that we may write to. */
        NONE
    }

    Layout layout();

    /** Why there is none, where there is none; else empty. */
    String reason();

    /** Whether a group's use of swap can be limited. */
    boolean limitsSwap();

    /**
     * The group of that name, made now unless it exists.
     *
     * @param name without a slash
     */
    Group create(String name) throws KernelTrouble;

    /** The group of that name, which may not exist. */
    Group group(String name);

    /** The names of the groups that exist below our parent, sorted. */
    List<String> names() throws KernelTrouble;

    /** Removes our parent, also where others made it for us, if no group is left in it; returns whether it is gone. */
    boolean removeParent() throws KernelTrouble;

    /** One group: a directory in each hierarchy that is used. */
    interface Group {
        String name();

        /** Its path in every hierarchy, with a slash before it: what an OCI runtime that makes it is told. */
        String path();

        /** Where processes join, by writing their id to {@code cgroup.procs}. */
        List<Path> directories();

        void add(long pid) throws KernelTrouble;

        /**
         * Sets what its processes may use together, as far as the machine has the controllers; before anything is in
         * it.
         *
         * @throws KernelTrouble with no effect on any process if the kernel refuses
         */
        void limit(Limits limits) throws KernelTrouble;

        /** The ids of the processes in it and in groups below it, sorted; none when it is gone. */
        List<Long> processes() throws KernelTrouble;

        /**
         * Kills every process in it and below it, also those forked meanwhile, and waits until none is left.
         *
         * @throws KernelTrouble with unknown effect when some are left at the deadline
         */
        void killAll(Deadline deadline) throws KernelTrouble, InterruptedException;

        Stats stats();

        /**
         * Removes it and the groups below it, also in hierarchies that only an OCI runtime uses; it may be gone
         * already.
         *
         * @throws KernelTrouble while there are processes in it
         */
        void remove(Deadline deadline) throws KernelTrouble, InterruptedException;
    }

    /**
     * What a group may use; 0 for no limit.
     *
     * @param cpuShares its part of the processors when they are short, beside other groups' parts: 2 to 262144, in
     *     version 1's unit
     * @param memoryBytes what it is left when memory is short
     * @param memoryMaxBytes beyond which a process of it is killed; not less than {@code memoryBytes}
     * @param tasks how many processes and threads it may have together; forks fail beyond
     */
    record Limits(long cpuShares, long memoryBytes, long memoryMaxBytes, long tasks) {}

    /**
     * What the kernel counted; absent where it does not count.
     *
     * @param cpuUserNanos processor time in user mode so far
     * @param cpuSystemNanos processor time in the kernel so far
     * @param memoryBytes all memory charged now, caches of files too
     * @param memoryMaxBytes the most that was charged
     * @param rssBytes memory of the processes alone
     */
    record Stats(
            OptionalLong cpuUserNanos,
            OptionalLong cpuSystemNanos,
            OptionalLong memoryBytes,
            OptionalLong memoryMaxBytes,
            OptionalLong rssBytes) {
        /** Whether processor time and memory are counted. */
        public boolean isWhole() {
            return cpuUserNanos.isPresent() && cpuSystemNanos.isPresent() && memoryBytes.isPresent();
        }
    }

    /**
     * The control groups of this machine.
     *
     * @param parent the name of our parent group, such as {@code cleat-<agent id>}
     */
    static Cgroups linux(String parent, Time time) throws KernelTrouble {
        return LinuxCgroups.detect(MountTable.read(), parent, time);
    }
}
