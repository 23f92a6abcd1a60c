package io.cleat.launch;

import io.cleat.base.FaultHandler;
import java.io.PrintStream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of faults in an agent's process: a vital one ends it, with one line that says why and what to do, then
 * the stack; a contained one is logged and counted. What was seen before is logged in one line that names the first, so
 * that whoever makes it a thousand times does not fill a disk.
 */
final class ProcessFaults implements FaultHandler {
    /** How many different ones are told apart. */
    private static final int REMEMBERED = 1000;

    private static final Logger LOG = LoggerFactory.getLogger(ProcessFaults.class);

    private static final String WHAT_TO_DO =
            "; workloads, plugins and mounts go on without it: start the agent again (its systemd"
                    + " unit does); if it ends again: cleat operator log inspect -data-dir DIR";

    private final PrintStream errors;
    private final IntConsumer halt;
    private final AtomicLong contained = new AtomicLong();
    private final Map<String, Long> seen = new ConcurrentHashMap<>();

    /** @param halt ends the process at once */
    ProcessFaults(PrintStream errors, IntConsumer halt) {
        this.errors = errors;
        this.halt = halt;
    }

    static ProcessFaults ofThisProcess() {
        return new ProcessFaults(System.err, code -> Runtime.getRuntime().halt(code));
    }

    @Override
    public void fault(String where, Throwable fault) {
        try {
            errors.println("cleat: this agent ends with exit code "
                    + ExitCodes.FAULT
                    + ", since a fault in "
                    + where
                    + " leaves in doubt what it knows ("
                    + oneLine(fault)
                    + ")"
                    + WHAT_TO_DO);
            fault.printStackTrace(errors);
            Starts.ended(where, errors);
            errors.flush();
        } finally {
            halt.accept(ExitCodes.FAULT);
        }
    }

    /**
     * What must go on is stuck.
     *
     * @param dump where it was written where each thread is, or why not
     */
    void stuck(String what, String dump) {
        try {
            errors.println("cleat: this agent ends with exit code "
                    + ExitCodes.STUCK
                    + ", since "
                    + what
                    + " (threads: "
                    + dump
                    + ")"
                    + WHAT_TO_DO);
            Starts.ended(what, errors);
            errors.flush();
        } finally {
            halt.accept(ExitCodes.STUCK);
        }
    }

    @Override
    public void contained(String where, Throwable fault) {
        long number = contained.incrementAndGet();
        String signature = signature(fault);
        Long first = seen.size() < REMEMBERED ? seen.putIfAbsent(signature, number) : seen.get(signature);
        if (first == null) {
            LOG.error("fault {}, which ends no more than {}:", number, where, fault);
        } else {
            LOG.error("fault {}, which ends no more than {}: {}, as fault {}", number, where, oneLine(fault), first);
        }
    }

    /** How many faults were contained since the process began. */
    long contained() {
        return contained.get();
    }

    /** What it is and the first place of ours: the depth of a stack differs from time to time. */
    private static String signature(Throwable fault) {
        for (StackTraceElement frame : fault.getStackTrace()) {
            if (frame.getClassName().startsWith("io.cleat.")) {
                return fault.getClass().getName() + " at " + frame;
            }
        }
        return fault.getClass().getName();
    }

    private static String oneLine(Throwable fault) {
        return fault.toString().replaceAll("\\p{Cntrl}+", " ");
    }
}
