package io.cleat.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.driverplugin.DriverSuite.Outcome;
import io.cleat.driverplugin.DriverSuite.Result;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DriverVerifyRoleTest {
    private static final List<Result> RESULTS = List.of(
            new Result("is healthy", Outcome.PASSED, "", Duration.ofMillis(45)),
            new Result("sends a signal", Outcome.SKIPPED, "it cannot", Duration.ZERO),
            new Result("starts a task", Outcome.FAILED, "said <\"no\" & more>\u001b[2J", Duration.ofSeconds(2)));

    @Test
    void theReportLinesUp_andWhatAProgramSaidMovesNoCursor() {
        String[] lines = DriverVerifyRole.text(RESULTS).split("\n", -1);
        assertEquals("passed   is healthy          45 ms", lines[0]);
        assertEquals("skipped  sends a signal       0 ms", lines[1]);
        assertEquals("failed   starts a task     2000 ms", lines[3]);
        assertTrue(lines[4].contains("said <\"no\" & more>") && !lines[4].contains("\u001b"));
        assertEquals("1 passed, 1 failed, 1 skipped", lines[6]);
    }

    @Test
    void theReportForBuildServersIsXml() {
        String xml = DriverVerifyRole.junit("a&b", RESULTS);
        assertTrue(xml.contains("<testsuite name=\"a&amp;b\" tests=\"3\" failures=\"1\" skipped=\"1\">"));
        assertTrue(xml.contains("<failure message=\"said &lt;&quot;no&quot; &amp; more&gt;"), xml);
        assertTrue(xml.contains("name=\"is healthy\" time=\"0.045\"></testcase>"), xml);
    }

    @Test
    void itsWordsNameTheRole() {
        assertEquals(
                Optional.of(new DriverVerifyRole(List.of("-json", "p"))),
                DriverVerifyRole.of(List.of("driver", "verify", "-json", "p")));
        assertEquals(Optional.empty(), DriverVerifyRole.of(List.of("driver", "try", "p")));
    }
}
