package io.cleat.launch;

import io.cleat.cli.Failure;
import io.cleat.cli.Flag;
import io.cleat.cli.Flags;
import io.cleat.driver.exec.ExecDriver;
import io.cleat.driver.rawexec.RawExecDriver;
import io.cleat.model.DriverFacts;
import java.util.Optional;

/**
 * The driver that the bundled plugin is to run under.
 *
 * @param name {@code exec} or {@code raw_exec}
 * @param why for people, such as which runtime makes the containers
 */
record PluginDriver(String name, String why) {
    private static final String FLAG_NAME = "plugin-driver";

    static final Flag FLAG =
            Flag.value(
                    FLAG_NAME,
                    "name",
                    "Run the bundled plugin under exec, in a container, or raw_exec; exec where"
                            + " runc or crun works.");

    /** What was asked for; empty for whatever works. */
    static Optional<String> asked(Flags flags) throws Failure {
        return asked(flags, FLAG_NAME);
    }

    /** As {@link #asked(Flags)}, by a flag of another name. */
    static Optional<String> asked(Flags flags, String flag) throws Failure {
        Optional<String> name = flags.value(flag);
        if (name.isPresent()
                && !name.get().equals(ExecDriver.NAME)
                && !name.get().equals(RawExecDriver.NAME)) {
            throw new Failure(
                    "-" + flag + " was \"" + name.get() + "\"",
                    "give \"exec\" or \"raw_exec\", or leave it out");
        }
        return name;
    }

    /**
     * What it is to be.
     *
     * @param exec what {@code exec} says of itself
     * @throws Failure it was asked for, and does not work here
     */
    static PluginDriver choose(Optional<String> asked, DriverFacts exec) throws Failure {
        if (asked.isPresent() && asked.get().equals(RawExecDriver.NAME)) {
            return new PluginDriver(RawExecDriver.NAME, "as asked for");
        }
        if (exec.healthy()) {
            String runtime = exec.attributes().getOrDefault("driver.exec.runtime", "");
            return new PluginDriver(ExecDriver.NAME, "in a container made by " + runtime);
        }
        if (asked.isPresent()) {
            throw new Failure(
                    "the driver exec does not work here: " + exec.healthDescription(),
                    "leave -" + FLAG_NAME + " out to have the plugin run under raw_exec");
        }
        return new PluginDriver(RawExecDriver.NAME, exec.healthDescription());
    }
}
