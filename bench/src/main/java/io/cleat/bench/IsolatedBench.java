package io.cleat.bench;

import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskHandle;
import io.cleat.driver.exec.ExecDriver;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Starting a task in a container, beside the same runtime called by hand with the same configuration. What is ours is
 * the difference: configuration, shim, records on disk.
 */
final class IsolatedBench implements Bench {
    private static final int TURNS = 20;
    private static final double SHARE = 0.05;
    private static final String ROW = "isolated task, start";
    private static final int MANY = 200;

    @Override
    public String name() {
        return "isolated";
    }

    @Override
    public String about() {
        return "a task starts in a container";
    }

    @Override
    public List<BenchRow> run(Path scratch) throws Exception {
        if (!Launcher.isRoot()) {
            return List.of(BenchRow.absent(ROW, "reason: needs root"));
        }
        try (IsolatedTasks tasks = new IsolatedTasks(scratch)) {
            return tasks.runtime().isEmpty()
                    ? List.of(tasks.withoutRuntime(ROW))
                    : List.of(
                            one(tasks, tasks.runtime().get()),
                            many(tasks, tasks.runtime().get()));
        }
    }

    private static BenchRow one(IsolatedTasks tasks, String runtime) throws Exception {
        Samples own = new Samples();
        Samples hand = new Samples();
        for (int i = 0; i <= TURNS; i++) {
            long begin = System.nanoTime();
            TaskHandle task = tasks.driver().start(tasks.sleeper(i));
            long started = System.nanoTime() - begin;
            ByHand container = tasks.byHand(task.state());
            begin = System.nanoTime();
            container.start();
            long byHand = System.nanoTime() - begin;
            container.delete();
            tasks.driver().destroy(task);
            if (i > 0) {
                own.add(started);
                hand.add(byHand);
            }
        }
        double share = own.median() - hand.median();
        return BenchRow.of(ROW, own.median(), Unit.SECONDS)
                .limit(Path.of(runtime).getFileName() + " by hand", hand.median())
                .budget("our share 50 ms", share <= SHARE)
                .detail("our share " + Unit.SECONDS.text(Math.max(share, 0)));
    }

    private static BenchRow many(IsolatedTasks tasks, String runtime) throws Exception {
        List<TaskConfig> configs = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            configs.add(tasks.sleeper(1000 + i));
        }
        Concurrently<TaskHandle> own = Concurrently.of(configs, tasks.driver()::start);
        List<ByHand> containers = new ArrayList<>();
        for (TaskHandle task : own.results()) {
            containers.add(tasks.byHand(task.state()));
        }
        Concurrently.of(own.results(), task -> destroyed(tasks.driver(), task));
        Concurrently<ByHand> hand = Concurrently.of(containers, IsolatedBench::started);
        for (ByHand container : hand.results()) {
            container.delete();
        }
        double share = (own.seconds() - hand.seconds()) / MANY;
        return BenchRow.of(MANY + " isolated tasks, side by side", own.seconds(), Unit.SECONDS)
                .limit(Path.of(runtime).getFileName() + " by hand", hand.seconds())
                .budget("our share 50 ms each", share <= SHARE)
                .detail("our share " + Unit.SECONDS.text(Math.max(share, 0)) + " each");
    }

    private static TaskHandle destroyed(ExecDriver driver, TaskHandle task) throws Exception {
        driver.destroy(task);
        return task;
    }

    private static ByHand started(ByHand container) throws Exception {
        container.start();
        return container;
    }
}
