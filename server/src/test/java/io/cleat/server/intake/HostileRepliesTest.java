package io.cleat.server.intake;

import io.cleat.codec.RecordCodec;
import io.cleat.model.JobSpec;
import io.cleat.model.VolumeSpec;
import io.cleat.server.decide.DeploymentReply;
import io.cleat.server.decide.DeregisterJob;
import io.cleat.server.decide.EvaluateJob;
import io.cleat.server.decide.NodeReply;
import io.cleat.server.decide.RegisterJob;
import io.cleat.server.decide.StopAllocation;
import io.cleat.server.decide.VariableReply;
import io.cleat.server.decide.VolumeReply;
import io.cleat.testkit.HostileFormat;
import org.junit.jupiter.api.Test;

/** What is kept of a request, of hostile values, and hostile bytes instead of it. */
class HostileRepliesTest {
    private static <T> void holds(RecordCodec<T> format, Class<T> type) {
        HostileFormat.assertReadsBack(format, type, 500);
        HostileFormat.assertDamageIsTrouble(format, type, 1000);
    }

    @Test
    void jobsAndVolumesAsAskedForAreRefusedOrReadBack() {
        holds(JobRequests.TEXT, JobSpec.class);
        holds(VolumeRequests.TEXT, VolumeSpec.class);
    }

    @Test
    void repliesAreRefusedOrReadBack() {
        holds(JobRequests.REGISTERED, RegisterJob.Reply.class);
        holds(JobRequests.DEREGISTERED, DeregisterJob.Reply.class);
        holds(JobRequests.EVALUATED, EvaluateJob.Reply.class);
        holds(JobRequests.STOPPED, StopAllocation.Reply.class);
        holds(DeploymentRequests.REPLY, DeploymentReply.class);
        holds(VolumeRequests.REPLY, VolumeReply.class);
        holds(VariableRequests.REPLY, VariableReply.class);
        holds(NodeRequests.REPLY, NodeReply.class);
    }
}
