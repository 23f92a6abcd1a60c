package io.cleat.localplugin;

import java.util.Comparator;

/** What a {@link Shelf} of the pool keeps: a description of its own, and content beside it. */
interface Kept {
    /** The order of lists. */
    Comparator<Kept> ORDER = Comparator.comparingLong(Kept::order).thenComparing(Kept::id);

    String id();

    String name();

    VolumeType type();

    long order();

    /** What a new one is to be called. */
    record Label(String id, String name, long order) {}
}
