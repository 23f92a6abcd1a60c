package io.cleat.cli;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** The known name that a mistyped one most likely meant. */
final class Nearest {
    private Nearest() {}

    /** The nearest of {@code known}, if it is near enough to be worth saying. */
    static Optional<String> to(String typed, Collection<String> known) {
        int enough = Math.max(1, typed.length() / 3);
        return known.stream()
                .filter(name -> distance(typed, name) <= enough || name.startsWith(typed))
                .min(Comparator.comparingInt(name -> distance(typed, name)));
    }

    /** Letters to change, add, drop or swap with their neighbour to turn one into the other. */
    private static int distance(String from, String to) {
        int[][] steps = new int[from.length() + 1][to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            for (int j = 0; j <= to.length(); j++) {
                if (i == 0 || j == 0) {
                    steps[i][j] = i + j;
                    continue;
                }
                int change = from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1;
                steps[i][j] = Math.min(steps[i - 1][j - 1] + change, Math.min(steps[i - 1][j], steps[i][j - 1]) + 1);
                if (i > 1
                        && j > 1
                        && from.charAt(i - 1) == to.charAt(j - 2)
                        && from.charAt(i - 2) == to.charAt(j - 1)) {
                    steps[i][j] = Math.min(steps[i][j], steps[i - 2][j - 2] + 1);
                }
            }
        }
        return steps[from.length()][to.length()];
    }
}
