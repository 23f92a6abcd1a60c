package io.cleat.http;

import io.cleat.api.AllocationStub;
import io.cleat.api.Answer;
import io.cleat.api.Deployment;
import io.cleat.api.DeploymentAllocHealthRequest;
import io.cleat.api.DeploymentUpdateResponse;
import io.cleat.api.Rows;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import java.util.List;
import java.util.Optional;

/** Deployments. */
public interface DeploymentsApi {
    /** Deployments by id, which is their token. The filter looks at the {@link Deployment}. */
    Answer<Rows<Deployment>> list(ListQuery query) throws Refused, Trouble, InterruptedException;

    Answer<Optional<Deployment>> get(ReadQuery query, String id)
            throws Refused, Trouble, InterruptedException;

    /** The allocations that a deployment placed or changed. */
    Answer<Rows<AllocationStub>> allocations(ReadQuery query, String id)
            throws Refused, Trouble, InterruptedException;

    /**
     * Those of a job, newest first.
     *
     * @param all also those of a purged job that had its id
     */
    Answer<Rows<Deployment>> ofJob(ReadQuery query, String jobId, boolean all)
            throws Refused, Trouble, InterruptedException;

    /**
     * Holds a deployment.
     *
     * @param pause false to let it go on
     */
    Answer<DeploymentUpdateResponse> pause(WriteQuery query, String id, boolean pause)
            throws Refused, Trouble, InterruptedException;

    /**
     * Promotes canaries.
     *
     * @param groups empty for all
     */
    Answer<DeploymentUpdateResponse> promote(WriteQuery query, String id, List<String> groups)
            throws Refused, Trouble, InterruptedException;

    Answer<DeploymentUpdateResponse> fail(WriteQuery query, String id)
            throws Refused, Trouble, InterruptedException;

    Answer<DeploymentUpdateResponse> health(
            WriteQuery query, String id, DeploymentAllocHealthRequest request)
            throws Refused, Trouble, InterruptedException;
}
