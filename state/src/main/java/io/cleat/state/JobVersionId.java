package io.cleat.state;

import io.cleat.model.JobId;

/**
 * One stored version of a job. Version numbers begin anew when a job is purged; this does not.
 *
 * @param storedVersion the cluster's version that stored it (the job's JobModifyIndex then)
 */
public record JobVersionId(JobId job, long storedVersion) implements Comparable<JobVersionId> {
    @Override
    public int compareTo(JobVersionId other) {
        int byJob = job.compareTo(other.job);
        return byJob != 0 ? byJob : Long.compare(storedVersion, other.storedVersion);
    }
}
