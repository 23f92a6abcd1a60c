package io.cleat.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.cleat.api.JobParseRequest;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.SystemTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class JobParsingTest {
    private static final JobParseRequest REQUEST =
            new JobParseRequest(
                    false,
                    """
                    job "a" {
                      meta { id = uuidv4() }
                      group "g" {
                        task "t" {
                          driver = "raw_exec"
                          config { command = "/bin/true" }
                        }
                      }
                    }
                    """,
                    "");

    @Test
    void parsing_asManyAsMayBeAreUnderWay_isRefusedUntilOneIsDone() throws Refused {
        List<Refusal> refusals = new ArrayList<>();
        List<JobParsing> itself = new ArrayList<>();
        // The id is asked for in the middle of parsing, and parses another file.
        JobParsing parsing =
                new JobParsing(
                        new SystemTime(),
                        () -> {
                            try {
                                itself.getFirst().parse(REQUEST);
                            } catch (Refused refused) {
                                refusals.add(refused.refusal());
                            }
                            return "id";
                        },
                        2);
        itself.add(parsing);
        parsing.parse(REQUEST);
        assertEquals(1, refusals.size());
        assertInstanceOf(Refusal.Exhausted.class, refusals.getFirst());
        parsing.parse(REQUEST);
        assertEquals(2, refusals.size());
    }
}
