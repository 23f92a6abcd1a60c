package io.cleat.http;

import io.cleat.api.Answer;
import io.cleat.api.Rows;
import io.cleat.api.ScalingPolicy;
import io.cleat.api.ScalingPolicyStub;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import java.util.Optional;

/** Scaling policies: between which counts groups of jobs may be scaled. */
public interface ScalingApi {
    /**
     * By job, and then as the job names its groups.
     *
     * @param job an id; empty for all jobs
     * @param type of the policies; empty for any
     */
    Answer<Rows<ScalingPolicyStub>> policies(ReadQuery query, String job, String type)
            throws Refused, Trouble, InterruptedException;

    Answer<Optional<ScalingPolicy>> policy(ReadQuery query, String id)
            throws Refused, Trouble, InterruptedException;
}
