package io.cleat.model;

import java.util.List;
import java.util.Optional;

/** Names of signals and their numbers on Linux, on every processor this program runs on. */
public final class Signals {
    /** The name of the number that is one more than the place in the list (signal(7)). */
    private static final List<String> NAMES = List.of(
            "SIGHUP",
            "SIGINT",
            "SIGQUIT",
            "SIGILL",
            "SIGTRAP",
            "SIGABRT",
            "SIGBUS",
            "SIGFPE",
            "SIGKILL",
            "SIGUSR1",
            "SIGSEGV",
            "SIGUSR2",
            "SIGPIPE",
            "SIGALRM",
            "SIGTERM",
            "SIGSTKFLT",
            "SIGCHLD",
            "SIGCONT",
            "SIGSTOP",
            "SIGTSTP",
            "SIGTTIN",
            "SIGTTOU",
            "SIGURG",
            "SIGXCPU",
            "SIGXFSZ",
            "SIGVTALRM",
            "SIGPROF",
            "SIGWINCH",
            "SIGIO",
            "SIGPWR",
            "SIGSYS");

    private Signals() {}

    /** The number of a name such as {@code SIGTERM}; empty for any other word. */
    public static Optional<Integer> number(String name) {
        int at = NAMES.indexOf(name);
        return at < 0 ? Optional.empty() : Optional.of(at + 1);
    }

    /** The name of a number, such as {@code SIGTERM}; {@code signal 40} where it has none. */
    public static String name(int number) {
        return number >= 1 && number <= NAMES.size() ? NAMES.get(number - 1) : "signal " + number;
    }
}
