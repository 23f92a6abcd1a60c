package io.cleat.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.EventHeader;
import io.cleat.base.Refused;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which events a query asks for. */
final class EventQueryTest {
    private static final EventHeader VOLUME =
            new EventHeader(
                    "CSIVolume", "CSIVolumeClaim", "data", "default", List.of("data", "hostpath"));
    private static final EventHeader NODE =
            new EventHeader("Node", "NodeDrain", "n-1", "", List.of());

    @ParameterizedTest
    @CsvSource({
        "'', default, true, true",
        "*, default, true, true",
        "*:data, default, true, false",
        "CSIVolume, default, true, false",
        "CSIVolume:*, default, true, false",
        "CSIVolume:data, default, true, false",
        "CSIVolume:hostpath, default, true, false",
        "CSIVolume:other, default, false, false",
        "CSIVolume:, default, false, false",
        "csivolume, default, false, false",
        "Node, default, false, true",
        "Node:n-1 CSIVolume:other, default, false, true",
        "CSIVolume:other CSIVolume:data, default, true, false",
        "Deployment, default, false, false",
        "Nonsense, default, false, false",
        "*, other, false, true",
        "*, *, true, true",
    })
    void topicsKeysAndNamespaces(String topics, String namespace, boolean volume, boolean node)
            throws Exception {
        List<String> given = topics.isEmpty() ? List.of() : List.of(topics.split(" ", -1));
        EventQuery query = EventQuery.of(given, 0, namespace);
        assertEquals(volume, query.wants(VOLUME), topics);
        assertEquals(node, query.wants(NODE), topics);
    }

    @ParameterizedTest
    @CsvSource({"CSIVolume:a:b", "''", ":a"})
    void otherTopicsAreRefusedWithWhatIsExpected(String topic) {
        Refused refused =
                assertThrows(
                        Refused.class, () -> EventQuery.of(List.of("Job", topic), 0, "default"));
        String message = refused.refusal().message();
        assertTrue(message.startsWith("Invalid topic query: \"" + topic + "\""), message);
        assertTrue(message.contains("topic:key"), message);
    }

    @Test
    void repeatedParametersComeThroughInOrder() throws Exception {
        TestBench bench = new TestBench();
        bench.dispatcher.answer(
                Request.of(
                        "GET",
                        "/v1/event/stream?topic=Job:a&index=7&topic=Node&namespace=ops&topic=Job:b",
                        Map.of("host", "127.0.0.1:4646"),
                        new byte[0],
                        4646));
        assertEquals(
                List.of("events.open", EventQuery.of(List.of("Job:a", "Node", "Job:b"), 7, "ops")),
                bench.cluster.asked);
    }

    @Test
    void anUnreadableIndexOrTopicIsA400() throws Exception {
        TestBench bench = new TestBench();
        assertEquals(400, bench.get("/v1/event/stream?index=x").status());
        Encoded reply = bench.get("/v1/event/stream?topic=Job:a:b");
        assertEquals(400, reply.status());
        assertTrue(TestBench.text(reply).startsWith("Invalid topic query: "));
    }
}
