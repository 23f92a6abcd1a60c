package io.cleat.cli;

import java.util.List;
import java.util.function.Function;

/** The rule by which the beginning of an id stands for the whole. */
final class Prefix {
    private Prefix() {}

    /**
     * The one of {@code found} that {@code given} means: the one whose id is exactly that, else the only one whose id
     * begins so.
     *
     * @param kind what it is called: {@code volume}
     * @param table shows them when there are several
     * @throws Failure there is none, or more than one
     */
    static <T> T one(String kind, String given, List<T> found, Function<T, String> id, Function<List<T>, String> table)
            throws Failure {
        List<T> matching =
                found.stream().filter(one -> id.apply(one).startsWith(given)).toList();
        List<T> exact =
                matching.stream().filter(one -> id.apply(one).equals(given)).toList();
        List<T> meant = exact.isEmpty() ? matching : exact;
        return switch (meant.size()) {
            case 0 -> throw new Failure("No %s with prefix or ID \"%s\" found".formatted(kind, given));
            case 1 -> meant.getFirst();
            default -> throw new Failure("Prefix matched multiple %ss\n\n%s".formatted(kind, table.apply(meant)));
        };
    }

    /**
     * What to ask for when {@code given} begins a UUID: such a prefix must have an even number of digits, so the last
     * odd one is only looked at here.
     *
     * @throws Failure with fewer than two characters it would match almost anything
     */
    static String ofUuid(String given) throws Failure {
        if (given.length() < 2) {
            throw new Failure("Identifier must contain at least two characters.");
        }
        long digits = given.chars().filter(letter -> letter != '-').count();
        String even = digits % 2 == 0 ? given : given.substring(0, given.length() - 1);
        return even.endsWith("-") ? even.substring(0, even.length() - 1) : even;
    }

    /** Whether {@code given} is a whole UUID, so that there is nothing to look up. */
    static boolean isWholeUuid(String given) {
        return given.length() == 36;
    }
}
