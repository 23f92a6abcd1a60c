package io.cleat.server.intake;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Refused;
import io.cleat.codec.RecordCodec;
import io.cleat.model.Constraint;
import io.cleat.model.HostVolumeNames;
import io.cleat.model.HostVolumeSpec;
import io.cleat.model.Topology;
import io.cleat.model.TopologyRequest;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeSpec;
import io.cleat.server.decide.DeploymentReply;
import io.cleat.server.decide.DeregisterJob;
import io.cleat.server.decide.DispatchJob;
import io.cleat.server.decide.EvaluateJob;
import io.cleat.server.decide.HostVolumeReply;
import io.cleat.server.decide.NodeReply;
import io.cleat.server.decide.RegisterJob;
import io.cleat.server.decide.StopAllocation;
import io.cleat.server.decide.VariableReply;
import io.cleat.server.decide.VolumeReply;
import io.cleat.state.VariableLock;
import io.cleat.testkit.FullJob;
import io.cleat.testkit.History;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * What is kept of an answered request: the reply, and the digest of what was asked. A later program that gets the same
 * request again reads the one and computes the other.
 */
final class RepliesHistoryTest {
    private static final History HISTORY = new History("server");

    @Test
    void repliesOfVersion1AreRead() throws IOException, DiskTrouble, Refused {
        isRead("rjob-1", JobRequests.REGISTERED, new RegisterJob.Reply("e-1", 7, 6));
        isRead("djob-1", JobRequests.DEREGISTERED, new DeregisterJob.Reply("e-2", 9, 8));
        isRead("sall-1", JobRequests.STOPPED, new StopAllocation.Reply("e-3"));
        isRead("evjb-1", JobRequests.EVALUATED, new EvaluateJob.Reply("e-4", 12));
        isRead(
                "disp-1",
                JobRequests.DISPATCHED,
                new DispatchJob.Reply("convert/dispatch-1790000000-0b1c2d3e", "e-6", 13));
        isRead("rnod-1", NodeRequests.REPLY, new NodeReply(12));
        isRead("rdep-1", DeploymentRequests.REPLY, new DeploymentReply("e-5", 3L));
        isRead("rvol-1", VolumeRequests.REPLY, new VolumeReply.Started("op-1"));
        Instant made = Instant.parse("2026-03-04T05:06:07Z");
        isRead(
                "rvar-1",
                VariableRequests.REPLY,
                new VariableReply.Done(
                        7,
                        9,
                        made,
                        made.plusSeconds(5),
                        VariableLock.taken("l-1", Duration.ofSeconds(15), Duration.ofMinutes(1))));
    }

    @Test
    void theSameRequestHasTheSameBytesInEveryProgram() throws IOException, Refused {
        byte[] job = JobRequests.TEXT.encode(FullJob.scaled());
        assertArrayEquals(HISTORY.sample("askj-9", job), job);
        byte[] volume = VolumeRequests.TEXT.encode(volume());
        byte[] ofHost = HostVolumeRequests.TEXT.encode(hostVolume());
        assertArrayEquals(HISTORY.sample("askh-1", ofHost), ofHost);
        assertArrayEquals(HISTORY.sample("askv-2", volume), volume);
    }

    @Test
    void aVolumeOfVersion1IsRead() throws IOException, DiskTrouble, Refused {
        byte[] now = VolumeRequests.TEXT.encode(volume());
        assertEquals(volume(), VolumeRequests.TEXT.decode(HISTORY.sample("askv-1", now)));
    }

    @Test
    void aJobOfVersion8IsRead() throws IOException, DiskTrouble, Refused {
        byte[] now = JobRequests.TEXT.encode(FullJob.serving());
        assertEquals(FullJob.serving(), JobRequests.TEXT.decode(HISTORY.sample("askj-8", now)));
    }

    @Test
    void aJobOfVersion7IsRead() throws IOException, DiskTrouble, Refused {
        byte[] now = JobRequests.TEXT.encode(FullJob.networked());
        assertEquals(FullJob.networked(), JobRequests.TEXT.decode(HISTORY.sample("askj-7", now)));
    }

    @Test
    void aJobOfVersion6IsRead() throws IOException, DiskTrouble, Refused {
        byte[] now = JobRequests.TEXT.encode(FullJob.onHost());
        assertEquals(FullJob.onHost(), JobRequests.TEXT.decode(HISTORY.sample("askj-6", now)));
    }

    @Test
    void aJobOfVersion5IsRead() throws IOException, DiskTrouble, Refused {
        byte[] now = JobRequests.TEXT.encode(FullJob.periodic());
        assertEquals(FullJob.periodic(), JobRequests.TEXT.decode(HISTORY.sample("askj-5", now)));
    }

    @Test
    void aJobOfVersion4IsRead() throws IOException, DiskTrouble, Refused {
        byte[] now = JobRequests.TEXT.encode(FullJob.owned());
        assertEquals(FullJob.owned(), JobRequests.TEXT.decode(HISTORY.sample("askj-4", now)));
    }

    @Test
    void aJobOfVersion1IsRead() throws IOException, DiskTrouble, Refused {
        byte[] now = JobRequests.TEXT.encode(FullJob.spec());
        assertEquals(FullJob.spec(), JobRequests.TEXT.decode(HISTORY.sample("askj-1", now)));
    }

    @Test
    void aJobOfVersion2IsRead() throws IOException, DiskTrouble, Refused {
        byte[] now = JobRequests.TEXT.encode(FullJob.specOfVersion2());
        assertEquals(FullJob.specOfVersion2(), JobRequests.TEXT.decode(HISTORY.sample("askj-2", now)));
    }

    @Test
    void aJobOfVersion3IsRead() throws IOException, DiskTrouble, Refused {
        byte[] now = JobRequests.TEXT.encode(FullJob.overlapping());
        assertEquals(FullJob.overlapping(), JobRequests.TEXT.decode(HISTORY.sample("askj-3", now)));
    }

    @Test
    void theReplyAboutAHostVolumeIsRead() throws Exception {
        isRead("rhvo-1", HostVolumeRequests.REPLY, new HostVolumeReply(HostVolumeNames.volume("team", "hv-1"), true));
    }

    private static HostVolumeSpec hostVolume() {
        return new HostVolumeSpec(
                "hv-1",
                "team",
                "disk",
                "mkdir",
                "n1",
                "default",
                List.of(new Constraint("${attr.kernel.name}", "=", "linux")),
                List.of(FullJob.WRITER),
                1L << 20,
                1L << 30,
                Map.of("mode", "0750"));
    }

    private static <R> void isRead(String name, RecordCodec<R> format, R expected)
            throws IOException, DiskTrouble, Refused {
        assertEquals(expected, format.decode(HISTORY.sample(name, format.encode(expected))));
    }

    private static VolumeSpec volume() {
        Topology rack = new Topology(Map.of("rack", "r1", "row", "7"));
        return new VolumeSpec(
                new VolumeId("default", "shared"),
                "shared",
                "ext-1",
                "local",
                List.of(FullJob.WRITER),
                FullJob.EXT4,
                1L << 26,
                1L << 27,
                Map.of("type", "ext4", "pool", "p"),
                Map.of("shelf", "2"),
                new TopologyRequest(List.of(rack), List.of()),
                "",
                "");
    }
}
