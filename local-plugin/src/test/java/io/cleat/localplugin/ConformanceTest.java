package io.cleat.localplugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** csi-sanity, the conformance suite of CSI, against the plugin's own process. */
class ConformanceTest {
    private static final Path FIGURES = Path.of("target/conformance.txt");
    private static final Pattern RAN = Pattern.compile("Ran (\\d+) of (\\d+) Specs");
    private static final Pattern COUNTS =
            Pattern.compile("(\\d+) Passed \\| (\\d+) Failed \\| (\\d+) Pending \\| (\\d+) Skipped");
    private static final Pattern COLOUR = Pattern.compile("\u001b\\[[0-9;]*m");

    /** What the host path driver of Kubernetes runs of the same suite. */
    private static final int LEAST = 77;

    private static final Set<VolumeType> IN_EACH_BUILD =
            EnumSet.of(VolumeType.DIRECTORY, VolumeType.EXT4, VolumeType.BLOCK);

    @TempDir
    Path directory;

    private static Optional<Path> suite() {
        String home = System.getProperty("user.home");
        return Stream.concat(
                        Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1)), Stream.of(home + "/go/bin"))
                .filter(part -> !part.isEmpty())
                .map(part -> Path.of(part, "csi-sanity"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    @BeforeEach
    void theSuiteIsThere() {
        Assumptions.assumeTrue(suite().isPresent(), "reason: csi-sanity is absent: ./dev setup -y brings it");
        Ground.needsImages();
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        if (Files.exists(directory.resolve("pool"))) {
            Ground ground = new Ground(directory);
            try {
                ground.assertNothingLeft();
            } finally {
                ground.clear();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void volumesOfEachTypeConform(VolumeType type) throws Exception {
        Assumptions.assumeTrue(
                Boolean.getBoolean("cleat.conformance") || IN_EACH_BUILD.contains(type),
                "reason: ./dev conformance runs the suite for this type too");
        conforms(type);
    }

    private void conforms(VolumeType type) throws Exception {
        Path parameters = directory.resolve("parameters.yaml");
        Files.writeString(parameters, "type: " + type.word() + "\n");
        Path settings = directory.resolve("settings.yaml");
        Files.writeString(settings, (type.isImage() ? "read_ahead_kib: \"256\"" : "mode: \"0750\"") + "\n");
        long size = Math.max(64 * Sizes.MIB, type.least());
        String said;
        int code;
        long kilobytes;
        try (PluginProcess plugin = new PluginProcess(directory, "--check-lifecycle")) {
            Path output = directory.resolve("sanity");
            Process process = new ProcessBuilder(
                            suite().orElseThrow().toString(),
                            "--csi.endpoint=" + Served.socket(directory),
                            "--csi.mountdir=" + directory.resolve("target"),
                            "--csi.stagingdir=" + directory.resolve("staging"),
                            "--csi.testvolumesize=" + size,
                            "--csi.testvolumeexpandsize=" + 2 * 256 * Sizes.MIB,
                            "--csi.testvolumeaccesstype=" + (type == VolumeType.BLOCK ? "block" : "mount"),
                            "--csi.testvolumemutableparameters=" + settings,
                            "--csi.testvolumeparameters=" + parameters)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            boolean ended = process.waitFor(5, TimeUnit.MINUTES);
            process.destroyForcibly().waitFor();
            said = COLOUR.matcher(Files.readString(output)).replaceAll("");
            assertTrue(ended, said);
            code = process.exitValue();
            kilobytes = plugin.proportionalKilobytes();
        }
        Matcher ran = RAN.matcher(said);
        Matcher counts = COUNTS.matcher(said);
        assertTrue(ran.find() && counts.find(), said);
        note("type="
                + type.word()
                + ": ran "
                + ran.group(1)
                + " of "
                + ran.group(2)
                + ": "
                + counts.group()
                + "; the plugin's process has "
                + kilobytes
                + " kB afterwards (proportional)");
        assertEquals(0, code, said);
        assertEquals("0", counts.group(2), said);
        assertTrue(Integer.parseInt(ran.group(1)) > LEAST, said);
    }

    /** For {@code ./dev conformance}. */
    private static void note(String figures) throws IOException {
        Files.write(FIGURES, List.of("csi-sanity, " + figures), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
