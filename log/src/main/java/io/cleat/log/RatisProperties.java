package io.cleat.log;

import java.io.File;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/**
 * Every setting of Ratis that differs from its default, and why. Only typed setters: a misspelt key is ignored without
 * a word.
 */
final class RatisProperties {
    private static final SizeInBytes RECORD_MAX = SizeInBytes.valueOf("2MB");

    private RatisProperties() {}

    /** Settings of a member without peers. */
    static RaftProperties alone(LogSettings settings, File storage) {
        RaftProperties properties = new RaftProperties();
        RaftServerConfigKeys.setStorageDir(properties, List.of(storage));
        RaftConfigKeys.Rpc.setType(properties, new NoRpc()); // by its name
        election(properties);
        bounds(properties, settings);
        snapshots(properties);
        // A read waits until all that was committed before it is applied.
        RaftServerConfigKeys.Read.setOption(properties, RaftServerConfigKeys.Read.Option.LINEARIZABLE);
        return properties;
    }

    private static void election(RaftProperties properties) {
        // Nobody to compete with, so nobody to wait for: most of a fresh start was this timer. With
        // peers 5 ms would split votes.
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(properties, millis(5));
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(properties, millis(10));
        RaftServerConfigKeys.Rpc.setTimeoutMin(properties, millis(1000));
        RaftServerConfigKeys.Rpc.setTimeoutMax(properties, millis(2000));
        // A pause of the process costs a member its leadership and, when long, closes its server,
        // because a peer may have taken over. A suspended machine without peers just goes on.
        TimeDuration ever = TimeDuration.valueOf(365, TimeUnit.DAYS);
        RaftServerConfigKeys.setCloseThreshold(properties, ever);
        RaftServerConfigKeys.LeaderElection.setLeaderStepDownWaitTime(properties, ever);
    }

    private static void bounds(RaftProperties properties, LogSettings settings) {
        RaftServerConfigKeys.Log.setSegmentSizeMax(properties, SizeInBytes.valueOf(settings.segmentBytes()));
        // Zeros written ahead make a flush cheaper: the file's length does not change with it.
        RaftServerConfigKeys.Log.setPreallocatedSize(properties, SizeInBytes.valueOf("1MB"));
        // Never trimmed: the library closes a log that failed while it holds the lock which its
        // trimming thread waits for, and joins that thread. What a snapshot holds leaves the cache
        // with its segment, so it keeps about what is written from one snapshot to the next.
        RaftServerConfigKeys.Log.setSegmentCacheNumMax(properties, Integer.MAX_VALUE);
        RaftServerConfigKeys.Log.setSegmentCacheSizeMax(properties, SizeInBytes.valueOf("1TB"));
        RaftServerConfigKeys.Log.setQueueByteLimit(properties, SizeInBytes.valueOf("24MB"));
        RaftServerConfigKeys.Log.setWriteBufferSize(properties, SizeInBytes.valueOf(RECORD_MAX.getSize() + 8));
        RaftServerConfigKeys.Log.Appender.setBufferByteLimit(properties, RECORD_MAX);
        RaftServerConfigKeys.Write.setByteLimit(properties, SizeInBytes.valueOf("24MB"));
        // Its 60 s by default retain every reply: with a small heap that is an OutOfMemoryError.
        // Exactly-once is ours, by request ids.
        RaftServerConfigKeys.RetryCache.setExpiryTime(properties, millis(1000));
        // Commit indexes are for followers that restart; here each would be an entry and a flush.
        RaftServerConfigKeys.Log.setLogMetadataEnabled(properties, false);
    }

    private static void snapshots(RaftProperties properties) {
        // When is ours to say, by entries and by bytes (Snapshots).
        RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(properties, false);
        RaftServerConfigKeys.Snapshot.setCreationGap(properties, 1);
        RaftServerConfigKeys.Snapshot.setRetentionFileNum(properties, 2);
        RaftServerConfigKeys.Log.setPurgeGap(properties, 1);
        RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(properties, true);
    }

    private static TimeDuration millis(long millis) {
        return TimeDuration.valueOf(millis, TimeUnit.MILLISECONDS);
    }
}
