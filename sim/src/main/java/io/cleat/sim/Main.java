package io.cleat.sim;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.TreeMap;

/** {@code ./dev sim}: one seed with all its events, or new seeds for some minutes. */
public final class Main {
    private static final String USAGE =
            """
            usage: ./dev sim --seed N         run one seed and print its events
                   ./dev sim --seeds A-B      run these seeds
                   ./dev sim --minutes M      run new seeds for M minutes""";

    private Main() {}

    /** Exits with 1 if a run failed, with 2 if the arguments are wrong. */
    public static void main(String[] arguments) throws IOException {
        SimThreads.fixOrder();
        System.exit(run(arguments, System.out));
    }

    private static int run(String[] arguments, PrintStream out) throws IOException {
        if (arguments.length != 2) {
            out.println(USAGE);
            return 2;
        }
        try (Workplace place = Workplace.take()) {
            return switch (arguments[0]) {
                case "--seed" -> {
                    long seed = Long.parseLong(arguments[1]);
                    yield seeds(seed, seed + 1, Long.MAX_VALUE, place, out, true);
                }
                case "--seeds" -> {
                    String[] ends = arguments[1].split("-", 2);
                    yield seeds(
                            Long.parseLong(ends[0]),
                            Long.parseLong(ends[1]) + 1,
                            Long.MAX_VALUE,
                            place,
                            out,
                            false);
                }
                case "--minutes" -> {
                    long first = System.currentTimeMillis();
                    yield seeds(
                            first,
                            Long.MAX_VALUE,
                            System.nanoTime()
                                    + Duration.ofMinutes(Long.parseLong(arguments[1])).toNanos(),
                            place,
                            out,
                            false);
                }
                default -> {
                    out.println(USAGE);
                    yield 2;
                }
            };
        } catch (NumberFormatException wrong) {
            out.println(USAGE);
            return 2;
        }
    }

    private static int seeds(
            long first, long end, long until, Workplace place, PrintStream out, boolean isTold) {
        TreeMap<String, Integer> coverage = new TreeMap<>();
        long start = System.nanoTime();
        int failed = 0;
        int runs = 0;
        for (long seed = first; seed < end && System.nanoTime() < until; seed++) {
            runs++;
            try {
                Run.Result result =
                        Run.of(
                                seed,
                                place.directory(),
                                line -> {
                                    if (isTold) {
                                        out.println(line);
                                    }
                                });
                result.coverage()
                        .forEach((what, count) -> coverage.merge(what, count, Integer::sum));
                out.println(
                        "seed "
                                + seed
                                + " ok: hash "
                                + result.hash()
                                + ", "
                                + result.steps()
                                + " steps, "
                                + result.time().toMinutes()
                                + " min");
            } catch (RunFailed failure) {
                failed++;
                out.println("FAILED " + failure.getMessage());
                if (isTold) {
                    failure.printStackTrace(out);
                }
            }
        }
        out.printf(
                "%d runs, %d failed, %.1f s%n%s%n",
                runs, failed, (System.nanoTime() - start) / 1e9, coverage);
        return failed == 0 ? 0 : 1;
    }
}
