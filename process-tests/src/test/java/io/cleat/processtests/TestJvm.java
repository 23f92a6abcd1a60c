package io.cleat.processtests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Commands of the programs that this build compiled, on the class path of the test. */
final class TestJvm {
    private TestJvm() {}

    /**
     * A JVM that starts fast.
     *
     * @param arguments its other flags, the class, and what the class is given
     */
    static List<String> command(List<String> arguments) {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "--enable-native-access=ALL-UNNAMED",
                                "--sun-misc-unsafe-memory-access=allow",
                                "-cp",
                                System.getProperty("java.class.path")));
        command.addAll(arguments);
        return command;
    }

    /** The bundled plugin. */
    static List<String> localPlugin(List<String> options) {
        List<String> arguments = new ArrayList<>(List.of("-Xms8m", "-Xmx64m", "-Xss512k"));
        arguments.add("io.cleat.localplugin.Main");
        arguments.addAll(options);
        return command(arguments);
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
