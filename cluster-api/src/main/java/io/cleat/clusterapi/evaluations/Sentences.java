package io.cleat.clusterapi.evaluations;

import io.cleat.model.BlockedBy;

/** The words of a wait as one text, wherever the API has room for only one. */
final class Sentences {
    private Sentences() {}

    /** For what, since when, and what will happen next. */
    static String of(BlockedBy wait) {
        String hint = wait.hint().isEmpty() ? "" : "; " + wait.hint();
        String next = wait.nextTry() == null ? "" : "; it is tried again at " + wait.nextTry();
        return "since " + wait.since() + " it has waited for " + wait.holder() + hint + next;
    }
}
