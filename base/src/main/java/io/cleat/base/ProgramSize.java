package io.cleat.base;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * How many instructions an expression would compile to at most, found without compiling it:
 * {@code ((a{1000}){1000}){1000}} would fill the heap. An expression with bad syntax has some size too; its fault is
 * found when it is compiled.
 */
final class ProgramSize {
    private static final long HUGE = Long.MAX_VALUE / 4_000;

    private final String text;
    private final Deque<Long> outer = new ArrayDeque<>();
    private long sum = 1;
    private long last;
    private int at;

    private ProgramSize(String text) {
        this.text = text;
    }

    static long of(String expression) {
        ProgramSize size = new ProgramSize(expression);
        while (size.at < expression.length()) {
            size.next();
        }
        size.flush();
        while (!size.outer.isEmpty()) {
            size.sum = add(size.sum, size.outer.pop());
        }
        return size.sum;
    }

    private static long add(long one, long other) {
        return Math.min(HUGE, one + other);
    }

    /** What was read last is repeated by nothing more. */
    private void flush() {
        sum = add(sum, last);
        last = 0;
    }

    private void atom(int length) {
        flush();
        last = 1;
        at += length;
    }

    private void next() {
        switch (text.charAt(at)) {
            case '(' -> {
                flush();
                outer.push(sum);
                boolean isPlain = text.startsWith("(?:", at);
                // The others note where they begin and end.
                sum = isPlain ? 0 : 2;
                at += isPlain ? 3 : 1;
            }
            case ')' -> {
                flush();
                last = sum;
                sum = outer.isEmpty() ? 0 : outer.pop();
                at++;
            }
            case '[' -> {
                int end = classEnd();
                atom(end - at);
            }
            case '\\' -> escape();
            case '*', '+', '?', '|' -> {
                last = add(last, text.charAt(at) == '*' ? 2 : 1);
                at++;
            }
            case '{' -> repeat();
            default -> atom(1);
        }
    }

    private void escape() {
        if (!text.startsWith("\\Q", at)) {
            // \p{Greek} and \x{10FFFF} are one character of the text.
            boolean isNamed = at + 2 < text.length() && "pPx".indexOf(text.charAt(at + 1)) >= 0;
            int end = isNamed && text.charAt(at + 2) == '{' ? text.indexOf('}', at) : -1;
            atom(end < 0 ? 2 : end + 1 - at);
            return;
        }
        int end = text.indexOf("\\E", at + 2);
        int stop = end < 0 ? text.length() : end;
        for (int i = at + 2; i < stop; i++) {
            atom(0);
        }
        at = end < 0 ? stop : stop + 2;
    }

    private int classEnd() {
        int i = at + 1;
        i += text.startsWith("^", i) ? 1 : 0;
        // A bracket that closes stands for itself in the first place.
        i += text.startsWith("]", i) ? 1 : 0;
        while (i < text.length() && text.charAt(i) != ']') {
            int named = text.startsWith("[:", i) ? text.indexOf(":]", i + 2) : -1;
            i = named >= 0 ? named + 2 : i + (text.charAt(i) == '\\' ? 2 : 1);
        }
        return Math.min(text.length(), i + 1);
    }

    private void repeat() {
        int i = at + 1;
        long most = 0;
        long number = 0;
        while (i < text.length() && (isDigit(text.charAt(i)) || text.charAt(i) == ',')) {
            if (text.charAt(i) == ',') {
                number = 0;
            } else {
                number = Math.min(1_000_000, number * 10 + (text.charAt(i) - '0'));
                most = Math.max(most, number);
            }
            i++;
        }
        if (i > at + 1 && i < text.length() && text.charAt(i) == '}') {
            // Each copy may bring an instruction that skips it.
            long once = add(last, 1);
            long times = most + 1;
            last = once > HUGE / times ? HUGE : once * times;
            at = i + 1;
        } else {
            atom(1);
        }
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
