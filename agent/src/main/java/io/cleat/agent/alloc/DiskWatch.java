package io.cleat.agent.alloc;

import io.cleat.agent.task.TaskParts;
import io.cleat.base.Deadline;
import io.cleat.base.Trouble;
import io.cleat.kernel.TreeMeasure;
import io.cleat.kernel.TreeSize;
import io.cleat.model.EphemeralDisk;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures what an allocation's directory holds, again and again until its tasks are ended, and says so once that is
 * more than it may be. Where it cannot be measured nothing is ended: each cause of that is told once, and it is tried
 * again, seldom.
 *
 * <p>One thread.
 */
final class DiskWatch {
    private static final Logger LOG = LoggerFactory.getLogger(DiskWatch.class);
    private static final Duration AFTER_TROUBLE = Duration.ofMinutes(1);

    private static final int MEBI = 1 << 20;
    private static final long BLOCK = 4096;

    private final AllocationDiary diary;
    private final AllocationDirectory directory;
    private final AllocationParts.Measuring measuring;
    private final TaskParts parts;
    private final Consumer<String> exceeded;
    private final Consumer<String> unmeasured;
    private final EphemeralDisk limit;
    private final ReportedCauses causes = new ReportedCauses();

    /**
     * @param exceeded hears, once, how much it is, how much it may be, and what to do
     * @param unmeasured hears, once for each cause, that there is no limit now, and why
     */
    DiskWatch(
            AllocationDiary diary,
            AllocationDirectory directory,
            AllocationParts.Measuring measuring,
            TaskParts parts,
            Consumer<String> exceeded,
            Consumer<String> unmeasured) {
        this.diary = diary;
        this.directory = directory;
        this.measuring = measuring;
        this.parts = parts;
        this.exceeded = exceeded;
        this.unmeasured = unmeasured;
        this.limit = diary.known().taskGroup().disk();
    }

    /** Measures until the allocation's tasks are ended, by this or by something else. */
    void run() throws InterruptedException {
        DiskPace pace = new DiskPace(limit);
        Duration pause = DiskPace.SOON;
        for (; ; ) {
            diary.await(AllocationDiary.Entry::isOver, Deadline.in(parts.time(), pause));
            if (diary.entry().isOver()) {
                return;
            }
            try {
                TreeMeasure.Measured measured = measuring.measure(directory, limit);
                Optional<String> excess = excess(measured.size());
                if (excess.isPresent()) {
                    exceeded.accept(excess.get());
                    return;
                }
                pause = pace.after(measured.size(), measured.took());
            } catch (Trouble trouble) {
                tell(trouble);
                pause = AFTER_TROUBLE;
            }
        }
    }

    private void tell(Trouble trouble) {
        if (causes.isNew(trouble.reason())) {
            LOG.warn(
                    "what allocation {} has on disk is not known, and has no limit until it is: {}",
                    diary.known().allocId(),
                    trouble.reason());
            unmeasured.accept("what the allocation's directory holds could not be measured, so its"
                    + " ephemeral_disk is no limit until it can be, which is tried each"
                    + " minute: "
                    + trouble.reason());
        }
    }

    private Optional<String> excess(TreeSize size) {
        if (size.bytes() > limit.bytes()) {
            return Optional.of(words(mebi(size.bytes()) + " MiB", mebi(limit.bytes()) + " MiB", size.bytes()));
        }
        if (size.files() > limit.files()) {
            return Optional.of(words(
                    size.files() + " files and directories", limit.files() + " of them", times(size.files(), BLOCK)));
        }
        return Optional.empty();
    }

    private String words(String used, String allowed, long bytes) {
        return "the allocation's directory holds "
                + used
                + " beside its logs, and the ephemeral_disk of group \""
                + diary.known().group()
                + "\" has room for "
                + allowed
                + ": let its tasks keep less in /alloc, /local and /tmp, and change less of their images,"
                + " or give the group more,"
                + " such as ephemeral_disk { size = "
                + suggested(bytes)
                + " }";
    }

    /** Twice what was used: it was still growing. */
    private static long suggested(long bytes) {
        return Math.min(Integer.MAX_VALUE, times(bytes, 2) / MEBI + 1);
    }

    private static long times(long count, long each) {
        return count > Long.MAX_VALUE / each ? Long.MAX_VALUE : count * each;
    }

    private static String mebi(long bytes) {
        String number = String.format(Locale.ROOT, "%.1f", (double) bytes / MEBI);
        return number.endsWith(".0") ? number.substring(0, number.length() - 2) : number;
    }
}
