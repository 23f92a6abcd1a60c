package io.cleat.processtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.testkit.RealEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The demo with its own verdict: it looks from outside at each of its steps. The long one, whose first steps are the
 * short one's, under the driver that it takes by itself; beside it the short one under a container engine: with
 * {@code -Dcleat.demo=long} the long one there, too.
 */
@Timeout(900)
class DemoTest {
    private static final Path ROOT =
            Path.of(System.getProperty("cleat.root", "..")).toAbsolutePath();

    /** How many steps there are. */
    private static final int SHORT = 9;

    private static final int LONG = 14;

    /** A build by the launcher is part of it. */
    private static final long MINUTES = 15;

    @TempDir
    Path directory;

    @Test
    void eachStepIsVerifiedAndNothingIsLeft() throws Exception {
        Object user = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        Assumptions.assumeTrue(user.equals(0), "the demo mounts and makes control groups: only root may");
        AgentProcess.build();
        Path output = directory.resolve("long");
        Process demo = start(output, List.of("-long"));
        try {
            assertTrue(demo.waitFor(MINUTES, TimeUnit.MINUTES), () -> text(output));
        } finally {
            // In order: on SIGTERM it takes away what it made.
            demo.destroy();
            demo.waitFor(2, TimeUnit.MINUTES);
        }
        isTold(demo, text(output), LONG);
        boolean hasRuntime = text(output).contains("in containers by /");
        assertTrue(hasRuntime || text(output).contains("raw_exec: "), text(output));
        Assumptions.assumeTrue(hasRuntime, () -> "reason: no containers here: " + text(output));
    }

    @Test
    void underAnEngine_eachStepIsVerifiedAndNothingIsLeftThere(@TempDir Path engines) throws Exception {
        Object user = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        Assumptions.assumeTrue(user.equals(0), "the demo mounts: only root may");
        RealEngine engine = RealEngine.open(engines);
        try {
            List<String> containers = engine.containers();
            List<String> images = engine.images();
            AgentProcess.build();
            boolean isLong = System.getProperty("cleat.demo", "").equals("long");
            Path output = directory.resolve("docker");
            List<String> flags = new ArrayList<>(List.of("-driver=docker", "-docker-socket=" + engine.socket()));
            if (isLong) {
                flags.add("-long");
            }
            Process demo = start(output, flags);
            try {
                assertTrue(demo.waitFor(MINUTES, TimeUnit.MINUTES), () -> text(output));
            } finally {
                demo.destroy();
                demo.waitFor(2, TimeUnit.MINUTES);
            }
            isTold(demo, text(output), isLong ? LONG : SHORT);
            assertTrue(text(output).contains("docker: plugin and workloads"), text(output));
            assertEquals(containers, engine.containers());
            assertEquals(images, engine.images());
        } finally {
            engine.close();
        }
    }

    @Test
    void withoutAnEngine_itSaysWhereItLookedAndWhatBringsOne() throws Exception {
        Object user = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        Assumptions.assumeTrue(user.equals(0), "the demo asks for root first");
        AgentProcess.build();
        Path output = directory.resolve("absent");
        Path socket = directory.resolve("no.sock");
        Process demo = start(output, List.of("-driver=docker", "-docker-socket=" + socket));
        assertTrue(demo.waitFor(1, TimeUnit.MINUTES), () -> text(output));
        assertEquals(1, demo.exitValue());
        String words = text(output);
        assertTrue(words.contains("no container engine answers at " + socket), words);
        assertTrue(words.contains("podman system service -t 0 unix:///run/podman/"), words);
        assertTrue(words.contains("before the first step"), words);
    }

    private static void isTold(Process demo, String story, int steps) throws Exception {
        assertEquals(0, demo.exitValue(), story);
        for (int step = 1; step <= steps; step++) {
            assertTrue(story.contains("\n" + step + ". "), story);
        }
        assertFalse(story.contains("\u001b"), "no colours, since it is no terminal: " + story);
        assertFalse(Files.exists(workplace(story)), story);
    }

    private static Process start(Path output, List<String> flags) throws Exception {
        List<String> command = new ArrayList<>(List.of(ROOT.resolve("cleat").toString(), "demo"));
        command.addAll(flags);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("CLEAT_BUILD", "never");
        builder.redirectErrorStream(true);
        builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        builder.redirectOutput(output.toFile());
        return builder.start();
    }

    /** The directory that the first line of the story names. */
    private static Path workplace(String story) {
        String title = story.lines()
                .filter(line -> line.startsWith("The life of a volume"))
                .findFirst()
                .orElseThrow();
        return Path.of(title.substring(title.lastIndexOf(' ') + 1));
    }

    private static String text(Path output) {
        try {
            return Files.readString(output);
        } catch (IOException unreadable) {
            return unreadable.toString();
        }
    }
}
