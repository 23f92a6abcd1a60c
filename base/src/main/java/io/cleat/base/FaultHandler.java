package io.cleat.base;

/**
 * Where broken invariants and uncaught errors end. A server steps down and exits, an agent stops
 * new work but leaves mounts alone, a simulation fails its seed.
 */
@FunctionalInterface
public interface FaultHandler {
    /**
     * @param where the thread or loop that met the fault
     * @param fault what happened
     */
    void fault(String where, Throwable fault);
}
