package io.cleat.base;

/**
 * Where broken invariants and uncaught errors end. A server steps down and exits, an agent stops new work but leaves
 * mounts alone, a simulation fails its seed, whichever of the two it is.
 */
@FunctionalInterface
public interface FaultHandler {
    /**
     * A fault of what owns shared state: the process ends.
     *
     * @param where the thread or loop that met the fault
     * @param fault what happened
     */
    void fault(String where, Throwable fault);

    /**
     * A fault of one request, link, plugin, task, order or evaluation, which the caller ends: it is logged once and
     * counted, and the process goes on. Where nobody says otherwise it is a fault like any other, since no input that a
     * test knows of should meet one.
     *
     * @param where the thread, or what was worked on
     */
    default void contained(String where, Throwable fault) {
        fault(where, fault);
    }

    /** For whoever has caught a fault of what it works on: tells it, or throws it on if it is no such fault. */
    default void contain(String where, Throwable fault) {
        if (fault instanceof VirtualMachineError worse && !isContainable(fault)) {
            throw worse;
        }
        contained(where, fault);
    }

    /**
     * Whether a fault may be taken for one of the input that was worked on. A stack that was too short is; memory that
     * ran out, or a broken virtual machine, is met by whoever comes first, and leaves all others in doubt.
     */
    static boolean isContainable(Throwable fault) {
        return !(fault instanceof VirtualMachineError) || fault instanceof StackOverflowError;
    }
}
