package io.cleat.bench;

import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.driver.TaskConfig;
import io.cleat.driverkit.BlockField;
import io.cleat.driverkit.BlockShape;
import io.cleat.driverkit.BlockValues;
import io.cleat.driverkit.DriverProgram;
import io.cleat.driverkit.ProcessDriver;
import io.cleat.model.DriverFacts;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A driver in a program of its own that runs one program of the machine, with the kit and nothing else. */
final class BenchDriver extends ProcessDriver {
    private final String name;
    private final Time time;

    private BenchDriver(String name, Path shim, Time time) {
        super(shim, time);
        this.name = name;
        this.time = time;
    }

    /** Takes the driver's name, and where the shim is; serves until it is told to end. */
    public static void main(String[] args) throws InterruptedException {
        Time time = new SystemTime();
        Threads threads = Threads.virtual((where, fault) -> System.err.println(where + ": " + fault));
        System.exit(DriverProgram.serve(new BenchDriver(args[0], Path.of(args[1]), time), threads, time));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String version() {
        return "1";
    }

    @Override
    public BlockShape taskConfig() {
        return BlockShape.of(BlockField.text("command"));
    }

    @Override
    public List<String> faults(Map<String, Object> config) {
        return List.of();
    }

    @Override
    public DriverFacts fingerprint() {
        return new DriverFacts(true, true, "Healthy", Map.of("driver." + name, "1"), time.now());
    }

    @Override
    protected Program program(TaskConfig task) {
        return new Program(
                Path.of(new BlockValues(task.config()).text("command").orElseThrow()), List.of());
    }
}
