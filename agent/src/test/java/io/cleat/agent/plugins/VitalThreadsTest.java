package io.cleat.agent.plugins;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.base.Chance;
import io.cleat.base.SystemTime;
import io.cleat.testkit.DoomedThreads;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An error in each vital thread of the registry of plugins ends the process. */
final class VitalThreadsTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"registry/feed", "plugins/watch"})
    void itsErrorEndsTheProcess(String name) throws Exception {
        DoomedThreads threads = new DoomedThreads(name);
        try (PluginRegistry registry = new PluginRegistry(directory.resolve("registry"), new Feed(threads))) {
            LivePlugins plugins = new LivePlugins(registry, new SystemTime(), Chance.system());
            CurrentNodePlugins current = new CurrentNodePlugins(plugins, threads, new SystemTime());
            assertEquals(Optional.empty(), current.current("p"));
            assertEquals(Optional.of(name), threads.end());
        }
    }

    @Test
    void theseAreAll() {
        assertEquals(Set.of("registry/feed", "plugins/watch"), DoomedThreads.listed("io.cleat.agent.plugins"));
    }
}
