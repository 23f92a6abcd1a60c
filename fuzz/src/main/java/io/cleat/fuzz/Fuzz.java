package io.cleat.fuzz;

import io.cleat.fuzz.targets.Targets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.zip.CRC32;

/**
 * {@code ./dev fuzz [-minutes N] [-seed N] [-replay FILE] [TARGET...]}.
 *
 * <p>Exit code 0 if nothing was found, 1 if something was, 2 for what cannot be understood.
 */
public final class Fuzz {
    /** Libraries warn of each bad input; held, else the JDK forgets the level. */
    private static final Logger LIBRARIES = Logger.getLogger("");

    /** An input that is read for so long will be read for ever. */
    private static final Duration FOR_EVER = Duration.ofSeconds(30);

    private static final Path SAVED = Path.of(System.getProperty("cleat.root", "."), "build", "fuzz");

    private Fuzz() {}

    public static void main(String[] args) throws Exception {
        LIBRARIES.setLevel(Level.OFF);
        List<String> known = Targets.ALL.stream().map(Target::name).toList();
        Options options;
        try {
            options = Options.of(args, known);
        } catch (IllegalArgumentException wrong) {
            System.err.println("fuzz: " + wrong.getMessage());
            System.exit(2);
            return;
        }
        if (options.targets().isEmpty()) {
            System.out.println("targets (./dev fuzz -minutes 5 all, or some by name):");
            Targets.ALL.forEach(target -> System.out.printf("  %-12s %s%n", target.name(), target.about()));
            System.out.println("  agent        each route with each kind of damage, against one agent");
            System.exit(0);
        }
        if (options.replay().isPresent()) {
            System.exit(replay(options.targets().getFirst(), options.replay().get()));
        }
        System.exit(all(options));
    }

    /**
     * So long at one target.
     *
     * @return each finding in words, with what replays it
     */
    public static List<String> findings(String target, long seed, Duration time) throws Exception {
        LIBRARIES.setLevel(Level.OFF);
        List<String> words = new ArrayList<>();
        for (Campaign.Finding finding :
                watched(Targets.named(target), seed, time).findings()) {
            words.add(words(finding));
        }
        return words;
    }

    private static String words(Campaign.Finding finding) throws IOException {
        return finding.target()
                + ": "
                + finding.fault().words()
                + "\n  ./dev fuzz -replay "
                + save(finding)
                + " "
                + finding.target();
    }

    private static int replay(String name, Path file) throws IOException {
        Optional<Trial.Fault> fault = new Trial(Targets.named(name)).fault(Files.readAllBytes(file));
        System.out.println(name + ": " + fault.map(Trial.Fault::words).orElse("nothing found"));
        return fault.isPresent() ? 1 : 0;
    }

    private static int all(Options options) throws Exception {
        List<Campaign.Result> results = new ArrayList<>();
        Duration each = options.time().dividedBy(options.targets().size());
        for (String name : options.targets()) {
            results.add(watched(Targets.named(name), options.seed(), each));
        }
        System.out.printf("%n%-12s %10s %10s %6s %9s%n", "target", "inputs", "inputs/s", "kept", "findings");
        for (Campaign.Result result : results) {
            System.out.printf(
                    "%-12s %10d %10d %6d %9d%n",
                    result.target(),
                    result.inputs(),
                    result.inputs() * 1000 / Math.max(1, result.time().toMillis()),
                    result.kept(),
                    result.findings().size());
        }
        List<Campaign.Finding> findings =
                results.stream().flatMap(result -> result.findings().stream()).toList();
        for (Campaign.Finding finding : findings) {
            System.out.println(
                    "\nFOUND " + finding.target() + ": " + finding.fault().words());
            System.out.println("  ./dev fuzz -replay " + save(finding) + " " + finding.target());
        }
        return findings.isEmpty() ? 0 : 1;
    }

    /** On a thread of its own, since an input may be read for ever. */
    private static Campaign.Result watched(Target target, long seed, Duration time) throws Exception {
        Campaign campaign = new Campaign(target, seed, System.err::println);
        Callable<Campaign.Result> run = () -> campaign.run(time);
        FutureTask<Campaign.Result> task = new FutureTask<>(run);
        Thread thread =
                Thread.ofPlatform().daemon().name("fuzz/" + target.name()).start(task);
        while (true) {
            try {
                return task.get(1, TimeUnit.SECONDS);
            } catch (TimeoutException goesOn) {
                if (campaign.reading().compareTo(FOR_EVER) > 0) {
                    String words = "is read for ever, at " + List.of(thread.getStackTrace());
                    Trial.Fault fault = new Trial.Fault("for ever", words);
                    Campaign.Finding finding = new Campaign.Finding(target.name(), fault, campaign.current());
                    return new Campaign.Result(target.name(), 1, time, 0, List.of(finding));
                }
            }
        }
    }

    private static Path save(Campaign.Finding finding) throws IOException {
        CRC32 sum = new CRC32();
        sum.update(finding.input());
        Path file = SAVED.resolve(finding.target()).resolve(Long.toHexString(sum.getValue()));
        Files.createDirectories(SAVED.resolve(finding.target()));
        Files.write(file, finding.input());
        return file;
    }
}
