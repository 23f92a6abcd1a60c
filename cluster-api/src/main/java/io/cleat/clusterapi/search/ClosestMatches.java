package io.cleat.clusterapi.search;

import io.cleat.api.FuzzySearchResponse;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/**
 * Names with a text in them, whatever the case of their letters: the closest ones, and no more of them than a search
 * shows. Used by one thread.
 */
final class ClosestMatches {
    private static final Comparator<Found> ORDER = Comparator.comparingInt(Found::at)
            .thenComparingInt(found -> found.match().ID().length())
            .thenComparing(found -> found.match().ID())
            .thenComparing(found -> String.join("\0", found.match().Scope()));

    /** @param at where in the name the text begins */
    private record Found(int at, FuzzySearchResponse.Match match) {}

    private final String text;
    private final int most;
    private final TreeSet<Found> closest = new TreeSet<>(ORDER);
    private boolean isCut;

    /**
     * @param text in small letters
     * @param most names that are kept
     */
    ClosestMatches(String text, int most) {
        this.text = text;
        this.most = most;
    }

    /** Takes the name if the text is in it; of too many, the one that is least close goes. */
    void offer(String name, List<String> scope) {
        int at = name.toLowerCase(Locale.ROOT).indexOf(text);
        if (at >= 0) {
            closest.add(new Found(at, new FuzzySearchResponse.Match(name, scope)));
        }
        if (closest.size() > most) {
            closest.pollLast();
            isCut = true;
        }
    }

    /** Whether some were let go. */
    boolean isCut() {
        return isCut;
    }

    /** The closest first: those that begin with the text, of these the shortest. */
    List<FuzzySearchResponse.Match> matches() {
        return closest.stream().map(Found::match).toList();
    }
}
