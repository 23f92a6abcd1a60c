package io.cleat.cli;

import io.cleat.base.Time;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;

/**
 * What surrounds one run of a command.
 *
 * @param variables the environment variables
 * @param directory relative file names start here
 * @param terminal the person, if one is there
 * @param time the clock for ages, and for waiting between looks
 * @param zone the zone in which points in time are printed
 * @param agents where agents of this machine say where their tokens are
 */
public record Environment(
        Map<String, String> variables, Path directory, Terminal terminal, Time time, ZoneId zone, Path agents) {
    public Environment {
        variables = Map.copyOf(variables);
    }

    /** The value of {@code CLEAT_name}, else of {@code NOMAD_name}; an empty value counts as absent. */
    Optional<String> setting(String name) {
        return present("CLEAT_" + name).or(() -> present("NOMAD_" + name));
    }

    /** A variable that is set and not empty. */
    Optional<String> present(String variable) {
        return Optional.ofNullable(variables.get(variable)).filter(value -> !value.isEmpty());
    }
}
