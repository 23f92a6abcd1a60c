package io.cleat.bench;

import io.cleat.driver.Starting;
import io.cleat.driver.exec.TaskImages;
import io.cleat.kernel.Place;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Unpacking an image of 200 MB into a store that has none of it, until its layers are durable, in turns with
 * {@code tar} of the same layers and {@code sync}.
 */
final class UnpackBench implements Bench {
    private static final int TURNS = 3;
    private static final int LAYERS = 4;
    private static final int DIRECTORIES = 20;
    private static final int FILES = 25;
    private static final int FILE_BYTES = 100_000;
    private static final double BYTES = (double) LAYERS * DIRECTORIES * FILES * FILE_BYTES;
    private static final String ROW = "unpacking an image of 200 MB";

    @Override
    public String name() {
        return "unpack";
    }

    @Override
    public String about() {
        return "an image of 200 MB is unpacked";
    }

    @Override
    public List<BenchRow> run(Path given) throws Exception {
        if (!Launcher.isRoot()) {
            return List.of(BenchRow.absent(ROW, "reason: needs root"));
        }
        Path scratch = given.toRealPath();
        List<Path> trees = trees(scratch);
        try (IsolatedTasks tasks = new IsolatedTasks(scratch)) {
            return List.of(
                    measured(scratch, tasks, SavedImage.of(scratch, "plain", trees, false), ROW),
                    measured(
                            scratch, tasks, SavedImage.of(scratch, "packed", trees, true), "the same, layers by gzip"));
        }
    }

    private static BenchRow measured(Path scratch, IsolatedTasks tasks, SavedImage image, String row) throws Exception {
        TaskImages.Wanted wanted =
                new TaskImages.Wanted("bench", new TaskImages.Source.Local(Place.of(scratch, image.archive())));
        Samples own = new Samples();
        Samples hand = new Samples();
        for (int i = 0; i < TURNS; i++) {
            Path root = scratch.resolve("store");
            TaskImages store = tasks.store(root);
            long begin = System.nanoTime();
            store.hold(wanted, Starting.ALONE).close();
            own.add(System.nanoTime() - begin);
            Commands.run("rm", "-rf", root.toString());
            hand.add(byHand(scratch.resolve("hand"), image));
        }
        return BenchRow.of(row, BYTES / own.median(), Unit.BYTES_PER_SECOND)
                .limit("tar and sync", BYTES / hand.median())
                .detail(Unit.SECONDS.text(own.median()) + " in " + LAYERS + " layers, "
                        + Unit.number(LAYERS * DIRECTORIES * FILES) + " files");
    }

    private static long byHand(Path root, SavedImage image) throws IOException, InterruptedException {
        Files.createDirectories(root);
        long nanos = 0;
        for (int i = 0; i < image.layers().size(); i++) {
            Path layer = Files.createDirectory(root.resolve("" + i));
            nanos += Commands.run(
                    "tar", "-C", layer.toString(), "-xf", image.layers().get(i).toString());
        }
        nanos += Commands.run("sync", "-f", root.toString());
        Commands.run("rm", "-rf", root.toString());
        return nanos;
    }

    /** Half of each file can be compressed, as programs can. */
    private static List<Path> trees(Path scratch) throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        List<Path> trees = new ArrayList<>();
        byte[] bytes = new byte[FILE_BYTES];
        for (int layer = 0; layer < LAYERS; layer++) {
            Path tree = scratch.resolve("trees").resolve("" + layer);
            for (int directory = 0; directory < DIRECTORIES; directory++) {
                Path in = Files.createDirectories(tree.resolve("layer" + layer + "/d" + directory));
                for (int file = 0; file < FILES; file++) {
                    random.nextBytes(bytes);
                    Arrays.fill(bytes, 0, FILE_BYTES / 2, (byte) file);
                    Files.write(in.resolve("f" + file), bytes);
                }
            }
            trees.add(tree);
        }
        return trees;
    }
}
