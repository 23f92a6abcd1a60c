package io.cleat.artifact;

import java.time.Duration;

/**
 * What one artifact may take. The defaults are Nomad's.
 *
 * @param httpTime from the request to the last byte
 * @param httpBytes the largest file that is downloaded
 * @param gitTime from the first request to the last file
 * @param files how many entries a tree may have, directories and links too
 * @param bytes how much all files of a tree may hold together
 */
public record FetchLimits(
        Duration httpTime, long httpBytes, Duration gitTime, int files, long bytes) {
    private static final long HUNDRED_GB = 100_000_000_000L;

    /** 30 minutes, 100 GB, 4096 entries. */
    public static FetchLimits standard() {
        return new FetchLimits(
                Duration.ofMinutes(30), HUNDRED_GB, Duration.ofMinutes(30), 4096, HUNDRED_GB);
    }
}
