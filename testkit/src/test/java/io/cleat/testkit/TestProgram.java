package io.cleat.testkit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** A program in C that a test needs, from {@code src/test/c}. */
final class TestProgram {
    private TestProgram() {}

    /** Builds it for anybody to execute; the test is skipped where it cannot be built. */
    static Path build(String name, Path into, String... options) throws Exception {
        Path source = Path.of(System.getProperty("cleat.root", ".")).resolve("testkit/src/test/c/" + name + ".c");
        Path program = into.resolve(name);
        List<String> command = new ArrayList<>(List.of("cc", "-static", "-O1"));
        command.addAll(List.of(options));
        command.addAll(List.of("-o", program.toString(), source.toString()));
        Process compiler;
        try {
            compiler = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException absent) {
            Assumptions.abort("reason: there is no C compiler here: ./dev setup -y brings it");
            throw absent;
        }
        String words = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Assumptions.assumeTrue(compiler.waitFor() == 0, () -> "reason: " + name + " was not built: " + words);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        return program;
    }
}
