package io.cleat.http;

import io.cleat.api.AgentMembers;
import io.cleat.api.Answer;
import io.cleat.api.AutopilotConfiguration;
import io.cleat.api.AutopilotHealth;
import io.cleat.api.FuzzySearchRequest;
import io.cleat.api.FuzzySearchResponse;
import io.cleat.api.Metrics;
import io.cleat.api.RaftConfiguration;
import io.cleat.api.RecoveryChanged;
import io.cleat.api.RecoveryState;
import io.cleat.api.SchedulerConfiguration;
import io.cleat.api.SchedulerConfigurationResponse;
import io.cleat.api.SchedulerUpdateResponse;
import io.cleat.api.SearchRequest;
import io.cleat.api.SearchResponse;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import java.util.List;
import java.util.OptionalLong;

/** The cluster itself. */
public interface OperatorApi {
    /** The leader's {@code host:port}; empty if there is none. */
    String leader() throws Refused, Trouble, InterruptedException;

    /** Each member's {@code host:port}. */
    List<String> peers() throws Refused, Trouble, InterruptedException;

    /** How the members of the log stand. */
    AutopilotHealth autopilotHealth() throws Refused, Trouble, InterruptedException;

    /** What is done with members of the log unasked. */
    AutopilotConfiguration autopilotConfiguration() throws Refused, Trouble, InterruptedException;

    List<String> regions() throws Refused, Trouble, InterruptedException;

    AgentMembers members() throws Refused, Trouble, InterruptedException;

    RaftConfiguration raftConfiguration() throws Refused, Trouble, InterruptedException;

    /**
     * Names with a text in them.
     *
     * @throws Refused the context is not known, or the text is too short
     */
    Answer<FuzzySearchResponse> fuzzySearch(ReadQuery query, FuzzySearchRequest request)
            throws Refused, Trouble, InterruptedException;

    /** Ids that begin with the prefix, at most 20 for each context. */
    Answer<SearchResponse> search(ReadQuery query, SearchRequest request)
            throws Refused, Trouble, InterruptedException;

    /** How jobs are placed. */
    Answer<SchedulerConfigurationResponse> scheduler(ReadQuery query)
            throws Refused, Trouble, InterruptedException;

    /**
     * Says how jobs are placed.
     *
     * @param ifModifyIndex that of what is said now, else nothing changes; empty for any
     */
    Answer<SchedulerUpdateResponse> setScheduler(
            WriteQuery query, SchedulerConfiguration wanted, OptionalLong ifModifyIndex)
            throws Refused, Trouble, InterruptedException;

    /** Figures of this moment, from this member's image. */
    Metrics metrics() throws Refused, Trouble, InterruptedException;

    /** Whether the cluster is in recovery, for which nodes, and what they hold. */
    RecoveryState recovery(ReadQuery query) throws Refused, Trouble, InterruptedException;

    /**
     * Ends the recovery.
     *
     * @param by who says so
     * @param force though a node has not said what it holds
     */
    RecoveryChanged endRecovery(String by, boolean force)
            throws Refused, Trouble, InterruptedException;

    /** A person vouches that nothing is left of what the node holds and nobody knows. */
    RecoveryChanged abandonHoldings(String nodeId) throws Refused, Trouble, InterruptedException;

    /** The cluster's image as a file, which another server can begin with. */
    SnapshotBody snapshot() throws Refused, Trouble, InterruptedException;

    /**
     * Bytes of a snapshot, written as they are read.
     *
     * @param sha256 of all of them, in base64
     */
    record SnapshotBody(String sha256, Reply.Writer writer) {}

    /** Collects garbage now, whatever its age. */
    void collectGarbage(WriteQuery query) throws Refused, Trouble, InterruptedException;
}
