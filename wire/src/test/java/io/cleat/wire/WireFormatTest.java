package io.cleat.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Refused;
import io.cleat.base.Secrets;
import io.cleat.model.BlockedBy;
import io.cleat.model.ClientStatus;
import io.cleat.model.TaskEvent;
import io.cleat.model.TaskState;
import io.cleat.model.VolumeId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WireFormatTest {
    private static final Instant AT = Instant.parse("2026-11-21T06:00:00.000000001Z");

    @Test
    void reportsRoundTrip() throws DiskTrouble, Refused {
        ToServer report = new ToServer.Allocations(List.of(new ToServer.AllocReport(
                "a",
                ClientStatus.RUNNING,
                "Tasks are running",
                Map.of(
                        "t",
                        new TaskState(
                                TaskState.Phase.RUNNING,
                                false,
                                1,
                                AT,
                                AT,
                                null,
                                List.of(new TaskEvent("Started", AT, "m", Map.of("k", "v"))))),
                Map.of(
                        "data",
                        new ToServer.VolumeReport(
                                new VolumeId("default", "v"),
                                3,
                                ToServer.VolumePhase.MOUNTING,
                                0,
                                new BlockedBy("stage", "plugin p", AT, null, "is retried"))),
                null,
                null)));
        assertEquals(report, WireFormat.TO_SERVER.decode(WireFormat.TO_SERVER.encode(report)));
    }

    @Test
    void outcomesRoundTrip() throws DiskTrouble, Refused {
        for (OrderOutcome outcome : List.of(
                new OrderOutcome.Failed(Effect.UNKNOWN, "DeadlineExceeded", "m"),
                new OrderOutcome.Done(new ControllerReply.Published(Secrets.of(Map.of("dev", "/dev/x")))),
                new OrderOutcome.Done(new ControllerReply.Unpublished()))) {
            ToServer done = new ToServer.OrderDone("op", outcome);
            assertEquals(done, WireFormat.TO_SERVER.decode(WireFormat.TO_SERVER.encode(done)));
        }
    }
}
