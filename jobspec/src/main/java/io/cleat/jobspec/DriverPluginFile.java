package io.cleat.jobspec;

import io.cleat.jobspec.Shape.Repeat;
import io.cleat.jobspec.hcl.RuntimeValues;
import io.cleat.jobspec.hcl.Source;
import io.cleat.jobspec.hcl.Variables;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Files that set up the programs of a node that hold task drivers: HCL or JSON. */
public final class DriverPluginFile {
    private static final Shape SHAPE = Shape.of("driver plugin file").block("plugin", "Plugins", Repeat.LIST, plugin());

    private static final Shape TASK =
            Shape.of("task file").block("config", "Config", Repeat.OPAQUE, Shape.of("config"));

    private DriverPluginFile() {}

    /**
     * A file with the {@code config} block of one task.
     *
     * @param Config null for none
     */
    public record TaskBlock(@Nullable Map<String, Object> Config) {}

    /**
     * The whole file.
     *
     * @param Plugins null for none
     */
    public record Plugins(@Nullable List<Plugin> Plugins) {}

    /**
     * One program.
     *
     * @param Name of its file
     * @param Args what it is started with; null for nothing
     * @param Config its own settings; null for none
     */
    public record Plugin(
            String Name,
            @Nullable List<String> Args,
            @Nullable Map<String, Object> Config) {}

    private static Shape plugin() {
        return Shape.of("plugin")
                .label("Name")
                .texts("args", "Args")
                .block("config", "Config", Repeat.OPAQUE, Shape.of("config"));
    }

    /** The {@code config} block of a task that a driver is tried with. */
    public static Parsed<TaskBlock> parseTask(Source source, RuntimeValues runtime) {
        return new RecordFile<>(TASK, TaskBlock.class).parse(source, Variables.none(), runtime);
    }

    public static Parsed<Plugins> parse(Source source, RuntimeValues runtime) {
        return new RecordFile<>(SHAPE, Plugins.class).parse(source, Variables.none(), runtime);
    }
}
