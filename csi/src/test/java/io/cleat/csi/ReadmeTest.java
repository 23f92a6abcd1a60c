package io.cleat.csi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.base.Deadline;
import io.cleat.base.SystemTime;
import io.cleat.testkit.FakeCsiPlugin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The README's example compiles, runs, and is the one below. */
final class ReadmeTest {
    @TempDir
    private Path dir;

    private static String example(Path socket) throws InterruptedException {
        // example
        Deadline deadline = Deadline.in(new SystemTime(), Duration.ofMinutes(5));
        VolumeUse use = new VolumeUse(AccessType.MOUNT, AccessMode.SINGLE_NODE_WRITER);
        CapacityRange size = new CapacityRange(64 << 20, 0);
        try (PluginChannel plugin = PluginChannel.open("my-driver", socket)) {
            String provider = plugin.identity().info(deadline).name();
            VolumeOrder order = VolumeOrder.of("photos", size, use);
            String made = plugin.controller().create(order, deadline).volumeId();
            return provider + " made " + made;
        } catch (CsiTrouble trouble) {
            return trouble.effect() + ": " + trouble.reason();
        }
        // end
    }

    @Test
    void theExampleRuns() throws Exception {
        try (FakeCsiPlugin plugin = FakeCsiPlugin.start(dir.resolve("csi.sock"))) {
            assertEquals("fake.csi.cleat.io made ext-photos", example(plugin.socket()));
        }
    }

    @Test
    void theReadmeShowsTheExample() throws IOException {
        Path module = Path.of(System.getProperty("cleat.root", ".."), "csi");
        String readme = Files.readString(module.resolve("README.md"));
        String source = Files.readString(module.resolve("src/test/java/io/cleat/csi/ReadmeTest.java"));
        assertEquals(
                between(source, "// example\n", "        // end")
                        .stripTrailing()
                        .stripIndent(),
                between(readme, "```java\n", "```").stripTrailing());
    }

    private static String between(String text, String from, String to) {
        int start = text.indexOf(from) + from.length();
        return text.substring(start, text.indexOf(to, start));
    }
}
