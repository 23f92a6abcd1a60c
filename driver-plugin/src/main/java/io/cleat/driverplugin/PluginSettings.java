package io.cleat.driverplugin;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * One program that holds a driver, as the operator of the node names it.
 *
 * @param file the name of its file, by which its settings find it; the driver's own name is what it says itself
 * @param program an absolute path
 * @param args what it is started with
 * @param config its own settings, by its own schema
 */
public record PluginSettings(String file, Path program, List<String> args, Map<String, Object> config) {
    public PluginSettings {
        args = List.copyOf(args);
        config = Map.copyOf(config);
    }

    /** Of a program that needs no settings. */
    public static PluginSettings of(Path program) {
        return new PluginSettings(program.getFileName().toString(), program, List.of(), Map.of());
    }
}
