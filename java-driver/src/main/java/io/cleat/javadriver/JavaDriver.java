package io.cleat.javadriver;

import io.cleat.base.DriverTrouble;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.shim.ShimTasks;
import io.cleat.driverkit.BlockField;
import io.cleat.driverkit.BlockShape;
import io.cleat.driverkit.BlockValues;
import io.cleat.driverkit.DriverProgram;
import io.cleat.driverkit.ProcessDriver;
import io.cleat.model.DriverFacts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs jars and classes, each in a JVM of its own with a heap that fits its memory limit. */
public final class JavaDriver extends ProcessDriver {
    /** Less than that, and a JVM that does nothing is ended for want of memory. */
    private static final long LEAST_MIB = 64;

    /** What a JVM needs beside its heap: code, classes, stacks. */
    private static final long BESIDE_MIB = 96;

    private final Time time;
    private volatile Path java = Path.of(System.getProperty("java.home"), "bin/java");

    JavaDriver(Path shim, Time time) {
        super(shim, time);
        this.time = time;
    }

    /** Serves until it is told to end. */
    public static void main(String[] args) throws InterruptedException {
        Time time = new SystemTime();
        Threads threads = Threads.virtual((where, fault) -> System.err.println(where + ": " + fault));
        Path shim = Path.of(System.getProperty("cleat.shim", "shim"));
        System.exit(DriverProgram.serve(new JavaDriver(shim, time), threads, time));
    }

    @Override
    public String name() {
        return "java";
    }

    @Override
    public String version() {
        return "0.1.0";
    }

    @Override
    protected List<BlockField> moreSettings() {
        return List.of(BlockField.text("java").or(java.toString()));
    }

    @Override
    public void configure(BlockValues settings) throws DriverTrouble {
        super.configure(settings);
        java = Path.of(settings.text("java").orElse(java.toString()));
    }

    @Override
    public BlockShape taskConfig() {
        return BlockShape.of(
                BlockField.text("jar"),
                BlockField.text("class"),
                BlockField.text("class_path"),
                BlockField.texts("jvm_options"),
                BlockField.texts("args"));
    }

    @Override
    public List<String> faults(Map<String, Object> config) {
        BlockValues block = new BlockValues(config);
        boolean isJar = block.text("jar").isPresent();
        if (isJar == block.text("class").isPresent()) {
            return List.of("config needs either jar, such as \"local/app.jar\", or class");
        }
        return isJar && block.text("class_path").isPresent()
                ? List.of("class_path goes with class; a jar names its own in its manifest")
                : List.of();
    }

    @Override
    public DriverFacts fingerprint() {
        boolean isThere = Files.isExecutable(java);
        return new DriverFacts(
                isThere,
                isThere,
                isThere ? "Healthy" : java + " is no program; set java to one",
                isThere ? Map.of("driver.java", "1", "driver.java.program", java.toString()) : Map.of(),
                time.now());
    }

    @Override
    protected Program program(TaskConfig task) throws DriverTrouble {
        BlockValues block = new BlockValues(task.config());
        List<String> words = new ArrayList<>();
        long limit = task.resources().memoryLimitMb();
        if (limit > 0) {
            words.add("-Xmx" + heap(task.id(), limit) + "m");
        }
        words.add("-XX:+ExitOnOutOfMemoryError");
        words.add("-Djava.io.tmpdir=" + task.taskDir().resolve("tmp"));
        // After ours, so that a job has the last word.
        words.addAll(block.texts("jvm_options"));
        if (block.text("jar").isPresent()) {
            words.addAll(List.of("-jar", block.text("jar").get()));
        } else {
            block.text("class_path").ifPresent(path -> words.addAll(List.of("-cp", path)));
            words.add(block.text("class").orElseThrow());
        }
        words.addAll(block.texts("args"));
        return new Program(java, words);
    }

    /** MiB of heap for a task that may have so many MiB of memory. */
    static long heap(String id, long limit) throws DriverTrouble {
        if (limit < LEAST_MIB) {
            throw ShimTasks.refused(
                    id,
                    "its memory is " + limit + " MiB; a JVM needs " + LEAST_MIB + ": raise memory in its resources");
        }
        return Math.min(limit * 3 / 4, Math.max(limit / 2, limit - BESIDE_MIB));
    }
}
