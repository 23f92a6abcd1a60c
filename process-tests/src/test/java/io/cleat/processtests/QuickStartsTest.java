package io.cleat.processtests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A role whose rehearsal fails starts without a word, and slowly. */
class QuickStartsTest {
    @Test
    void everyRoleThatIsRehearsedHasOne() throws Exception {
        Path lib = LaidOut.built().lib();
        assertEquals(
                List.of(),
                List.of("help", "cli", "local-plugin", "agent").stream()
                        .filter(role -> !Files.exists(lib.resolve(role + ".aot")))
                        .toList(),
                () -> TestJvm.text(lib.resolveSibling("train.log")));
    }
}
