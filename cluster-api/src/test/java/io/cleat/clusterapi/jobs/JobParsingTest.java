package io.cleat.clusterapi.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.JobParseRequest;
import io.cleat.api.JobPlanRequest;
import io.cleat.api.JobValidateRequest;
import io.cleat.api.Json;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.SystemTime;
import io.cleat.base.Trouble;
import io.cleat.clusterapi.FixedImages;
import io.cleat.clusterapi.Intake;
import io.cleat.clusterapi.Recording;
import io.cleat.clusterapi.SampleCluster;
import io.cleat.clusterapi.query.Readings;
import io.cleat.http.WriteQuery;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

final class JobParsingTest {
    private static final WriteQuery WRITE = new WriteQuery("default", "");

    private static final JobParseRequest REQUEST = new JobParseRequest(false, """
                    job "a" {
                      meta { id = uuidv4() }
                      group "g" {
                        task "t" {
                          driver = "raw_exec"
                          config { command = "/bin/true" }
                        }
                      }
                    }
                    """, "");

    @Test
    void parsing_asManyAsMayBeAreUnderWay_isRefusedUntilOneIsDone() throws Refused {
        List<Refusal> refusals = new ArrayList<>();
        List<JobParsing> itself = new ArrayList<>();
        // The id is asked for in the middle of parsing, and parses another file.
        JobParsing parsing = new JobParsing(
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

    @Test
    void allThatIsNotSupported_isSaidAtOnce() {
        Refused refused = assertThrows(
                Refused.class,
                () -> new JobParsing(new SystemTime(), () -> "id", 1).parse(new JobParseRequest(false, """
                                                        job "a" {
                                                          multiregion {}
                                                          group "g" {
                                                            prevent_reschedule_on_lost = true
                                                            task "t" {
                                                              driver = "raw_exec"
                                                            }
                                                          }
                                                        }
                                                        """, "")));
        String words = refused.refusal().message();
        assertTrue(words.contains("\"multiregion\""), words);
        assertTrue(words.contains("prevent_reschedule_on_lost is not supported"), words);
    }

    /** The id is asked for in the middle of a plan; it plans again, until nothing is taken. */
    @Test
    void planningAndValidating_asManyAsMayBeAreUnderWay_areRefused() throws Exception {
        SampleCluster sample = SampleCluster.start().node().plugin().volume();
        JobPlanRequest plan = Json.fromTree(Recording.of("27-plan").request().get("body"), JobPlanRequest.class);
        List<String> happened = new ArrayList<>();
        List<JobDrafts> itself = new ArrayList<>();
        Intake intake = Intake.over(sample.state());
        JobDrafts jobs = new JobDrafts(
                new Readings(new FixedImages(sample.state()), SampleCluster.ALONE),
                intake.requests(),
                new SystemTime(),
                () -> {
                    try {
                        itself.getFirst().validate(WRITE, new JobValidateRequest(plan.Job()));
                        happened.add("validated");
                        itself.getFirst().plan(WRITE, "web", plan);
                    } catch (Refused refused) {
                        assertInstanceOf(Refusal.Exhausted.class, refused.refusal());
                        happened.add("refused");
                    } catch (Trouble | InterruptedException unexpected) {
                        throw new IllegalStateException(unexpected);
                    }
                    return "id";
                });
        itself.add(jobs);
        try (intake) {
            jobs.plan(WRITE, "web", plan);
        }
        List<String> expected = new ArrayList<>(Collections.nCopies(JobParsing.places() - 1, "validated"));
        expected.add("refused");
        assertEquals(expected, happened);
    }
}
