package io.cleat.jobspec.hcl;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;

/** The faults found so far, at most a hundred. Not thread-safe. */
public final class Faults {
    private static final int LIMIT = 100;
    private static final String LATER = "Not supported yet";

    private record Found(Span at, String summary, String detail) {}

    private final List<Found> found = new ArrayList<>();

    public void add(Span at, String summary, String detail) {
        if (found.size() < LIMIT) {
            found.add(new Found(at, summary, detail));
        } else if (found.size() == LIMIT) {
            found.add(new Found(at, "Too many faults", "Only the first " + LIMIT + " are shown; repair them first."));
        }
    }

    /** A part that this version does not support, and that is left out. */
    public void addLater(Span at, String detail) {
        add(at, LATER, detail);
    }

    /** Whether nothing is wrong but that parts are not supported. */
    public boolean areOfLaterParts() {
        return found.stream().allMatch(fault -> fault.summary().equals(LATER));
    }

    public boolean isEmpty() {
        return found.isEmpty();
    }

    /** Further faults are no longer kept, so there is no sense in reading on. */
    public boolean isFull() {
        return found.size() > LIMIT;
    }

    /** The faults, each once, by place; sources in the order in which their first fault came. */
    public List<Fault> sorted() {
        List<Source> sources = new ArrayList<>(
                new LinkedHashSet<>(found.stream().map(f -> f.at.source()).toList()));
        return found.stream()
                .sorted(Comparator.comparingInt((Found f) -> sources.indexOf(f.at.source()))
                        .thenComparingInt(f -> f.at.start()))
                .map(f -> Fault.at(f.at, f.summary, f.detail))
                .distinct()
                .toList();
    }
}
