package io.cleat.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.AnswerMeta;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is asked of an allocation is asked in its namespace. */
class NamespacesTest {
    private static final String NO_BODY = "''";

    private final TestBench bench = new TestBench();

    @ParameterizedTest
    @CsvSource({
        "GET, '/v1/client/fs/ls/a?path=/', " + NO_BODY,
        "GET, '/v1/client/fs/stat/a?path=/x', " + NO_BODY,
        "GET, '/v1/client/fs/cat/a?path=/x', " + NO_BODY,
        "GET, '/v1/client/fs/readat/a?path=/x&offset=0&limit=1', " + NO_BODY,
        "GET, '/v1/client/fs/stream/a?path=/x', " + NO_BODY,
        "GET, '/v1/client/fs/logs/a?task=t&type=stdout', " + NO_BODY,
        "GET, '/v1/client/allocation/a/exec?task=t&command=%5B%22sh%22%5D', " + NO_BODY,
        "GET, '/v1/client/allocation/a/stats?', " + NO_BODY,
        "GET, '/v1/client/allocation/a/volumes?', " + NO_BODY,
        "PUT, '/v1/client/allocation/a/signal?', '{\"Signal\":\"SIGHUP\",\"Task\":\"t\"}'",
        "PUT, '/v1/client/allocation/a/restart?', '{\"TaskName\":\"t\"}'",
        "PUT, '/v1/client/allocation/a/restart?', '{\"AllTasks\":true}'",
    })
    void anAllocationOfAnotherNamespaceIsNotFound(String method, String target, String body) throws Exception {
        bench.answerWith(List.of(), AnswerMeta.ofLeader(1));
        // So that what is let in comes to an end.
        bench.node.output.add(new PieceReader.End());
        Encoded refused = bench.send(method, target + "&namespace=other", body);
        assertEquals(404, refused.status());
        assertEquals("alloc not found", TestBench.text(refused));
        assertNull(bench.node.asked);
        assertNull(bench.node.askedFile);
        assertNull(bench.node.askedCommand);
        assertTrue(bench.node.sent.isEmpty());
    }

    @Test
    void itsOwnNamespaceAndAllOfThemAndNoneAreLetIn() throws Exception {
        bench.answerWith(List.of(), AnswerMeta.ofLeader(1));
        for (String named : List.of("", "&namespace=", "&namespace=*", "&namespace=default")) {
            assertEquals(200, bench.get("/v1/client/fs/ls/a?path=/" + named).status(), named);
        }
        assertNotEquals(
                200, bench.get("/v1/client/fs/ls/a?path=/&namespace=Default").status());
    }
}
