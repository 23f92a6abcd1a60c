package io.cleat.server.decide;

import org.jspecify.annotations.Nullable;

/**
 * The reply to a command about a deployment.
 *
 * @param evalId of the evaluation that follows; empty for none
 * @param revertedTo the number of the job's version that came back; null if none did
 */
public record DeploymentReply(String evalId, @Nullable Long revertedTo) {}
