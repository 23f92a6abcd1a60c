package io.cleat.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What evaluating a node's jobs answers.
 *
 * @param EvalCreateIndex the version of the last evaluation
 * @param EvalIDs null for none
 * @param HeartbeatTTL a node's, in nanoseconds; 0 for anybody else
 * @param LeaderRPCAddr likewise; empty
 * @param NodeModifyIndex the version that changed the node last
 * @param NumNodes likewise; 0
 * @param Servers likewise; null
 */
public record NodeEvaluateResponse(
        long EvalCreateIndex,
        @Nullable List<String> EvalIDs,
        long HeartbeatTTL,
        long Index,
        boolean KnownLeader,
        long LastContact,
        String LeaderRPCAddr,
        long NodeModifyIndex,
        int NumNodes,
        @Nullable List<String> Servers) {
    /**
     * What somebody is answered who is no node.
     *
     * @param version of the last evaluation
     * @param nodeVersion the version that changed the node last
     */
    public static NodeEvaluateResponse of(List<String> evalIds, long version, long nodeVersion) {
        return new NodeEvaluateResponse(
                evalIds.isEmpty() ? 0 : version,
                evalIds.isEmpty() ? null : evalIds,
                0,
                version,
                false,
                0,
                "",
                nodeVersion,
                0,
                null);
    }
}
