package io.cleat.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * When a workload wrote: lines of a time in ms since the epoch and a number, each number one more than the one before.
 */
record WriteTimes(List<Long> times) {
    WriteTimes {
        times = List.copyOf(times);
    }

    /** What {@code workload} has written so far; fails unless no number is missing. */
    static WriteTimes of(Workload workload) throws CheckFailed {
        Path file = workload.data().resolve(DemoContext.NUMBERS);
        try {
            return in(file.toString(), Files.readString(file));
        } catch (IOException unreadable) {
            throw CheckFailed.unseen(file.toString(), unreadable);
        }
    }

    static WriteTimes in(String what, String text) throws CheckFailed {
        Numbers numbers = Numbers.in(what, text);
        numbers.unbroken(what, 1, 1);
        List<Long> times = new ArrayList<>();
        for (String line : text.lines().limit(numbers.last()).toList()) {
            try {
                times.add(Long.parseLong(line.substring(0, Math.max(0, line.indexOf(' ')))));
            } catch (NumberFormatException none) {
                throw new CheckFailed(what, "a time and a number in each line", line);
            }
        }
        return new WriteTimes(times);
    }

    /** How many there are. */
    int count() {
        return times.size();
    }

    /**
     * The longest time between two of them, in ms.
     *
     * @param from the first that counts; 1 for all
     */
    long longestPause(long from) {
        long longest = 0;
        for (int i = (int) from; i < times.size(); i++) {
            longest = Math.max(longest, times.get(i) - times.get(i - 1));
        }
        return longest;
    }

    /** For people: what was written from number {@code from} on. */
    String told(long from) {
        return String.format(
                Locale.ROOT,
                "%d to %d without a gap, on the same mount; the longest pause was %.2f s",
                from,
                count(),
                longestPause(from) / 1000.0);
    }
}
