package io.cleat.launch.demo;

import io.cleat.base.Time;

/** What all steps share. */
record Scene(
        Workplace workplace,
        AgentProcess agent,
        Cluster cluster,
        Narrator tell,
        Patience patience,
        Time time) {
    /** The file in the counter's volume. */
    static final String NUMBERS = "numbers";

    CommandOutput command(String... words) throws CheckFailed {
        return CommandOutput.of(cluster.address(), time, words);
    }
}
