package io.cleat.api;

import java.time.Instant;

/**
 * What a snapshot of the cluster says of itself, in its {@code meta.json}.
 *
 * @param Version of this description: 1
 * @param ID that no other snapshot has, unless it is of the same moment
 * @param Index version of the newest decision in it
 * @param Term how many reigns it remembers
 * @param Size bytes of the image
 * @param ClusterID empty before the cluster was formed
 * @param DecidedAt when the newest decision was made, by the cluster's clock
 * @param FeatureLevel up to which the cluster writes
 */
public record SnapshotMeta(
        int Version,
        String ID,
        long Index,
        long Term,
        long Size,
        String ClusterID,
        Instant DecidedAt,
        int FeatureLevel) {}
