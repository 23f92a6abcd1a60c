package io.cleat.bench;

import io.cleat.api.Json;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Refused;
import io.cleat.kernel.Mount;
import io.cleat.kernel.MountTable;
import io.cleat.kernel.Mounts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;

/**
 * {@code ./dev bench [-json] [-compare=FILE [-now=FILE]] [NAME...]}: runs all measurements, or the named ones, each in
 * a JVM of its own with a scratch directory under {@code java.io.tmpdir}, and prints one table; with {@code -compare}
 * what moved since the run whose {@code -json} is in that file. {@code -now} measures nothing, and compares with
 * another such file.
 *
 * <p>Exit code 0 when all was measured, whether budgets are kept or not; 1 when something could not be; 2 for a name
 * that is not known.
 */
public final class Main {
    static final List<Bench> ALL = List.of(
            new VersionBench(),
            new StartBench(),
            new MemoryBench(),
            new CommitBench(),
            new RegistryBench(),
            new PluginBench(),
            new MountBench(),
            new NodeBench(),
            new LanesBench(),
            new ScaleBench(),
            new IsolatedBench(),
            new ImageStartBench(),
            new NetworkBench(),
            new UnpackBench(),
            new DockerBench(),
            new DriverPluginBench(),
            new LogsBench(),
            new ExecBench(),
            new ImageBench(),
            new ListBench(),
            new HttpBench());

    /** Libraries speak only when something is wrong; held, else the JDK forgets the level. */
    private static final Logger LIBRARIES = Logger.getLogger("");

    /** The word by which this program starts itself for one measurement. */
    private static final String ONE = "-one";

    private Main() {}

    public static void main(String[] args) throws Exception {
        if (args.length == 3 && args[0].equals(ONE)) {
            measure(args[1], Path.of(args[2]));
            return;
        }
        List<String> names = new ArrayList<>(List.of(args));
        boolean isJson = names.remove("-json");
        Optional<Path> earlier = file(names, "-compare=");
        Optional<Path> later = file(names, "-now=");
        List<String> unknown = names.stream()
                .filter(name -> ALL.stream().noneMatch(b -> b.name().equals(name)))
                .toList();
        if (!unknown.isEmpty() || (later.isPresent() && earlier.isEmpty())) {
            System.err.print(usage(unknown));
            System.exit(2);
        }
        try {
            // First: who names a wrong file is told so before ten minutes have passed.
            Map<String, List<BenchRow>> before = earlier.isPresent() ? Comparison.read(earlier.get(), names) : Map.of();
            Map<String, List<BenchRow>> now = later.isPresent() ? Comparison.read(later.get(), names) : measured(names);
            Comparison comparison = Comparison.of(before, now);
            boolean isCompared = earlier.isPresent();
            System.out.print(
                    isJson
                            ? json(isCompared ? comparison.moves() : now)
                            : isCompared ? comparison.text() : Table.of(all(now)));
            System.exit(all(now).stream().anyMatch(BenchRow::hasFailed) ? 1 : 0);
        } catch (IOException unreadable) {
            System.err.println("bench: " + unreadable.getMessage());
            System.exit(1);
        }
    }

    private static Optional<Path> file(List<String> words, String flag) {
        Optional<Path> file = words.stream()
                .filter(word -> word.startsWith(flag))
                .findFirst()
                .map(word -> Path.of(word.substring(flag.length())));
        words.removeIf(word -> word.startsWith(flag));
        return file;
    }

    private static List<BenchRow> all(Map<String, List<BenchRow>> rows) {
        return rows.values().stream().flatMap(List::stream).toList();
    }

    private static String json(Object rows) {
        return new String(Json.writePretty(rows), StandardCharsets.UTF_8);
    }

    private static Map<String, List<BenchRow>> measured(List<String> names) throws InterruptedException {
        Map<String, List<BenchRow>> rows = new LinkedHashMap<>();
        for (Bench bench : ALL) {
            if (names.isEmpty() || names.contains(bench.name())) {
                System.err.println("measuring " + bench.name() + ": " + bench.about() + " ...");
                try {
                    rows.put(bench.name(), apart(bench));
                } catch (IOException | Refused failed) {
                    rows.put(bench.name(), List.of(BenchRow.failed(bench.name(), failed)));
                }
            }
        }
        return rows;
    }

    private static String usage(List<String> unknown) {
        StringBuilder text = new StringBuilder();
        text.append(
                unknown.isEmpty()
                        ? "bench: -now=FILE is compared with -compare=FILE; there are\n"
                        : "bench: there is no " + String.join(", ", unknown) + "; there are\n");
        ALL.forEach(b -> text.append(String.format("  %-10s %s%n", b.name(), b.about())));
        return text.toString();
    }

    /** What one JVM writes to the other. */
    record Rows(List<BenchRow> rows) {}

    private static List<BenchRow> apart(Bench bench) throws IOException, Refused, InterruptedException {
        Path scratch = Files.createTempDirectory("cb");
        try {
            List<String> command = Jvm.server(bench.heap());
            command.addAll(List.of(Main.class.getName(), ONE, bench.name(), scratch.toString()));
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            byte[] answer = process.getInputStream().readAllBytes();
            int code = process.waitFor();
            if (code != 0) {
                throw new IOException("exit code " + code + "; see above");
            }
            return Json.read(answer, Rows.class).rows();
        } finally {
            remove(scratch);
        }
    }

    private static void measure(String name, Path scratch) throws Exception {
        Bench bench =
                ALL.stream().filter(b -> b.name().equals(name)).findFirst().orElseThrow();
        LIBRARIES.setLevel(Level.SEVERE);
        List<BenchRow> rows = bench.run(scratch);
        System.out.writeBytes(Json.write(new Rows(rows)));
        System.out.flush();
        // Not by returning: what was measured may leave library threads behind.
        System.exit(0);
    }

    /** Never across a mount: a measurement that failed may have left some, which go first. */
    private static void remove(Path scratch) throws IOException {
        try {
            List<Mount> mounts = MountTable.readTwice().atOrBelow(scratch.toRealPath());
            for (Mount mount : mounts.reversed()) {
                Mounts.linux().unmount(Path.of(mount.target()));
            }
        } catch (KernelTrouble stays) {
            throw new IOException(scratch + " stays: " + stays.reason(), stays);
        }
        try (Stream<Path> files = Files.walk(scratch)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
