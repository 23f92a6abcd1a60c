package io.cleat.localplugin;

import java.util.List;

/**
 * Pages of volumes or snapshots in the order of their creation. A token names the last one given, so a list goes on
 * rightly though that one is deleted and others are created in between: none comes twice, and new ones come last.
 */
record Pages<T extends Listed>(List<T> entries, String next) {
    private static final String PREFIX = "after-";

    Pages {
        entries = List.copyOf(entries);
    }

    /**
     * @param sorted all of them, by {@link Listed#ORDER}
     * @param token where to go on; empty for the beginning
     * @param most how many at most; 0 for all
     */
    static <T extends Listed> Pages<T> of(List<T> sorted, String token, int most) throws CallRefused {
        if (most < 0) {
            throw CallRefused.invalid("max_entries is " + most + "; expected 0 or more");
        }
        List<T> left = token.isEmpty() ? sorted : after(sorted, token);
        if (most == 0 || left.size() <= most) {
            return new Pages<>(left, "");
        }
        List<T> page = left.subList(0, most);
        T last = page.get(most - 1);
        return new Pages<>(page, PREFIX + last.order() + "-" + last.id());
    }

    private static <T extends Listed> List<T> after(List<T> sorted, String token) throws CallRefused {
        int dash = token.indexOf('-', PREFIX.length());
        if (!token.startsWith(PREFIX) || dash < 0) {
            throw unknown(token);
        }
        try {
            long order = Long.parseLong(token.substring(PREFIX.length(), dash));
            String id = token.substring(dash + 1);
            return sorted.stream()
                    .filter(one -> one.order() > order
                            || (one.order() == order && one.id().compareTo(id) > 0))
                    .toList();
        } catch (NumberFormatException wrong) {
            throw unknown(token);
        }
    }

    private static CallRefused unknown(String token) {
        return CallRefused.aborted("starting_token '" + token + "' is none of ours; begin the list anew without one");
    }
}
