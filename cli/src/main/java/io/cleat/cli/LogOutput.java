package io.cleat.cli;

import io.cleat.api.LogFrame;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Where the bytes of a log go. Frames may cut a character in two. */
abstract sealed class LogOutput {
    private final Call call;
    private final ByteArrayOutputStream pending = new ByteArrayOutputStream();

    /** How it is shown; absent where it is printed as it is. */
    private final Optional<TerminalText> shown;

    private LogOutput(Call call) {
        this.call = call;
        this.shown = call.showsPerson() ? Optional.of(new TerminalText()) : Optional.empty();
    }

    /** Takes what comes next of a followed file, or of one that is read to its end. */
    final void add(LogFrame frame, boolean follow) {
        if (!frame.FileEvent().isEmpty()) {
            call.say("cleat: \"%s\": %s".formatted(frame.FileEvent(), frame.File()));
        }
        byte[] got = frame.bytes();
        if (got.length > 0) {
            add(got);
        }
        if (follow && got.length < LogFrame.MOST_BYTES) {
            // It goes to the end of what there was; what follows is new.
            caughtUp();
        }
    }

    /** Takes the next bytes. */
    abstract void add(byte[] bytes);

    /** Says that what there was at the start has come. */
    abstract void caughtUp();

    /** Says that nothing more comes: what is left of a character that never ended is printed. */
    final void end() {
        caughtUp();
        if (pending.size() > 0) {
            print(pending.toString(StandardCharsets.UTF_8));
            pending.reset();
        }
        shown.ifPresent(text -> call.raw(text.end()));
    }

    /** Prints up to the last whole character; the rest waits for its end. */
    final void print(byte[] bytes, int from) {
        pending.write(bytes, from, bytes.length - from);
        byte[] all = pending.toByteArray();
        int end = wholeCharacters(all);
        pending.reset();
        pending.write(all, end, all.length - end);
        print(new String(all, 0, end, StandardCharsets.UTF_8));
    }

    private void print(String text) {
        call.raw(shown.isPresent() ? shown.get().next(text) : text);
    }

    /** How many bytes of {@code bytes} are whole UTF-8 characters (RFC 3629 section 3). */
    private static int wholeCharacters(byte[] bytes) {
        for (int back = 1; back <= Math.min(3, bytes.length); back++) {
            int one = bytes[bytes.length - back] & 0xff;
            if (one < 0x80) {
                break;
            }
            if (one >= 0xc0) {
                int length = one >= 0xf0 ? 4 : one >= 0xe0 ? 3 : 2;
                return length > back ? bytes.length - back : bytes.length;
            }
        }
        return bytes.length;
    }

    /** Prints everything as it comes. */
    static final class All extends LogOutput {
        All(Call call) {
            super(call);
        }

        @Override
        void add(byte[] bytes) {
            print(bytes, 0);
        }

        @Override
        void caughtUp() {}
    }

    /** Prints the last lines of what there was at the start, then everything as it comes. */
    static final class LastLines extends LogOutput {
        private final int lines;
        private final ByteArrayOutputStream held = new ByteArrayOutputStream();
        private boolean isCaughtUp;

        LastLines(Call call, int lines) {
            super(call);
            this.lines = lines;
        }

        @Override
        void add(byte[] bytes) {
            if (isCaughtUp) {
                print(bytes, 0);
            } else {
                held.writeBytes(bytes);
            }
        }

        @Override
        void caughtUp() {
            if (!isCaughtUp) {
                isCaughtUp = true;
                byte[] all = held.toByteArray();
                print(all, start(all));
            }
        }

        private int start(byte[] all) {
            int found = 0;
            // A line end at the very end closes the last line; it does not begin another.
            for (int i = all.length - 2; i >= 0; i--) {
                if (all[i] == '\n' && ++found == lines) {
                    return i + 1;
                }
            }
            return 0;
        }
    }
}
