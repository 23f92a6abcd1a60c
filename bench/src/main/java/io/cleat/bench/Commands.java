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
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        byte[] said = process.getInputStream().readAllBytes();
        int code = process.waitFor();
        long nanos = System.nanoTime() - begin;
        if (code != 0) {
            throw new IOException(String.join(" ", command)
                    + " ended with exit code "
                    + code
                    + ": "
                    + new String(said, StandardCharsets.UTF_8).strip());
        }
        return nanos;
    }

    static long run(String... command) throws IOException, InterruptedException {
        return run(List.of(command));
    }
}
