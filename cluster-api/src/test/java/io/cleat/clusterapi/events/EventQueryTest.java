package io.cleat.clusterapi.events;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.EventHeader;
import io.cleat.base.Refused;
import io.cleat.clusterapi.SampleCluster;
import io.cleat.clusterapi.SampleRoutes;
import io.cleat.http.Request;
import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which events a query asks for. */
final class EventQueryTest {
    private static final EventHeader VOLUME =
            new EventHeader("CSIVolume", "CSIVolumeClaim", "data", "default", List.of("data", "hostpath"));
    private static final EventHeader NODE = new EventHeader("Node", "NodeDrain", "n-1", "", List.of());

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
    void topicsKeysAndNamespaces(String topics, String namespace, boolean volume, boolean node) throws Exception {
        List<String> given = topics.isEmpty() ? List.of() : List.of(topics.split(" ", -1));
        EventQuery query = EventQuery.of(given, 0, namespace);
        assertEquals(volume, query.wants(VOLUME), topics);
        assertEquals(node, query.wants(NODE), topics);
    }

    @ParameterizedTest
    @CsvSource({"CSIVolume:a:b", "''", ":a"})
    void otherTopicsAreRefusedWithWhatIsExpected(String topic) {
        Refused refused = assertThrows(Refused.class, () -> EventQuery.of(List.of("Job", topic), 0, "default"));
        String message = refused.refusal().message();
        assertTrue(message.startsWith("Invalid topic query: \"" + topic + "\""), message);
        assertTrue(message.contains("topic:key"), message);
    }

    @Test
    void repeatedParametersComeThroughInOrder() throws Exception {
        Request request = Request.of(
                "GET",
                "/v1/event/stream?topic=Job:a&index=7&topic=Node&namespace=ops&topic=Job:b",
                Map.of(),
                new byte[0],
                Request.UNIX);
        assertEquals(EventQuery.of(List.of("Job:a", "Node", "Job:b"), 7, "ops"), EventRoutes.query(request));
    }

    @Test
    void anUnreadableIndexOrTopicIsA400() throws Exception {
        try (SampleRoutes bench = SampleRoutes.of(SampleCluster.start())) {
            assertEquals(400, bench.get("/v1/event/stream?index=x").status());
            SampleRoutes.Answered reply = bench.get("/v1/event/stream?topic=Job:a:b");
            assertEquals(400, reply.status());
            assertTrue(reply.body().startsWith("Invalid topic query: "));
        }
    }

    @Test
    void eventsAreLinesOfJson() throws Exception {
        Deque<EventReader.Step> steps = new ArrayDeque<>(List.of(
                new EventReader.Batch(12, List.of(VOLUME.with(12, Map.of())).iterator()),
                new EventReader.Missed(3, 9),
                new EventReader.Heartbeat()));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        EventReader reader = () -> {
            if (steps.isEmpty()) {
                throw new NoSuchElementException("read to its end");
            }
            return steps.remove();
        };
        assertThrows(NoSuchElementException.class, () -> EventRoutes.write(reader, out));
        assertEquals("""
                {}
                {"Index":12,"Events":[{"FilterKeys":["data","hostpath"],"Index":12,"Key":"data",\
                "Namespace":"default","Payload":{},"Topic":"CSIVolume","Type":"CSIVolumeClaim"}]}
                {"Missed":{"From":3,"To":9}}
                {}
                """, out.toString(UTF_8));
    }
}
