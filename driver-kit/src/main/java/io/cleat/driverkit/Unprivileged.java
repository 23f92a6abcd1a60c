package io.cleat.driverkit;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The words before a command that make it another user's, without a way to any privilege. */
final class Unprivileged {
    private Unprivileged() {}

    /** @param user user id, group id, and further group ids */
    static List<String> as(List<Long> user) {
        List<String> words = new ArrayList<>();
        words.add("setpriv");
        words.add("--reuid=" + user.get(0));
        words.add("--regid=" + user.get(1));
        words.add(
                user.size() == 2
                        ? "--clear-groups"
                        : "--groups="
                                + user.stream().skip(2).map(String::valueOf).collect(Collectors.joining(",")));
        words.addAll(List.of("--no-new-privs", "--inh-caps=-all", "--bounding-set=-all", "--"));
        return words;
    }
}
