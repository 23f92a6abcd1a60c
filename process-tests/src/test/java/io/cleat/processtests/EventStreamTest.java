package io.cleat.processtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.AllocationStub;
import io.cleat.api.CsiVolume;
import io.cleat.api.Event;
import io.cleat.api.EventBatch;
import io.cleat.api.EventStream;
import io.cleat.api.Json;
import io.cleat.api.Params;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** Somebody follows a volume, and the job that uses it, through the event stream of an agent. */
@Timeout(240)
class EventStreamTest {
    private long lastIndex;

    /**
     * What was read and not awaited yet, by topic: a topic's events come in an order of their own, while those of
     * another may come between them sooner or later.
     */
    private final Map<String, Queue<Event>> unread = new HashMap<>();

    /** All that was read, for a failure's message. */
    private final List<String> all = new ArrayList<>();

    @Test
    void aVolumesRoadIsToldStepByStep() throws Exception {
        try (AgentRun agent = AgentRun.prepare()) {
            agent.start();
            try (EventStream stream = agent.client()
                    .agent()
                    .events(List.of("CSIVolume:shared", "Job:job", "Allocation:job"), 0, Params.none())) {
                CsiVolume volume = agent.create(Words.directory("shared"));
                Event created = await(stream, "CSIVolume CSIVolumeRegistered free");
                assertEquals(
                        volume.ExternalID(),
                        payload(created, "Volume").get("ExternalID").asString());
                agent.register(Words.stubborn("job", "shared"));
                Event registered = await(stream, "Job JobRegistered");
                Event placed = await(stream, "Allocation PlanResult pending");
                assertInOrder(created, registered, placed);
                Event claimed = await(stream, "CSIVolume CSIVolumeClaim claimed");
                assertEquals(placed.Index(), claimed.Index(), "one decision");
                await(stream, "CSIVolume CSIVolumeEvent claimed");
                AllocationStub running = agent.running("job");
                Event started = await(stream, "Allocation AllocationUpdated running");
                assertEquals(running.ID(), started.Key());
                agent.stop("job");
                Event stopped = await(stream, "Job JobDeregistered");
                Event complete = await(stream, "Allocation AllocationUpdated complete");
                Event freed = await(stream, "CSIVolume CSIVolumeClaim free");
                assertInOrder(started, stopped, freed);
                // Its node unmounts, which frees the claim, and then it is over; both may come in
                // one report.
                assertTrue(freed.Index() <= complete.Index(), () -> String.join("\n", all));
                agent.delete("shared");
                await(stream, "CSIVolume CSIVolumeDeregistered free");
            }
        }
    }

    private void assertInOrder(Event... events) {
        for (int i = 1; i < events.length; i++) {
            assertTrue(events[i - 1].Index() < events[i].Index(), () -> String.join("\n", all));
        }
    }

    /** Reads on until the event comes. */
    private Event await(EventStream stream, String wanted) throws Exception {
        Queue<Event> ofTopic = ofTopic(wanted.substring(0, wanted.indexOf(' ')));
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (true) {
            for (Event event = ofTopic.poll(); event != null; event = ofTopic.poll()) {
                if (words(event).equals(wanted)) {
                    return event;
                }
            }
            assertTrue(System.nanoTime() < end, () -> "no event: " + wanted + ", but\n" + String.join("\n", all));
            read(stream);
        }
    }

    /** Reads a line; indexes only grow. */
    private void read(EventStream stream) throws Exception {
        EventBatch line = stream.line().orElseThrow();
        assertNull(line.Missed());
        if (!line.isHeartbeat()) {
            assertTrue(line.Index() > lastIndex, line.Index() + " after " + lastIndex);
            lastIndex = line.Index();
        }
        for (Event event : line.Events()) {
            ofTopic(event.Topic()).add(event);
            all.add(event.Index() + " " + words(event));
        }
    }

    private Queue<Event> ofTopic(String topic) {
        return unread.computeIfAbsent(topic, _ -> new ArrayDeque<>());
    }

    private static String words(Event event) {
        String state = switch (event.Topic()) {
            case "CSIVolume" -> payload(event, "Volume").get("WriteAllocs").isEmpty() ? " free" : " claimed";
            case "Allocation" ->
                " " + payload(event, "Allocation").get("ClientStatus").asString();
            default -> "";
        };
        return event.Topic() + " " + event.Type() + state;
    }

    private static JsonNode payload(Event event, String kind) {
        return Json.toTree(event.Payload()).get(kind);
    }
}
