package io.cleat.processtests;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Commands of the programs that this build compiled. */
final class TestJvm {
    /** Whose quick start a program takes: the launcher has made one for each of its roles. */
    private enum Role {
        AGENT("agent"),
        PLUGIN("local-plugin");

        private final String word;

        Role(String word) {
            this.word = word;
        }
    }

    /** How many carriers virtual threads have: a run of all tests with one is a run of the programs with one. */
    private static final String CARRIERS = "jdk.virtualThreadScheduler.parallelism";

    private TestJvm() {}

    /**
     * A JVM that starts an agent, or a class that has an agent's parts, fast.
     *
     * @param arguments its other flags, the class, and what the class is given
     */
    static List<String> agent(List<String> arguments) throws Exception {
        return command(Role.AGENT, arguments);
    }

    /**
     * A JVM that starts a class that is a plugin fast.
     *
     * @param arguments its other flags, the class, and what the class is given
     */
    static List<String> plugin(List<String> arguments) throws Exception {
        return command(Role.PLUGIN, arguments);
    }

    /** The bundled plugin. */
    static List<String> localPlugin(List<String> options) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("-Xms8m", "-Xmx64m", "-Xss512k"));
        arguments.add("io.cleat.localplugin.Main");
        arguments.addAll(options);
        return plugin(arguments);
    }

    /**
     * The launcher's own jars come first: a quick start is for a class path that begins as the one did that it was made
     * with.
     */
    private static List<String> command(Role role, List<String> arguments) throws Exception {
        LaidOut program = LaidOut.built();
        List<String> command = new ArrayList<>(List.of(
                program.java(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Xlog:disable",
                "-Xlog:all=error,aot*=off,cds*=off:stderr",
                "-XX:AOTCache=" + program.lib().resolve(role.word + ".aot"),
                "-cp",
                program.classPath() + File.pathSeparator + System.getProperty("java.class.path")));
        String carriers = System.getProperty(CARRIERS);
        if (carriers != null) {
            command.add("-D" + CARRIERS + "=" + carriers);
        }
        command.addAll(arguments);
        return command;
    }

    /** What a process has printed, for a failure's message. */
    static String text(Path output) {
        try {
            return Files.readString(output);
        } catch (IOException unreadable) {
            return unreadable.toString();
        }
    }
}
