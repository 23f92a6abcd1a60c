package io.cleat.sim;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** {@code ./dev sim}: one seed with all its events, or many with a line each. */
public final class Main {
    private static final String USAGE = """
            usage: ./dev sim --seed N        run one seed and print its events
                   ./dev sim --seeds A-B     run these seeds
                   ./dev sim --minutes M     run new seeds for M minutes
              --of lost-pasts                servers that forget, instead of everything at once
              --planted NAME                 with a fault in it, to see which seeds find it
              --place N                      where agents write; a failure says it if it matters""";

    /** What one seed decides. */
    @FunctionalInterface
    private interface Kind {
        Run.Result run(long seed, Workplace place, Consumer<String> listener) throws RunFailed;
    }

    private final PrintStream out;
    private final Workplace place;
    private final Kind kind;
    private final TreeMap<String, Integer> coverage = new TreeMap<>();
    private int runs;
    private int failed;

    private Main(PrintStream out, Workplace place, Kind kind) {
        this.out = out;
        this.place = place;
        this.kind = kind;
    }

    /** Exits with 1 if a run failed, with 2 if the arguments are wrong. */
    public static void main(String[] arguments) throws IOException {
        System.exit(run(arguments, System.out));
    }

    private static int run(String[] arguments, PrintStream out) throws IOException {
        Map<String, String> options = new HashMap<>();
        for (int i = 0; i + 1 < arguments.length; i += 2) {
            options.put(arguments[i], arguments[i + 1]);
        }
        String first = options.getOrDefault("--place", "0");
        options.remove("--place");
        String of = options.getOrDefault("--of", "");
        options.remove("--of");
        String fault = options.getOrDefault("--planted", Planted.NONE.name());
        options.remove("--planted");
        Optional<Planted> planted = Stream.of(Planted.values())
                .filter(each -> each.name().equals(fault))
                .findFirst();
        Kind kind = of.isEmpty()
                ? (seed, place, listener) -> Run.of(seed, place, planted.orElseThrow(), listener)
                : (seed, place, listener) -> LostPast.of(seed, place, planted.orElseThrow(), listener);
        boolean isKnown = options.size() == 1
                && Set.of("", "lost-pasts").contains(of)
                && planted.isPresent()
                && arguments.length % 2 == 0
                && Set.of("--seed", "--seeds", "--minutes").containsAll(options.keySet());
        if (!isKnown) {
            out.println(USAGE);
            return 2;
        }
        try (Workplace place = Workplace.take(Integer.parseInt(first))) {
            Map.Entry<String, String> what = options.entrySet().iterator().next();
            return new Main(out, place, kind).run(what.getKey(), what.getValue());
        } catch (NumberFormatException wrong) {
            out.println(USAGE);
            return 2;
        }
    }

    private int run(String what, String value) {
        long start = System.nanoTime();
        switch (what) {
            case "--seed" -> seed(Long.parseLong(value), true);
            case "--seeds" -> {
                String[] ends = value.split("-", 2);
                long last = Long.parseLong(ends[ends.length - 1]);
                for (long seed = Long.parseLong(ends[0]); seed <= last; seed++) {
                    seed(seed, false);
                }
            }
            default -> {
                long most = Duration.ofMinutes(Long.parseLong(value)).toNanos();
                for (long seed = System.currentTimeMillis(); System.nanoTime() - start < most; seed++) {
                    seed(seed, false);
                }
            }
        }
        out.printf("%d runs, %d failed, %.1f s%n%s%n", runs, failed, (System.nanoTime() - start) / 1e9, coverage);
        return failed == 0 ? 0 : 1;
    }

    private void seed(long seed, boolean isTold) {
        runs++;
        try {
            Run.Result result = kind.run(seed, place, line -> {
                if (isTold) {
                    out.println(line);
                }
            });
            result.coverage().forEach((what, count) -> coverage.merge(what, count, Integer::sum));
            out.println(line(seed, result));
        } catch (RunFailed failure) {
            failed++;
            out.println("FAILED " + failure.getMessage());
            if (isTold) {
                failure.printStackTrace(out);
            }
        }
    }

    /** What is printed of a seed whose run was well. */
    static String line(long seed, Run.Result result) {
        return "seed %d ok: hash %s, %d steps, %d min"
                .formatted(seed, result.hash(), result.steps(), result.time().toMinutes());
    }
}
