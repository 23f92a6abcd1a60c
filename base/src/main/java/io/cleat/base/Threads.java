package io.cleat.base;

/**
 * The port for thread starts. Threads are virtual in the program and stepped by the simulator; each
 * is named {@code role/id}, and what it does not catch goes to the {@link FaultHandler}.
 */
@FunctionalInterface
public interface Threads {
    /** Starts a thread. A body that ends by interruption ends quietly. */
    Thread start(String name, Body body);

    /** What a thread runs. */
    @FunctionalInterface
    interface Body {
        void run() throws InterruptedException;
    }

    /** Virtual threads whose uncaught errors go to {@code faults}. */
    static Threads virtual(FaultHandler faults) {
        return (name, body) ->
                Thread.ofVirtual()
                        .name(name)
                        .uncaughtExceptionHandler((thread, fault) -> faults.fault(name, fault))
                        .start(
                                () -> {
                                    try {
                                        body.run();
                                    } catch (InterruptedException end) {
                                        Thread.currentThread().interrupt();
                                    }
                                });
    }
}
