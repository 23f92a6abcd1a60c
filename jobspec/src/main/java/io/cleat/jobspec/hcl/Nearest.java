package io.cleat.jobspec.hcl;

import java.util.Collection;
import java.util.Optional;
import java.util.TreeSet;

/** The known name nearest to one that is not known. */
public final class Nearest {
    /** Longer names are not compared: the work grows with the square of the length. */
    private static final int LONGEST = 100;

    /** Of more names than a person would write, none is looked for. */
    private static final int MOST = 1000;

    private Nearest() {}

    /**
     * The nearest of {@code known}, or empty when none is near enough to be a typing error, or when the name is one of
     * them.
     */
    public static Optional<String> to(String given, Collection<String> known) {
        boolean tooMuch = given.length() > LONGEST || known.size() > MOST;
        if (tooMuch || known.contains(given)) {
            return Optional.empty();
        }
        int limit = Math.max(1, Math.min(given.length() / 3, 3));
        String best = null;
        int least = limit + 1;
        // In their order, so that of two equally near ones always the same is named.
        for (String name : new TreeSet<>(known)) {
            if (Math.abs(name.length() - given.length()) < least) {
                int distance = distance(given, name);
                if (distance < least) {
                    least = distance;
                    best = name;
                }
            }
        }
        return Optional.ofNullable(best);
    }

    /** {@code " Did you mean \"x\"?"}, or nothing. */
    public static String hint(String given, Collection<String> known) {
        return to(given, known).map(name -> " Did you mean \"" + name + "\"?").orElse("");
    }

    /** Insertions, deletions, replacements and swaps of neighbours that make one of the other. */
    static int distance(String a, String b) {
        int[] before = new int[b.length() + 1];
        int[] last = new int[b.length() + 1];
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            last[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int same = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                row[j] = Math.min(Math.min(row[j - 1], last[j]) + 1, last[j - 1] + same);
                boolean swapped =
                        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
                if (swapped) {
                    row[j] = Math.min(row[j], before[j - 2] + 1);
                }
            }
            int[] spare = before;
            before = last;
            last = row;
            row = spare;
        }
        return last[b.length()];
    }
}
