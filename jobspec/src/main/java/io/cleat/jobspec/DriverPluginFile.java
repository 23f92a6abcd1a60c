package io.cleat.jobspec;

import io.cleat.jobspec.Shape.Repeat;
import io.cleat.jobspec.hcl.Source;
import io.cleat.jobspec.hcl.Variables;
import io.cleat.jobspec.hcl.World;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Files that set up the programs of a node that hold task drivers: HCL or JSON. */
public final class DriverPluginFile {
    private static final Shape SHAPE =
            Shape.of("driver plugin file").block("plugin", "Plugins", Repeat.LIST, plugin());

    private DriverPluginFile() {}

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
            String Name, @Nullable List<String> Args, @Nullable Map<String, Object> Config) {}

    private static Shape plugin() {
        return Shape.of("plugin")
                .label("Name")
                .texts("args", "Args")
                .block("config", "Config", Repeat.OPAQUE, Shape.of("config"));
    }

    public static Parsed<Plugins> parse(Source source, World world) {
        return new RecordFile<>(SHAPE, Plugins.class).parse(source, Variables.none(), world);
    }
}
