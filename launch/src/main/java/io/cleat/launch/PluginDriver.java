package io.cleat.launch;

import io.cleat.cli.Failure;
import io.cleat.cli.Flag;
import io.cleat.cli.Flags;
import io.cleat.driver.docker.DockerDriver;
import io.cleat.driver.exec.ExecDriver;
import io.cleat.driver.rawexec.RawExecDriver;
import io.cleat.model.DriverFacts;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The driver that the bundled plugin is to run under.
 *
 * @param name {@code exec}, {@code raw_exec} or {@code docker}
 * @param why for people, such as which runtime makes the containers
 */
record PluginDriver(String name, String why) {
    private static final String FLAG_NAME = "plugin-driver";
    private static final List<String> NAMES = List.of(ExecDriver.NAME, RawExecDriver.NAME, DockerDriver.NAME);

    static final Flag FLAG = Flag.value(
            FLAG_NAME,
            "name",
            "What the bundled plugin runs under: exec, in a container; raw_exec; or"
                    + " docker, in a container of -plugin-image. exec where runc or crun"
                    + " works.");

    /** What was asked for; empty for whatever works. */
    static Optional<String> asked(Flags flags) throws Failure {
        return asked(flags, FLAG_NAME);
    }

    /** As {@link #asked(Flags)}, by a flag of another name. */
    static Optional<String> asked(Flags flags, String flag) throws Failure {
        Optional<String> name = flags.value(flag);
        if (name.isPresent() && !NAMES.contains(name.get())) {
            throw new Failure(
                    "-" + flag + " was \"" + name.get() + "\"",
                    "give \"exec\", \"raw_exec\" or \"docker\", or leave it out");
        }
        return name;
    }

    /**
     * What it is to be.
     *
     * @param facts what a driver says of itself, by its name
     * @throws Failure it was asked for, and does not work here
     */
    static PluginDriver choose(Optional<String> asked, Function<String, DriverFacts> facts) throws Failure {
        String name = asked.orElse(ExecDriver.NAME);
        if (name.equals(RawExecDriver.NAME)) {
            return new PluginDriver(name, "as asked for");
        }
        DriverFacts said = facts.apply(name);
        if (said.healthy()) {
            return new PluginDriver(
                    name,
                    name.equals(DockerDriver.NAME)
                            ? "in a container of " + said.attributes().getOrDefault("driver.docker.engine", "Docker")
                            : "in a container made by " + said.attributes().getOrDefault("driver.exec.runtime", ""));
        }
        if (asked.isPresent()) {
            throw new Failure(
                    "the driver " + name + " does not work here: " + said.healthDescription(),
                    "leave -" + FLAG_NAME + " out to have the plugin run under whatever works");
        }
        return new PluginDriver(RawExecDriver.NAME, said.healthDescription());
    }
}
