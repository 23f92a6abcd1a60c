package io.cleat.agent.alloc;

import io.cleat.agent.check.CheckResults;
import io.cleat.base.Threads;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches one allocation from the beginning of its tasks until they are ended: the checks of its services, its health,
 * what its directory holds, and how long it has run. One that has more of disk or time than its group may have fails,
 * and its tasks end at once.
 *
 * <p>Each watch has a thread of its own. A fault in one ends only that, and is said in the log; of the health it makes
 * the allocation unhealthy. {@link #begin} comes from the allocation's thread, {@link #changed} from the one of its
 * assignments.
 */
final class AllocationWatches {
    private static final Logger LOG = LoggerFactory.getLogger(AllocationWatches.class);

    private final AllocationDiary diary;
    private final GroupTasks tasks;
    private final AllocationDirectory directory;
    private final AllocationParts parts;
    private final CheckResults checks = new CheckResults();

    /** Whether there is a thread that makes them. */
    private final AtomicBoolean areChecked = new AtomicBoolean();

    /** Whether its tasks are begun, so that there is something to check. */
    private volatile boolean isBegun;

    AllocationWatches(AllocationDiary diary, GroupTasks tasks, AllocationDirectory directory, AllocationParts parts) {
        this.diary = diary;
        this.tasks = tasks;
        this.directory = directory;
        this.parts = parts;
    }

    /** Its tasks begin now. Call once. */
    void begin() {
        isBegun = true;
        watchServices();
        watchHealth();
        parts.measuring().ifPresent(this::watchDisk);
        watchRunTime();
    }

    /** It may have another version of its job, and that may bring its first services. */
    void changed() {
        if (isBegun) {
            watchServices();
        }
    }

    /** How the checks of its services are. */
    List<CheckResults.Shown> checks() {
        return checks.all();
    }

    private void watchServices() {
        if (diary.known().taskGroup().allServices().isEmpty() || !areChecked.compareAndSet(false, true)) {
            return;
        }
        CheckWatch watch = new CheckWatch(diary, tasks, checks, parts.tasks());
        threads()
                .contained(
                        "checks/" + allocId(),
                        watch::run,
                        fault -> LOG.error("services of an allocation are not checked any more", fault));
    }

    private void watchHealth() {
        HealthLook look = new HealthLook(diary, checks, parts.tasks().time(), tasks::tellUnhealthy);
        threads().contained("health/" + allocId(), look::run, look::failed);
    }

    private void watchDisk(AllocationParts.Measuring measuring) {
        long limit = diary.known().taskGroup().disk().bytes();
        if (limit == 0) {
            return;
        }
        DiskWatch watch = new DiskWatch(
                diary,
                directory,
                measuring,
                parts.tasks(),
                why -> endAtOnce(why, () -> tasks.tellDiskExceeded(why, limit)),
                tasks::tellDiskUnmeasured);
        threads()
                .contained(
                        "disk/" + allocId(),
                        watch::run,
                        fault -> LOG.error("an allocation's disk has no limit any more", fault));
    }

    private void watchRunTime() {
        Duration most = diary.known().taskGroup().maxRunDuration();
        if (most == null) {
            return;
        }
        RunTimeWatch watch = new RunTimeWatch(
                diary, parts.tasks().time(), most, why -> endAtOnce(why, () -> tasks.tellRunTimeExceeded(why)));
        threads()
                .contained(
                        "run-time/" + allocId(),
                        watch::run,
                        fault -> LOG.error("an allocation has no last moment any more", fault));
    }

    /** Its tasks end at once, though in their order, and the server places it anew. */
    private void endAtOnce(String why, Runnable tell) {
        LOG.warn("allocation {} fails: {}", allocId(), why);
        tell.run();
        diary.change(k -> k.failedAtOnce(why));
        tasks.hurry();
    }

    private Threads threads() {
        return parts.tasks().threads();
    }

    private String allocId() {
        return diary.known().allocId();
    }
}
