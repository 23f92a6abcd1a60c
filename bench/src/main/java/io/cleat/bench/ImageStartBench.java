package io.cleat.bench;

import io.cleat.driver.TaskHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;

/**
 * Starting a task from an image whose layers are there, beside the same runtime called by hand with the same
 * configuration, whose root is mounted already. What is ours beyond that of each container: finding the layers, and
 * mounting them.
 */
final class ImageStartBench implements Bench {
    private static final int TURNS = 20;
    private static final double SHARE = 0.05;
    private static final String ROW = "task from an image that is here, start";

    @Override
    public String name() {
        return "image-start";
    }

    @Override
    public String about() {
        return "a task of the driver exec starts from an image";
    }

    @Override
    public List<BenchRow> run(Path given) throws Exception {
        if (!Launcher.isRoot()) {
            return List.of(BenchRow.absent(ROW, "reason: needs root"));
        }
        Path scratch = given.toRealPath();
        SavedImage image = image(scratch);
        try (IsolatedTasks tasks = new IsolatedTasks(scratch)) {
            return List.of(tasks.runtime().isEmpty() ? tasks.withoutRuntime(ROW) : start(scratch, tasks, image));
        }
    }

    private static SavedImage image(Path scratch) throws Exception {
        Path base = Files.createDirectories(scratch.resolve("trees/base"));
        Path program = Files.createDirectories(scratch.resolve("trees/program"));
        Files.createDirectories(base.resolve("etc"));
        Files.writeString(base.resolve("etc/passwd"), "root:x:0:0:root:/:/bin/sh\n");
        Files.move(
                CProgram.build(scratch, "pausing", CProgram.PAUSING),
                program.resolve("pausing"),
                StandardCopyOption.REPLACE_EXISTING);
        return SavedImage.of(scratch, "image", List.of(base, program), false);
    }

    private static BenchRow start(Path scratch, IsolatedTasks tasks, SavedImage image) throws Exception {
        Map<String, Object> block = Map.of("image", image.archive().toString(), "command", "/pausing");
        Path root = Files.createDirectories(scratch.resolve("hand/rootfs"));
        Samples own = new Samples();
        Samples hand = new Samples();
        boolean isMounted = false;
        try {
            for (int i = 0; i <= TURNS; i++) {
                long begin = System.nanoTime();
                TaskHandle task = tasks.driver().start(tasks.task(i, block));
                long started = System.nanoTime() - begin;
                if (!isMounted) {
                    mount(scratch, root, task);
                    isMounted = true;
                }
                ByHand container = tasks.byHand(task.state());
                begin = System.nanoTime();
                container.start();
                long byHand = System.nanoTime() - begin;
                container.delete();
                tasks.driver().destroy(task);
                // The first unpacks.
                if (i > 0) {
                    own.add(started);
                    hand.add(byHand);
                }
            }
        } finally {
            if (isMounted) {
                Commands.run("umount", root.toString());
            }
        }
        double share = own.median() - hand.median();
        String runtime = Path.of(tasks.runtime().orElseThrow()).getFileName().toString();
        return BenchRow.of(ROW, own.median(), Unit.SECONDS)
                .limit(runtime + " by hand", hand.median())
                .budget("our share 50 ms", share <= SHARE)
                .detail("our share " + Unit.SECONDS.text(Math.max(share, 0)) + ", " + own.tail());
    }

    /** The layers that a task has, with a top of our own. */
    private static void mount(Path scratch, Path root, TaskHandle task) throws Exception {
        Path links = scratch.resolve("exec/containers").resolve(task.state()).resolve("layers");
        Path upper = Files.createDirectories(scratch.resolve("hand-top/upper"));
        Path work = Files.createDirectories(scratch.resolve("hand-top/work"));
        String lower = Files.readSymbolicLink(links.resolve("1")) + ":" + Files.readSymbolicLink(links.resolve("0"));
        Commands.run(
                "mount",
                "-t",
                "overlay",
                "overlay",
                "-o",
                "userxattr,lowerdir=" + lower + ",upperdir=" + upper + ",workdir=" + work,
                root.toString());
    }
}
