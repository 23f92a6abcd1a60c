package io.cleat.artifact;

import java.time.Duration;

/**
 * What one artifact may take. The defaults are Nomad's, as far as it has them.
 *
 * @param time from the first request to the last file, unpacking included
 * @param download bytes of the largest file or pack that is downloaded
 * @param files how many entries a tree may have, directories and links too
 * @param unpacked bytes that all files of a tree may hold together
 * @param disk bytes that all artifacts of the task may have together, downloaded and unpacked alike
 * @param ratio how many bytes may come from one byte of an archive, once it holds more than 16 MiB
 * @param patience for so long, in whole seconds, it may come with less than 1 KiB/s
 */
public record FetchLimits(
        Duration time, long download, int files, long unpacked, long disk, int ratio, Duration patience) {
    private static final long HUNDRED_GB = 100_000_000_000L;

    /** 30 minutes, 100 GB, 4096 entries, 200 times as large; any disk; a minute. */
    public static FetchLimits standard() {
        return new FetchLimits(
                Duration.ofMinutes(30), HUNDRED_GB, 4096, HUNDRED_GB, Long.MAX_VALUE, 200, Duration.ofMinutes(1));
    }

    /** The same on a disk of so many bytes. */
    public FetchLimits onDisk(long bytes) {
        return new FetchLimits(time, download, files, unpacked, bytes, ratio, patience);
    }

    /** The most bytes that any one file may have on the way. */
    long largestFile() {
        return Math.min(disk, Math.max(download, unpacked));
    }
}
