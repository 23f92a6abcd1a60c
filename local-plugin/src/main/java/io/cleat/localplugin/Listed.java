package io.cleat.localplugin;

import java.util.Comparator;

/** What has a place in a list. */
interface Listed {
    /** The order of lists. */
    Comparator<Listed> ORDER = Comparator.comparingLong(Listed::order).thenComparing(Listed::id);

    String id();

    long order();
}
