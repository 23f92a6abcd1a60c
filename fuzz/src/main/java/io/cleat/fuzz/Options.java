package io.cleat.fuzz;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What {@code ./dev fuzz} is asked for.
 *
 * @param time for all targets together
 * @param seed of each
 * @param targets by name; empty for the list of them
 * @param replay one input for one target, instead
 */
record Options(Duration time, long seed, List<String> targets, Optional<Path> replay) {
    private static final String ALL = "all";

    /** @throws IllegalArgumentException with what is wrong */
    static Options of(String[] args, List<String> known) {
        Duration time = Duration.ofMinutes(1);
        long seed = System.nanoTime();
        Optional<Path> replay = Optional.empty();
        List<String> targets = new ArrayList<>();
        for (int i = 0; i < args.length; i++) {
            switch (args[i]) {
                case "-minutes", "--minutes" ->
                    time = Duration.ofSeconds((long) (60 * Double.parseDouble(next(args, ++i))));
                case "-seed", "--seed" -> seed = Long.parseLong(next(args, ++i));
                case "-replay", "--replay" -> replay = Optional.of(Path.of(next(args, ++i)));
                case ALL -> targets.addAll(known);
                default -> targets.add(args[i]);
            }
        }
        for (String target : targets) {
            if (!known.contains(target)) {
                throw new IllegalArgumentException("there is no target \"" + target + "\"; there are: " + known);
            }
        }
        if (replay.isPresent() && targets.size() != 1) {
            throw new IllegalArgumentException("-replay FILE is for one target");
        }
        return new Options(time, seed, List.copyOf(targets), replay);
    }

    private static String next(String[] args, int at) {
        if (at >= args.length) {
            throw new IllegalArgumentException(args[at - 1] + " needs a value");
        }
        return args[at];
    }
}
