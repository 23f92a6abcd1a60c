package io.cleat.model;

import java.time.Instant;

/**
 * A snapshot, as its plugin describes it.
 *
 * @param snapshotId the provider's id
 * @param sourceExternalId the provider's id of the volume that it is of
 * @param size bytes that a volume made from it needs; 0 if the plugin does not say
 * @param ready whether a volume can be made from it by now
 */
public record ListedSnapshot(String snapshotId, String sourceExternalId, long size, Instant createdAt, boolean ready) {}
