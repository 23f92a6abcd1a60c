package io.cleat.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.AnswerMeta;
import io.cleat.api.Variable;
import io.cleat.api.VariableLock;
import io.cleat.base.Secrets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VariableRoutesTest {
    private static final String BODY =
            "{\"Namespace\":\"team\",\"Path\":\"elsewhere\",\"Items\":{\"a\":\"b\"}}";
    private static final Variable STORED =
            new Variable(
                    5,
                    6,
                    Secrets.of(Map.of("user", "me")),
                    new VariableLock("l-1", "1m0s", "15s"),
                    7,
                    8,
                    "default",
                    "nomad/jobs/web");

    private final TestBench bench = new TestBench();

    private void written(boolean conflicts) {
        bench.answerWith(new VariablesApi.Written(STORED, conflicts, 9), AnswerMeta.ofLeader(1));
    }

    /** Its slashes are part of it, encoded or not. */
    @ParameterizedTest
    @CsvSource({
        "/v1/var/nomad/jobs/web, nomad/jobs/web",
        "/v1/var/nomad%2Fjobs%2Fweb, nomad/jobs/web",
        "/v1/var/a, a",
        "/v1/var/a/, a/",
        "/v1/var//a, /a",
    })
    void aPath_isAllThatFollows(String target, String path) throws Exception {
        bench.answerWith(STORED, AnswerMeta.ofLeader(12));
        Encoded reply = bench.get(target);
        assertEquals(200, reply.status(), TestBench.text(reply));
        assertEquals(path, bench.cluster.asked.get(2));
        assertEquals("12", reply.headers().get("X-Nomad-Index"));
        assertEquals(
                "{\"CreateIndex\":5,\"CreateTime\":6,\"Items\":{\"user\":\"me\"},\"Lock\":{\"ID\":\"l-1\","
                        + "\"LockDelay\":\"1m0s\",\"TTL\":\"15s\"},\"ModifyIndex\":7,\"ModifyTime\":8,"
                        + "\"Namespace\":\"default\",\"Path\":\"nomad/jobs/web\"}",
                TestBench.text(reply));
    }

    @Test
    void noPath_isNoVariable() throws Exception {
        assertEquals(400, bench.get("/v1/var/").status());
        assertEquals(404, bench.get("/v1/var").status());
        bench.cluster.body = null;
        Encoded missing = bench.get("/v1/var/a");
        assertEquals(404, missing.status());
        assertEquals("variable not found", TestBench.text(missing));
    }

    @Test
    void theNamespaceOfTheRequest_winsOverTheBodys() throws Exception {
        written(false);
        bench.send("PUT", "/v1/var/a?cas=0", BODY);
        assertEquals(
                List.of("variables.put", new WriteQuery("team", ""), "a"),
                bench.cluster.asked.subList(0, 3));
        assertEquals(OptionalLong.of(0), bench.cluster.asked.get(4));
        Encoded reply = bench.send("PUT", "/v1/var/a?namespace=other", BODY);
        assertEquals(new WriteQuery("other", ""), bench.cluster.asked.get(1));
        assertEquals(OptionalLong.empty(), bench.cluster.asked.get(4));
        assertEquals(200, reply.status());
        assertEquals("9", reply.headers().get("X-Nomad-Index"));
    }

    @Test
    void aConflict_is409WithTheVariable() throws Exception {
        written(true);
        for (Encoded reply :
                List.of(
                        bench.send("PUT", "/v1/var/a?cas=3", BODY),
                        bench.send("DELETE", "/v1/var/a?cas=3", ""),
                        bench.send("PUT", "/v1/var/a?lock-acquire", BODY))) {
            assertEquals(409, reply.status());
            assertTrue(TestBench.text(reply).contains("\"ModifyIndex\":7"));
        }
    }

    @Test
    void aDeletion_saysItsIndex() throws Exception {
        written(false);
        Encoded reply = bench.send("DELETE", "/v1/var/a/b", "");
        assertEquals(200, reply.status());
        assertEquals("{\"Index\":9}", TestBench.text(reply));
        assertEquals("a/b", bench.cluster.asked.get(2));
    }

    @ParameterizedTest
    @CsvSource({
        "lock-acquire, variables.lock",
        "lock-acquire=, variables.lock",
        "lock-renew=true, variables.renew",
        "lock-release, variables.release"
    })
    void whatIsDoneWithALock_isAParameter(String parameter, String asked) throws Exception {
        written(false);
        assertEquals(200, bench.send("PUT", "/v1/var/a?" + parameter, BODY).status());
        assertEquals(asked, bench.cluster.asked.getFirst());
    }

    @ParameterizedTest
    @CsvSource({
        "cas=-1, cas is the index",
        "cas=x, cas is the index",
        "cas=99999999999999999999, cas is the index",
        "lock-acquire&lock-renew, not several",
        "lock-renew&cas=3, exclude each other"
    })
    void whatMakesNoSense_isRefused(String parameter, String words) throws Exception {
        written(false);
        Encoded reply = bench.send("PUT", "/v1/var/a?" + parameter, BODY);
        assertEquals(400, reply.status());
        assertTrue(TestBench.text(reply).contains(words), TestBench.text(reply));
        assertEquals(List.of(), bench.cluster.asked);
    }

    @Test
    void aPatternOfARest_takesNothingElse() {
        PathPattern pattern = PathPattern.of("/v1/var/*path");
        assertEquals(Optional.empty(), pattern.match(List.of("v1", "vars", "a")));
        assertEquals(Optional.empty(), pattern.match(List.of("v1", "var")));
        assertEquals(
                Optional.of(Map.of("path", "a/b")), pattern.match(List.of("v1", "var", "a", "b")));
    }
}
