package io.cleat.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.cli.Failure;
import io.cleat.driverplugin.PluginSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which programs of {@code -driver-dir} are run. Situation -> answer. */
final class DriverPluginFlagsTest {
    @TempDir
    Path temporary;

    private Path above;
    private Path directory;

    @BeforeEach
    void aDirectoryWithOneProgram() throws IOException {
        above = Files.createDirectory(temporary.toRealPath().resolve("above"));
        directory = Files.createDirectory(above.resolve("drivers"));
        program(directory.resolve("one"));
    }

    private static void program(Path at) throws IOException {
        Files.writeString(at, "#!/bin/sh\n");
        Files.setPosixFilePermissions(at, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static void mode(Path at, String rights) throws IOException {
        Files.setPosixFilePermissions(at, PosixFilePermissions.fromString(rights));
    }

    private static List<String> names(Path directory) throws Failure {
        return DriverPluginFlags.read(AgentRole.PROGRAM.read(List.of("-driver-dir=" + directory))).stream()
                .map(PluginSettings::file)
                .toList();
    }

    private void assertRefused(String what, Path at) {
        Failure refused = assertThrows(Failure.class, () -> names(at));
        assertTrue(String.valueOf(refused.getMessage()).contains(what), refused.getMessage());
    }

    @Test
    void whatCannotBeRun_isPassedOver() throws Exception {
        Files.writeString(directory.resolve("README"), "");
        Files.createDirectory(directory.resolve("more"));
        assertEquals(List.of("one"), names(directory));
    }

    @Test
    void aProgramThatOthersMayWrite_isRefused() throws Exception {
        mode(directory.resolve("one"), "rwxrwxr-x");
        assertRefused("one may be written by others than root", directory);
    }

    @Test
    void aDirectoryThatOthersMayWrite_isRefused() throws Exception {
        mode(directory, "rwxrwxrwx");
        assertRefused("drivers may be written by others than root", directory);
    }

    /** Whoever may write there can put another directory in its place. */
    @Test
    void aDirectoryOnTheWayThatOthersMayWrite_isRefused() throws Exception {
        mode(above, "rwxrwxr-x");
        assertRefused("above may be written by others than root: chmod go-w it", directory);
    }

    @Test
    void aLinkOnTheWay_isRefused() throws Exception {
        Path link = Files.createSymbolicLink(above.resolveSibling("link"), above);
        assertRefused("link is no directory, or a link to one", link.resolve("drivers"));
    }

    @Test
    void aLinkToAProgram_isRefused() throws Exception {
        program(above.resolve("two"));
        Files.createSymbolicLink(directory.resolve("two"), above.resolve("two"));
        assertRefused("two is no file: links are not followed", directory);
    }

    @Test
    void noDirectory_isRefused() {
        assertRefused("none is not there", directory.resolve("none"));
    }
}
