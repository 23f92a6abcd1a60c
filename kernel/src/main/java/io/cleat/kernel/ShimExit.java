package io.cleat.kernel;

import io.cleat.base.KernelTrouble;
import java.time.Instant;

/**
 * How a task ended. Once this is there, no process of the task is left.
 *
 * @param code 0 to 255; -1 where a signal ended it
 * @param signal the signal that ended it; 0 for none
 * @param oom whether the kernel killed in its control group for want of memory
 * @param droppedBytes bytes of output that were not kept
 * @param error why the command could not be executed; empty if it was
 */
public record ShimExit(int code, int signal, Oom oom, long droppedBytes, Instant ended, String error) {
    /** The newest version that this program reads. */
    static final int VERSION = 1;

    static final int MOST_CODE = 255;

    /** WTERMSIG can say that much; shims of before took it as it came from a container. */
    static final int MOST_SIGNAL = 127;

    /** The end of the year 9999. */
    private static final long LAST_MILLIS = 253_402_300_799_999L;

    /** Whether memory ran out. */
    public enum Oom {
        YES,
        NO,
        /** The kernel does not count that here. */
        UNKNOWN
    }

    static ShimExit parse(String text) throws KernelTrouble {
        ShimText exit = ShimText.file("cleat-exit", VERSION, text);
        Oom oom = switch (exit.word("oom")) {
            case "yes" -> Oom.YES;
            case "no" -> Oom.NO;
            default -> Oom.UNKNOWN;
        };
        return new ShimExit(
                (int) exit.number("code", 0, -1, MOST_CODE),
                (int) exit.number("signal", 0, 0, MOST_SIGNAL),
                oom,
                exit.number("dropped", 0, 0, Long.MAX_VALUE),
                Instant.ofEpochMilli(exit.number("ended", 0, 0, LAST_MILLIS)),
                exit.wordsOr("error", ""));
    }
}
