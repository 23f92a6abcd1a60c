package io.cleat.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Programs that are run and waited for. */
final class Commands {
    private Commands() {}

    /**
     * Runs a program to its end.
     *
     * @return nanoseconds from before its start to its end
     */
    static long run(List<String> command) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        output(command);
        return System.nanoTime() - begin;
    }

    /**
     * Runs a program to its end.
     *
     * @return what it wrote, errors too
     * @throws IOException if it ended with another exit code than 0
     */
    static String output(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = process.waitFor();
        if (code != 0) {
            throw new IOException(String.join(" ", command) + " ended with exit code " + code + ": " + said.strip());
        }
        return said;
    }

    static long run(String... command) throws IOException, InterruptedException {
        return run(List.of(command));
    }
}
