package io.cleat.bench;

import io.cleat.api.CsiVolume;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * From the start of the agent's process to its answering as leader, and to a workload that runs with an ext4 volume
 * made for it; in turns with what the machine needs for that by hand.
 */
final class StartBench implements Bench {
    private static final int TURNS = 5;
    private static final double READY = 0.8;
    private static final double MOUNTED = 3;

    @Override
    public String name() {
        return "start";
    }

    @Override
    public String about() {
        return "start to ready, and to a workload with its volume mounted";
    }

    @Override
    public List<BenchRow> run(Path scratch) throws Exception {
        if (!Launcher.isRoot()) {
            return List.of(BenchRow.absent("start to ready", "reason: needs root"));
        }
        Samples hello = new Samples();
        Samples byHand = new Samples();
        Samples ready = new Samples();
        Samples plugin = new Samples();
        Samples mounted = new Samples();
        for (int i = 0; i < TURNS; i++) {
            long one = Commands.run(Jvm.hello());
            hello.add(one);
            byHand.add(one + Commands.run(Jvm.hello()) + byHand(scratch));
            Path own = Files.createDirectory(scratch.resolve("turn-" + i));
            try (DevProcess agent = DevProcess.start(own, Optional.empty())) {
                agent.awaitLeader();
                ready.add(System.nanoTime() - agent.begun());
                agent.awaitPlugin(DevProcess.PLUGIN);
                plugin.add(System.nanoTime() - agent.begun());
                Path sign = own.resolve("sign");
                CsiVolume volume = Specs.ext4("data");
                agent.create(volume);
                agent.register(Specs.workload(
                        "work", "data", "touch $CLEAT_VOLUME_data/up && touch " + sign + " && exec sleep 1000"));
                Until.soon("the workload runs", () -> Files.exists(sign));
                mounted.add(System.nanoTime() - agent.begun());
            }
        }
        return List.of(
                BenchRow.of("start to ready", ready.median(), Unit.SECONDS)
                        .limit("a JVM's hello", hello.median())
                        .budget("0.8 s", ready.median() <= READY)
                        .detail("API answers, the log leads"),
                BenchRow.of("start to mounted workload", mounted.median(), Unit.SECONDS)
                        .limit("2 hellos, mkfs, mount", byHand.median())
                        .budget("3 s", mounted.median() <= MOUNTED)
                        .detail("plugin healthy after " + Unit.SECONDS.text(plugin.median())));
    }

    /** A 64 MiB ext4 image made and mounted; unmounting is not counted. */
    private static long byHand(Path scratch) throws Exception {
        Path image = scratch.resolve("image");
        Path target = Files.createDirectories(scratch.resolve("mounted"));
        long begin = System.nanoTime();
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(64L << 20);
        }
        Commands.run("mkfs.ext4", "-q", "-F", image.toString());
        Commands.run("mount", "-o", "loop", image.toString(), target.toString());
        long nanos = System.nanoTime() - begin;
        Commands.run("umount", target.toString());
        Files.delete(image);
        return nanos;
    }
}
