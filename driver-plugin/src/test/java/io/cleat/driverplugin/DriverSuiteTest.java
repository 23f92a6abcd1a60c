package io.cleat.driverplugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.driverplugin.DriverSuite.Outcome;
import io.cleat.driverplugin.DriverSuite.Result;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The suite over an honest program, and over one that hangs in a call. */
@Timeout(120)
class DriverSuiteTest {
    @TempDir
    Path directory;

    private List<Result> run(String... args) throws Exception {
        PluginGround ground = new PluginGround(directory);
        try {
            return new DriverSuite(
                            directory.resolve("suite"),
                            Fixture.in(directory, Map.of(), args),
                            ground.parts(),
                            Optional.of(
                                    id -> ground.config(id, Map.of("command", "/bin/sleep", "args", List.of("300")))))
                    .run();
        } finally {
            ground.end();
        }
    }

    @Test
    void anHonestDriverPasses() throws Exception {
        List<Result> results = run();
        assertTrue(results.size() > 10, results.toString());
        assertEquals(
                List.of(),
                results.stream()
                        .filter(each -> each.outcome() != Outcome.PASSED)
                        .toList());
    }

    @Test
    void whatIsNotOwedIsNamed() throws Exception {
        List<Result> failed = run("-hangs=TaskStats").stream()
                .filter(each -> each.outcome() == Outcome.FAILED)
                .toList();
        assertEquals(
                List.of("says what a task uses"),
                failed.stream().map(Result::name).toList());
        assertTrue(failed.getFirst().why().contains("did not answer to TaskStats"), failed + "");
    }

    @Test
    void aProgramThatIsNoDriverFailsAtOnce() throws Exception {
        List<Result> results = run("-noise=hello");
        assertEquals(1, results.size(), results.toString());
        assertEquals(Outcome.FAILED, results.getFirst().outcome());
        assertTrue(results.getFirst().why().contains("'hello'"), results.toString());
    }
}
