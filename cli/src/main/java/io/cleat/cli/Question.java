package io.cleat.cli;

import java.io.IOException;
import java.util.Optional;

/** Asks before something that cannot be undone. Without a terminal nothing is ever asked. */
final class Question {
    private Question() {}

    /** Asks for yes or no; anything but {@code y} or {@code yes} is no. */
    static boolean yes(Call call, String question) throws IOException {
        call.ask(question + " [y/N] ");
        String answer = call.environment().terminal().readLine().strip();
        return answer.equalsIgnoreCase("y") || answer.equalsIgnoreCase("yes");
    }

    /**
     * Makes sure that {@code name} is meant: by {@code -yes=NAME}, else by typing it.
     *
     * @throws Failure it was not, or there is nobody to ask
     */
    static void typed(Call call, String what, String name) throws Failure, IOException {
        Optional<String> yes = call.flags().value("yes");
        if (yes.isPresent()) {
            if (!yes.get().equals(name)) {
                throw new Failure(
                        "-yes names \"%s\", but this would %s".formatted(yes.get(), what), "to go on: -yes=" + name);
            }
            return;
        }
        if (!call.environment().terminal().canAsk()) {
            throw new Failure(
                    "this would %s, and there is no terminal to ask on".formatted(what), "to go on: -yes=" + name);
        }
        call.ask("This would " + what + ".\nType \"" + name + "\" to go on: ");
        if (!call.environment().terminal().readLine().strip().equals(name)) {
            throw new Failure("not confirmed: nothing was changed");
        }
    }
}
