package io.cleat.views;

import io.cleat.model.BlockedBy;

/** The words of a wait as one text, wherever the API has room for only one. */
final class Sentences {
    private Sentences() {}

    /** On whom, since when, and what will happen next. */
    static String of(BlockedBy wait) {
        String next = wait.nextTry() == null ? "" : "; it is tried again at " + wait.nextTry();
        String hint = wait.hint().isEmpty() ? "" : "; " + wait.hint();
        return "waits in step "
                + wait.step()
                + " for "
                + wait.holder()
                + " since "
                + wait.since()
                + next
                + hint;
    }
}
