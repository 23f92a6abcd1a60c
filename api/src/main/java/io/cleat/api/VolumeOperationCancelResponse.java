package io.cleat.api;

/**
 * The answer to {@code PUT /v1/volumes/operation/:id/cancel}, which Nomad does not have.
 *
 * @param Index the version of the decision
 * @param Message what became of the call, or is done next
 */
public record VolumeOperationCancelResponse(long Index, String Message) {}
