package io.cleat.demo;

import java.util.ArrayList;
import java.util.List;

/** The numbers that a counting workload wrote or printed, one at the end of each line. */
record Numbers(List<Long> all) {
    Numbers {
        all = List.copyOf(all);
    }

    /**
     * Reads lines; the last one only if it is ended, since it may be half written.
     *
     * @throws CheckFailed a line does not end with a number
     */
    static Numbers in(String what, String text) throws CheckFailed {
        List<Long> numbers = new ArrayList<>();
        int begin = 0;
        for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', begin)) {
            String line = text.substring(begin, end);
            begin = end + 1;
            try {
                numbers.add(Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)));
            } catch (NumberFormatException none) {
                throw new CheckFailed(what, "a number at the end of each line", quoted(line));
            }
        }
        return new Numbers(numbers);
    }

    private static String quoted(String line) {
        return "\"" + line + "\"";
    }

    long first() {
        return all.isEmpty() ? 0 : all.getFirst();
    }

    long last() {
        return all.isEmpty() ? 0 : all.getLast();
    }

    /** Fails unless these are {@code from}, {@code from + 1} and so on, to {@code to} at least. */
    void unbroken(String what, long from, long to) throws CheckFailed {
        long next = from;
        for (long number : all) {
            CheckFailed.unless(
                    number == next,
                    what,
                    "each number from " + from + " on once, in order",
                    number + " where " + next + " belongs");
            next++;
        }
        CheckFailed.unless(last() >= to, what, "the numbers from " + from + " to " + to, "the last is " + last());
    }
}
