package io.cleat.kernel;

import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The terminal that standard input is (termios(3), ioctl_tty(2)). Any thread. */
public final class TerminalDevice {
    private static final int STANDARD_INPUT = 0;
    private static final long TCGETS = 0x5401;
    private static final long TCSETSW = 0x5403;
    private static final long TIOCGWINSZ = 0x5413;

    /** More than the kernel's struct termios has. */
    private static final int SIZE = 64;

    private static final int INPUT_FLAGS = 0;
    private static final int OUTPUT_FLAGS = 4;
    private static final int CONTROL_FLAGS = 8;
    private static final int LOCAL_FLAGS = 12;
    private static final int LEAST_KEYS = 17 + 6;
    private static final int MOST_WAIT = 17 + 5;

    // As cfmakeraw(3) does it.
    private static final int NOT_INPUT = 01 | 02 | 010 | 040 | 0100 | 0200 | 0400 | 02000;
    private static final int NOT_OUTPUT = 01;
    private static final int NOT_LOCAL = 010 | 0100 | 02 | 01 | 0100000;
    private static final int NOT_CONTROL = 060 | 0400;
    private static final int EIGHT_BITS = 060;

    /** In characters. */
    public record Size(int rows, int columns) {}

    /** How a terminal is set; opaque. */
    public static final class Settings {
        private final byte[] bytes;

        private Settings(byte[] bytes) {
            this.bytes = bytes;
        }
    }

    /** @throws KernelTrouble also if it is no terminal */
    public Size size() throws KernelTrouble {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment size = arena.allocate(8);
            require(Libc.ioctl(STANDARD_INPUT, TIOCGWINSZ, size), "asking for its size");
            return new Size(
                    Short.toUnsignedInt(size.get(ValueLayout.JAVA_SHORT, 0)),
                    Short.toUnsignedInt(size.get(ValueLayout.JAVA_SHORT, 2)));
        }
    }

    /** Passes on each key as it is, and shows none; answers how it was before. */
    public Settings makeRaw() throws KernelTrouble {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment settings = arena.allocate(SIZE);
            require(Libc.ioctl(STANDARD_INPUT, TCGETS, settings), "asking how it is set");
            Settings before = new Settings(settings.toArray(ValueLayout.JAVA_BYTE));
            clear(settings, INPUT_FLAGS, NOT_INPUT);
            clear(settings, OUTPUT_FLAGS, NOT_OUTPUT);
            clear(settings, LOCAL_FLAGS, NOT_LOCAL);
            clear(settings, CONTROL_FLAGS, NOT_CONTROL);
            settings.set(
                    ValueLayout.JAVA_INT,
                    CONTROL_FLAGS,
                    settings.get(ValueLayout.JAVA_INT, CONTROL_FLAGS) | EIGHT_BITS);
            settings.set(ValueLayout.JAVA_BYTE, LEAST_KEYS, (byte) 1);
            settings.set(ValueLayout.JAVA_BYTE, MOST_WAIT, (byte) 0);
            require(Libc.ioctl(STANDARD_INPUT, TCSETSW, settings), "setting it");
            return before;
        }
    }

    public void restore(Settings before) throws KernelTrouble {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment settings = arena.allocateFrom(ValueLayout.JAVA_BYTE, before.bytes);
            require(Libc.ioctl(STANDARD_INPUT, TCSETSW, settings), "setting it back");
        }
    }

    private static void clear(MemorySegment settings, int offset, int bits) {
        settings.set(ValueLayout.JAVA_INT, offset, settings.get(ValueLayout.JAVA_INT, offset) & ~bits);
    }

    private static void require(int result, String what) throws KernelTrouble {
        if (result < 0) {
            throw new KernelTrouble(
                    what + ", the terminal of standard input, failed: " + Errno.text(-result),
                    Effect.NONE,
                    Retry.NEVER);
        }
    }
}
