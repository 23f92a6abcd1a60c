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
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** Somebody follows a volume, and the job that uses it, through the event stream of an agent. */
@Timeout(240)
class EventStreamTest {
    private long lastIndex;

    /** Of the line that was read last. */
    private Iterator<Event> rest = Collections.emptyIterator();

    @Test
    void aVolumesRoadIsToldStepByStep() throws Exception {
        try (AgentRun agent = AgentRun.prepare()) {
            agent.start();
            try (EventStream stream =
                    agent.client()
                            .agent()
                            .events(
                                    List.of("CSIVolume:shared", "Job:job", "Allocation:job"),
                                    0,
                                    Params.none())) {
                CsiVolume volume = agent.create(Words.directory("shared"));
                Event created = await(stream, "CSIVolume CSIVolumeRegistered free");
                assertEquals(
                        volume.ExternalID(),
                        payload(created, "Volume").get("ExternalID").asString());
                agent.register(Words.stubborn("job", "shared"));
                await(stream, "Job JobRegistered");
                await(stream, "Allocation PlanResult pending");
                await(stream, "CSIVolume CSIVolumeClaim claimed");
                await(stream, "CSIVolume CSIVolumeEvent claimed");
                AllocationStub running = agent.running("job");
                Event started = await(stream, "Allocation AllocationUpdated running");
                assertEquals(running.ID(), started.Key());
                agent.stop("job");
                await(stream, "Job JobDeregistered");
                await(stream, "Allocation AllocationUpdated complete");
                await(stream, "CSIVolume CSIVolumeClaim free");
                agent.delete("shared");
                await(stream, "CSIVolume CSIVolumeDeregistered free");
            }
        }
    }

    /** Reads on until the event comes; indexes only grow. */
    private Event await(EventStream stream, String wanted) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (true) {
            while (rest.hasNext()) {
                Event event = rest.next();
                if (words(event).equals(wanted)) {
                    return event;
                }
            }
            EventBatch line = stream.line().orElseThrow();
            assertTrue(System.nanoTime() < end, "no event: " + wanted);
            assertNull(line.Missed());
            if (!line.isHeartbeat()) {
                assertTrue(line.Index() > lastIndex, line.Index() + " after " + lastIndex);
                lastIndex = line.Index();
            }
            rest = line.Events().iterator();
        }
    }

    private static String words(Event event) {
        String state =
                switch (event.Topic()) {
                    case "CSIVolume" ->
                            payload(event, "Volume").get("WriteAllocs").isEmpty()
                                    ? " free"
                                    : " claimed";
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
