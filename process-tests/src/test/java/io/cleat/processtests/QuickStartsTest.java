package io.cleat.processtests;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A role whose rehearsal fails starts without a word, and slowly. */
class QuickStartsTest {
    private static final String ROLES = "trained_roles=";

    @Test
    void everyRoleThatIsRehearsedHasOne() throws Exception {
        Path lib = LaidOut.built().lib();
        List<String> rehearsed = rehearsed();
        assertTrue(rehearsed.contains("agent"), rehearsed.toString());
        assertEquals(
                List.of(),
                rehearsed.stream()
                        .filter(role -> !Files.exists(lib.resolve(role + ".aot")))
                        .toList(),
                () -> TestJvm.text(lib.resolveSibling("train.log")));
    }

    /** It was started as if there were none, in twice the time. */
    @Test
    void whatFetchesIsStartedWithItsOwn(@TempDir Path directory) throws Exception {
        Process process = new ProcessBuilder(
                        TestJvm.agent(List.of(ConfinedStart.class.getName(), directory.toString())))
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertTrue(said.contains("-XX:AOTCache="), said);
        assertTrue(said.contains("EOFException"), "it began, and had nothing to do: " + said);
    }

    /** As the launcher's build names them. */
    private static List<String> rehearsed() throws IOException {
        Path build = AgentProcess.LAUNCHER.resolveSibling("scripts/build.sh");
        String roles = Files.readAllLines(build).stream()
                .filter(line -> line.startsWith(ROLES))
                .findFirst()
                .orElseThrow();
        return List.of(roles.substring(ROLES.length()).replace("\"", "").split(" ", -1));
    }
}
