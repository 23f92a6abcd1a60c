package io.cleat.bench;

import java.nio.file.Path;
import java.util.List;

/** {@code ./cleat version} in turns with a JVM that says hello. */
final class VersionBench implements Bench {
    private static final int TURNS = 15;
    private static final double BUDGET = 0.150;

    @Override
    public String name() {
        return "version";
    }

    @Override
    public String about() {
        return "the shortest command";
    }

    @Override
    public List<BenchRow> run(Path scratch) throws Exception {
        List<String> version = List.of(Launcher.path().toString(), "version");
        Samples hello = new Samples();
        Samples own = new Samples();
        Commands.run(version);
        for (int i = 0; i < TURNS; i++) {
            hello.add(Commands.run(Jvm.hello()));
            own.add(Commands.run(version));
        }
        return List.of(BenchRow.of("./cleat version", own.median(), Unit.SECONDS)
                .limit("a JVM's hello", hello.median())
                .budget("150 ms", own.median() <= BUDGET)
                .detail(own.tail()));
    }
}
