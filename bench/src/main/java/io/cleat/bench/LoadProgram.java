package io.cleat.bench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * A client in a process of its own ({@code load.c}) that asks for the same thing over many connections, from one
 * thread.
 */
final class LoadProgram {
    private final Path program;
    private final Path scratch;

    private LoadProgram(Path program, Path scratch) {
        this.program = program;
        this.scratch = scratch;
    }

    static LoadProgram build(Path scratch) throws IOException, InterruptedException {
        try (InputStream source = Objects.requireNonNull(LoadProgram.class.getResourceAsStream("load.c"))) {
            String text = new String(source.readAllBytes(), StandardCharsets.UTF_8);
            return new LoadProgram(CProgram.build(scratch, "load", text), scratch);
        }
    }

    /**
     * What one run of it was answered.
     *
     * @param bad answers that were not 200
     * @param processor seconds that the client itself took: near {@code seconds} it is what was measured
     * @param median latency in microseconds, as are the next two
     */
    record Answered(
            long answers, long bad, long bytes, double seconds, double processor, long median, long p99, long longest) {
        double perSecond() {
            return answers / seconds;
        }

        double bytesPerSecond() {
            return bytes / seconds;
        }

        /** Of the time, in hundreds. */
        long clientPercent() {
            return Math.round(100 * processor / seconds);
        }

        String words() {
            return "p50 "
                    + Unit.SECONDS.text(median / 1e6)
                    + ", p99 "
                    + Unit.SECONDS.text(p99 / 1e6)
                    + ", client "
                    + clientPercent()
                    + " %";
        }
    }

    /**
     * Asks for {@code span} and waits for the last answers.
     *
     * @throws IOException also if an answer was not 200
     */
    Answered run(ApiRequest.Endpoint endpoint, int connections, Duration span, ApiRequest request, Numbers numbers)
            throws IOException, InterruptedException {
        Path file = Files.writeString(scratch.resolve("request"), request.text(endpoint));
        Process process = new ProcessBuilder(List.of(
                        program.toString(),
                        endpoint.address(),
                        String.valueOf(connections),
                        String.valueOf(span.toMillis() / 1e3),
                        file.toString(),
                        String.valueOf(numbers.first()),
                        String.valueOf(numbers.range())))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        int code = process.waitFor();
        if (code != 0) {
            throw new IOException(request.path() + ": the client ended with exit code " + code);
        }
        Answered answered = parse(said);
        if (answered.bad() > 0) {
            throw new IOException(
                    request.path() + ": " + answered.bad() + " of " + answered.answers() + " answers were not 200");
        }
        return answered;
    }

    private static Answered parse(String line) {
        String[] part = line.split(" ", -1);
        return new Answered(
                Long.parseLong(part[0]),
                Long.parseLong(part[1]),
                Long.parseLong(part[2]),
                Double.parseDouble(part[3]),
                Double.parseDouble(part[4]),
                Long.parseLong(part[5]),
                Long.parseLong(part[6]),
                Long.parseLong(part[7]));
    }

    /**
     * Which numbers a run puts into its requests.
     *
     * @param range how many there are from {@code first} on, asked for again and again; 0 for all that follow
     */
    record Numbers(long first, long range) {
        static Numbers from(long first) {
            return new Numbers(first, 0);
        }

        static Numbers below(long end) {
            return new Numbers(0, end);
        }
    }
}
