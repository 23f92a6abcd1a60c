package io.cleat.base;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The port for thread starts. Threads are virtual in the program and stepped by the simulator; each is named
 * {@code role/id}, and each says what its fault means.
 *
 * <p>A <em>vital</em> thread owns state that others rest on: a fault in it ends the process, and so does its end though
 * nobody asked for it, since what lives on half dead serves nobody. A <em>contained</em> thread works for one request,
 * link, plugin, task or order: its fault is told, and ends that one alone. What an interruption ends, ends quietly.
 */
public interface Threads {
    /** Starts a thread. */
    Thread start(Kind kind, String name, Body body);

    /** Where faults go, also one that a thread has contained by itself. */
    FaultHandler faults();

    /** What a thread runs. */
    @FunctionalInterface
    interface Body {
        void run() throws InterruptedException;
    }

    /** What becomes of the one that a contained thread worked for. Runs on that thread. */
    @FunctionalInterface
    interface OnFault {
        void ends(Throwable fault) throws InterruptedException;

        /** For whom its end is enough: what it worked for sees that by itself. */
        OnFault NOTHING_MORE = fault -> {};
    }

    /** What a fault in a thread means. */
    sealed interface Kind {
        /** The process ends. */
        record Vital(BooleanSupplier mayEnd) implements Kind {}

        /** Only what it worked for ends. */
        record Contained(OnFault onFault) implements Kind {}
    }

    /** Starts a vital thread that goes on until it is interrupted. */
    default Thread vital(String name, Body body) {
        return vital(name, body, () -> false);
    }

    /**
     * Starts a vital thread that goes on until it is interrupted, or {@code mayEnd}: its owner was closed, for example.
     */
    default Thread vital(String name, Body body, BooleanSupplier mayEnd) {
        return start(new Kind.Vital(mayEnd), name, body);
    }

    /** Starts a vital thread that ends by itself once its work is done. */
    default Thread vitalWork(String name, Body body) {
        return vital(name, body, () -> true);
    }

    /** Starts a contained thread. A fault in {@code onFault} itself ends the process. */
    default Thread contained(String name, Body body, OnFault onFault) {
        return start(new Kind.Contained(onFault), name, body);
    }

    /** Virtual threads whose faults go to {@code faults}. */
    static Threads virtual(FaultHandler faults) {
        return made(Thread::ofVirtual, faults);
    }

    /**
     * Threads of the kernel, which end with the process: for what has to go on though those that carry all virtual ones
     * are busy.
     */
    static Threads platform(FaultHandler faults) {
        return made(() -> Thread.ofPlatform().daemon(), faults);
    }

    private static Threads made(Supplier<Thread.Builder> builder, FaultHandler faults) {
        return new Threads() {
            @Override
            public Thread start(Kind kind, String name, Body body) {
                return builder.get().name(name).start(guarded(kind, name, body, faults));
            }

            @Override
            public FaultHandler faults() {
                return faults;
            }
        };
    }

    /** {@code body} as a thread of that kind runs it; for implementations of this port. */
    static Runnable guarded(Kind kind, String name, Body body, FaultHandler faults) {
        return new GuardedBody(kind, name, body, faults);
    }
}
