package io.cleat.driverplugin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.base.Chance;
import io.cleat.base.Deadline;
import io.cleat.base.Ids;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.driver.TaskConfig;
import io.cleat.kernel.Cgroups;
import io.cleat.kernel.Processes;
import io.cleat.model.Resources;
import io.cleat.testkit.Eventually;
import io.cleat.testkit.LeakCheck;
import io.cleat.testkit.ShimProgram;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A node's part for drivers in programs of their own, which can be left and begun again. */
final class PluginGround {
    static final String ALLOCATION = "8c1b2d3e-0000-4000-8000-000000000001";

    final SystemTime time = new SystemTime();
    final Path root;
    private final List<PluginSettings> settings;
    private final PluginParts parts;
    private DriverPlugins plugins;

    PluginGround(Path root, PluginSettings... settings) throws Exception {
        this.root = root;
        this.settings = List.of(settings);
        String parent = "cleat-test-" + ProcessHandle.current().pid();
        LeakCheck.noteGroup(parent);
        parts = new PluginParts(
                ShimProgram.built(),
                Cgroups.linux(parent, time),
                Processes.linux(),
                1000,
                Threads.virtual((where, fault) -> fault.printStackTrace()),
                time,
                Chance.system(),
                Ids.random(),
                () -> {});
        Files.createDirectories(root.resolve("alloc/web"));
        Files.createDirectories(root.resolve("logs"));
        plugins = begin();
    }

    private DriverPlugins begin() throws Exception {
        return DriverPlugins.at(root.resolve("drivers"), settings, Set.of("exec"), parts);
    }

    List<ExternalDriver> drivers() {
        return plugins.drivers();
    }

    PluginParts parts() {
        return parts;
    }

    /** Why programs were left out. */
    String told() {
        return String.join("\n", plugins.leftOut().values());
    }

    ExternalDriver driver() {
        assertEquals(1, drivers().size(), this::told);
        return drivers().get(0);
    }

    /** As if the agent had been killed and started again. */
    void restart() throws Exception {
        plugins.close();
        plugins = begin();
    }

    TaskConfig config(String id, Map<String, Object> block) {
        return new TaskConfig(
                id,
                ALLOCATION,
                "web",
                block,
                Map.of("GREETING", "hello\nworld", "PATH", "/usr/bin:/bin"),
                "",
                new Resources(100, 64, 0),
                root.resolve("alloc/alloc"),
                root.resolve("alloc/web"),
                List.of(),
                new TaskConfig.Logs(root.resolve("logs"), 3, 1 << 20, false));
    }

    Path file(String below) {
        return root.resolve("drivers").resolve(Fixture.NAME).resolve(below);
    }

    /** Ends all programs; nothing of them is left. */
    void end() throws Exception {
        plugins.end();
        for (String name : parts.cgroups().names()) {
            Cgroups.Group group = parts.cgroups().group(name);
            Eventually.holds(() -> group.processes().isEmpty(), "no process is left in " + name);
            group.remove(Deadline.in(time, Duration.ofSeconds(10)));
        }
        parts.cgroups().removeParent();
    }
}
