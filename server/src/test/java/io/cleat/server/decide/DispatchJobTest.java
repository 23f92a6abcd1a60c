package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.JobLaunch;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.PayloadRule;
import io.cleat.state.Change;
import io.cleat.state.JobRow;
import io.cleat.state.SchedulingRow;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs of which copies run when somebody asks for one. Situation -> answer. */
final class DispatchJobTest {
    private final Cluster cluster = new Cluster();

    @BeforeEach
    void node() {
        cluster.level = Change.LAUNCH_LEVEL;
        cluster.node("n1");
    }

    private void register(PayloadRule payload) {
        JobSpec spec = Cluster.job("convert", JobType.BATCH, 1)
                .withLaunch(new JobLaunch.Parameterized(payload, List.of("from"), List.of("to")));
        cluster.accept(new RegisterJob(spec, null, null, 0, cluster.id()));
    }

    private DispatchJob ask(String payload, Map<String, String> meta) {
        return new DispatchJob(Cluster.jobId("convert"), payload, meta, 0, cluster.id());
    }

    private JobRow copy(DispatchJob.Reply reply) {
        return cluster.state().job(Cluster.jobId(reply.copyId())).orElseThrow();
    }

    @Test
    void asked_aCopyRuns_withWhatWasSentAlong() {
        register(PayloadRule.OPTIONAL);
        DispatchJob.Reply reply = cluster.accept(ask("aGVsbG8=", Map.of("from", "a")));
        cluster.schedule();
        assertTrue(reply.copyId().matches("convert/dispatch-\\d+-[0-9a-f]{8}"), reply.copyId());
        JobRow copy = copy(reply);
        assertEquals(
                new JobLaunch.Child("convert", true, "aGVsbG8="), copy.spec().launch());
        Map<String, String> meta = new TreeMap<>(copy.spec().meta());
        assertEquals("a", meta.get("from"));
        assertEquals("", meta.get("to"), "what may be sent along is there, and empty");
        assertEquals(1, cluster.state().allocationsOfJob(copy.id()).size());
    }

    @Test
    void askedTwice_twoCopiesRun() {
        register(PayloadRule.OPTIONAL);
        cluster.accept(ask("", Map.of("from", "a")));
        cluster.accept(ask("", Map.of("from", "a")));
        assertEquals(2, cluster.state().childrenOf(Cluster.jobId("convert")).size());
    }

    @Test
    void aPriorityOfItsOwn_isTheCopys() {
        register(PayloadRule.OPTIONAL);
        DispatchJob.Reply reply =
                cluster.accept(new DispatchJob(Cluster.jobId("convert"), "", Map.of("from", "a"), 80, cluster.id()));
        assertEquals(80, copy(reply).spec().priority());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    REQUIRED  | ''       | from | Payload is not provided but required by parameterized job
                    FORBIDDEN | aGVsbG8= | from | Payload provided but forbidden by parameterized job
                    OPTIONAL  | ''       | to   | Dispatch did not provide required meta keys: [from]
                    OPTIONAL  | ''       | x    | Dispatch request included unpermitted metadata keys: [x]
                    """)
    void whatDoesNotFit_isRefused(PayloadRule rule, String payload, String key, String words) {
        register(rule);
        assertEquals(words, cluster.refuse(ask(payload, Map.of(key, "v"))));
    }

    @Test
    void moreThanMayBeSentAlong_isRefused() {
        register(PayloadRule.OPTIONAL);
        String most = Base64.getEncoder().encodeToString(new byte[PayloadRule.MOST_BYTES]);
        cluster.accept(ask(most, Map.of("from", "a")));
        String more = Base64.getEncoder().encodeToString(new byte[PayloadRule.MOST_BYTES + 1]);
        assertEquals("Payload exceeds maximum size; 16385 > 16384", cluster.refuse(ask(more, Map.of("from", "a"))));
    }

    @Test
    void whatIsNotParameterized_orStopped_cannotBeAskedFor() {
        cluster.run(Cluster.job("web", JobType.BATCH, 1));
        assertEquals(
                "Specified job \"web\" is not a parameterized job",
                cluster.refuse(new DispatchJob(Cluster.jobId("web"), "", Map.of(), 0, cluster.id())));
        register(PayloadRule.OPTIONAL);
        cluster.stop("convert");
        assertEquals("Specified job \"convert\" is stopped", cluster.refuse(ask("", Map.of("from", "a"))));
    }

    @Test
    void jobsAreRejectedByAnOperator_copiesToo() {
        register(PayloadRule.OPTIONAL);
        cluster.accept(
                new ConfigureScheduling(new SchedulingRow(SchedulingRow.Algorithm.BINPACK, true, false, 0, 0), null));
        String refused = cluster.refuse(ask("", Map.of("from", "a")));
        assertTrue(refused.contains("job registration is disabled"), refused);
    }
}
