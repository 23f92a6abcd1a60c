package io.cleat.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Command lines of JVMs. */
final class Jvm {
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    private Jvm() {}

    /**
     * A JVM of this class path with the flags that {@code cleat} gives an agent, but for those of its heap; the main
     * class is to be added. It has this one's properties {@code cleat.bench.*}, which make a measurement smaller for a
     * try.
     */
    static List<String> server(String heap) {
        List<String> command = new ArrayList<>(List.of(
                JAVA,
                "-XX:+UseSerialGC",
                "-XX:Tier4InvocationThreshold=50000",
                "-XX:Tier4MinInvocationThreshold=6000",
                "-XX:Tier4CompileThreshold=150000",
                "-XX:Tier4BackEdgeThreshold=400000",
                "-Xmx" + heap,
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Dio.netty.jfr.enabled=false",
                "-Dcleat.launcher=" + Launcher.path()));
        for (String name : System.getProperties().stringPropertyNames()) {
            if (name.startsWith("cleat.bench.")) {
                command.add("-D" + name + "=" + System.getProperty(name));
            }
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        return command;
    }

    /** Flags that the agent of this measurement has beside the usual ones, for trying some. */
    static List<String> more() {
        String flags = System.getenv("CLEAT_JVM_FLAGS");
        return flags == null || flags.isBlank()
                ? List.of()
                : List.of(flags.strip().split(" +"));
    }

    /** The least that a JVM can do, with the flags that start fastest. */
    static List<String> hello(String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                JAVA,
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path").split(":", 2)[0],
                Hello.class.getName()));
        command.addAll(List.of(arguments));
        return command;
    }
}
