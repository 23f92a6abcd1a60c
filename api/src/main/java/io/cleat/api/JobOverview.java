package io.cleat.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a job and its allocations are, in few words.
 *
 * @param ChildStatuses how the copies are that it had run; null for a job that has none run
 * @param GroupCountSum how many allocations its groups are to have together
 * @param LatestDeployment null for none
 * @param ParentID the job that it is a copy of; empty for none
 * @param SubmitTime in ns since the epoch
 */
public record JobOverview(
        List<Alloc> Allocs,
        @Nullable List<String> ChildStatuses,
        List<String> Datacenters,
        int GroupCountSum,
        String ID,
        boolean IsPack,
        @Nullable LatestDeployment LatestDeployment,
        long ModifyIndex,
        String Name,
        String Namespace,
        String NodePool,
        String ParentID,
        int Priority,
        String Status,
        boolean Stop,
        long SubmitTime,
        String Type,
        long Version) {
    /** One allocation. */
    public record Alloc(
            String ClientStatus,
            Health DeploymentStatus,
            String FollowupEvalID,
            String Group,
            boolean HasPausedTask,
            String ID,
            long JobVersion,
            String NodeID) {}

    /** Its part in a deployment; {@code Healthy} is null until it is known. */
    public record Health(boolean Canary, @Nullable Boolean Healthy) {}

    /**
     * The newest deployment.
     *
     * @param AllAutoPromote whether its canaries are all promoted once they are healthy
     * @param RequiresPromotion whether canaries of it are not promoted yet
     */
    public record LatestDeployment(
            boolean AllAutoPromote,
            String ID,
            boolean IsActive,
            long JobVersion,
            boolean RequiresPromotion,
            String Status,
            String StatusDescription) {}
}
