package io.cleat.driver.exec;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Over the roots of machines of both kinds: with everything in /usr, and with separate directories. */
class SystemFilesTest {
    @TempDir
    Path root;

    @Test
    void whatIsALinkOnTheHostIsALinkInTheContainer() throws Exception {
        Files.createDirectories(root.resolve("usr/bin"));
        Files.createDirectories(root.resolve("etc/ssl"));
        Files.createDirectories(root.resolve("etc/java-25"));
        Files.writeString(root.resolve("etc/passwd"), "");
        Files.writeString(root.resolve("etc/shadow"), "secret");
        Files.createSymbolicLink(root.resolve("bin"), Path.of("usr/bin"));
        SystemFiles files = new SystemFiles(root);
        assertEquals(Map.of(Path.of("/bin"), Path.of("usr/bin")), files.links());
        assertEquals(
                List.of("/usr", "/etc/passwd", "/etc/ssl", "/etc/java-25"),
                files.bound().stream().map(Path::toString).toList());
    }

    @Test
    void separateDirectoriesAreBound() throws Exception {
        for (String directory : List.of("usr", "bin", "lib64", "etc")) {
            Files.createDirectory(root.resolve(directory));
        }
        SystemFiles files = new SystemFiles(root);
        assertEquals(Map.of(), files.links());
        assertEquals(
                List.of("/usr", "/bin", "/lib64"),
                files.bound().stream().map(Path::toString).toList());
    }
}
