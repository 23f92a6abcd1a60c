package io.cleat.processtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The systemd units, as systemd itself reads them. */
class UnitsTest {
    private static final Path ROOT =
            Path.of(System.getProperty("cleat.root", "..")).toAbsolutePath().normalize();
    private static final Path LINTER = Path.of("/usr/bin/systemd-analyze");

    @TempDir
    Path directory;

    @Test
    void systemdFindsNoFault() throws Exception {
        Assumptions.assumeTrue(
                Files.isExecutable(LINTER), "reason: systemd-analyze is not installed: apt-get install systemd");
        List<String> command = new ArrayList<>(List.of(LINTER.toString(), "verify", "--man=no"));
        try (DirectoryStream<Path> units = Files.newDirectoryStream(ROOT.resolve("packaging/systemd"), "*.service")) {
            for (Path unit : units) {
                // It looks whether the programs are there.
                String text = Files.readString(unit).replace("/opt/cleat", ROOT.toString());
                Path copy = directory.resolve(unit.getFileName());
                Files.writeString(copy, text);
                command.add(copy.toString());
            }
        }
        assertEquals(5, command.size(), "two units");
        Path output = directory.resolve("output");
        Process linter = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertTrue(linter.waitFor(60, TimeUnit.SECONDS), () -> TestJvm.text(output));
            assertEquals(0, linter.exitValue(), () -> TestJvm.text(output));
            // Of our own units not even a warning; the machine's others are not ours.
            List<String> ours = Files.readAllLines(output).stream()
                    .filter(line -> line.contains(directory.toString()))
                    .toList();
            assertEquals(List.of(), ours);
        } finally {
            linter.destroyForcibly();
        }
    }
}
