package io.cleat.localplugin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The plugin as a process of its own, for tests that kill it. */
final class PluginProcess implements AutoCloseable {
    private static final long START_SECONDS = 60;

    private final Process process;
    private final Path output;

    PluginProcess(Path directory, String... more) throws Exception {
        output = directory.resolve("output");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xms8m",
                "-Xmx64m",
                "-Xss512k",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                Main.class.getName()));
        command.addAll(Served.arguments(directory));
        command.addAll(List.of(more));
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        awaitServing();
    }

    private void awaitServing() throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (!Files.readString(output).contains("serves the pool")) {
            if (!process.isAlive() || System.nanoTime() > end) {
                process.destroyForcibly();
                throw new IllegalStateException("the plugin did not start: " + Files.readString(output));
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    /** The process's memory, shared pages counted by their share. */
    long proportionalKilobytes() throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "smaps_rollup")).stream()
                .filter(line -> line.startsWith("Pss:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }

    /** SIGKILL. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        kill();
    }
}
