package io.cleat.agent.alloc;

import io.cleat.agent.alloc.KeptFiles.Left;
import io.cleat.agent.task.UntilDone;
import io.cleat.base.Trouble;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an allocation is once nothing of it runs or is mounted: files, which give way to what is newer, its logs last,
 * and are removed when the server wants no more of it. There may be thousands of them, so no thread waits for either.
 *
 * <p>Used by one thread at a time.
 */
final class EndedAllocation {
    private static final Logger LOG = LoggerFactory.getLogger(EndedAllocation.class);

    /** Of what is to give way; it is tried once more when all of it goes. */
    private static final int TRIES = 3;

    private final AllocationDiary diary;
    private final AllocationDirectory directory;
    private final AllocationParts parts;
    private final AllocationStore store;
    private final Runnable gone;

    /** How often it was woken since its thread last looked; 0 while it has none. */
    private final AtomicInteger wakes = new AtomicInteger(1);

    private Left left = Left.ALL;
    private boolean isGone;

    /**
     * Until {@link #begin} the thread of the allocation is its thread.
     *
     * @param gone run once the server wants no more of it, and nothing is left
     */
    EndedAllocation(
            AllocationDiary diary,
            AllocationDirectory directory,
            AllocationParts parts,
            AllocationStore store,
            Runnable gone) {
        this.gone = gone;
        this.diary = diary;
        this.directory = directory;
        this.parts = parts;
        this.store = store;
    }

    /** It has ended, with all its files. On the thread of the allocation. */
    void begin() throws InterruptedException {
        steps().take(() -> parts.ended().ended(diary.known(), most -> {
            diary.keep(most);
            wake();
        }));
        work();
    }

    /** There is something to do, once it has ended. Its thread does it, or one that is begun. */
    void wake() {
        if (wakes.getAndIncrement() == 0) {
            parts.tasks()
                    .threads()
                    .contained(
                            "ended/" + diary.known().allocId(),
                            this::work,
                            fault -> LOG.error("an ended allocation keeps what it has", fault));
        }
    }

    /** Does what it was woken for, until it was woken for nothing more. */
    private void work() throws InterruptedException {
        int seen;
        do {
            seen = wakes.get();
            steps().take(this::goOn);
            if (isGone) {
                gone.run();
                return;
            }
        } while (!wakes.compareAndSet(seen, 0));
    }

    private UntilDone steps() {
        return new UntilDone(parts.tasks(), "ended/" + diary.known().allocId());
    }

    /** Does what there is to do; taken again after a fault. */
    private void goOn() throws InterruptedException {
        KnownAllocation known = diary.known();
        while (true) {
            AllocationDiary.Entry now = diary.entry();
            if (now.isUnwanted()) {
                remove();
                isGone = true;
                return;
            }
            if (now.left() == left) {
                return;
            }
            giveUp(known, now.left());
            left = now.left();
            parts.ended().gaveUp(known, left);
        }
    }

    /** What is in the way of one is not in the way of the others. */
    private void giveUp(KnownAllocation known, Left left) throws InterruptedException {
        List<Path> gone = new ArrayList<>(directory.allButLogs(known.tasks().keySet()));
        if (left == Left.NOTHING) {
            gone.add(directory.logs());
        }
        for (int tries = 0; !gone.isEmpty() && tries < TRIES; tries++) {
            if (tries > 0) {
                UntilDone.pause(parts.tasks(), tries - 1);
            }
            List<Path> kept = new ArrayList<>();
            for (Path path : gone) {
                try {
                    parts.clearing().clear(path);
                } catch (Trouble trouble) {
                    kept.add(path);
                    LOG.warn("allocation {}, which has ended, keeps files: {}", known.allocId(), trouble.reason());
                }
            }
            gone = kept;
        }
    }

    /** Removes what is left of it. */
    private void remove() throws InterruptedException {
        KnownAllocation known = diary.known();
        parts.ended().leaves(known);
        for (int failures = 0; ; failures++) {
            try {
                parts.clearing().clear(directory.root());
                store.remove(known.allocId());
                parts.users().giveBack(known.allocId());
                return;
            } catch (Trouble trouble) {
                LOG.warn("allocation {} cannot be removed yet: {}", known.allocId(), trouble.reason());
                UntilDone.pause(parts.tasks(), failures);
            }
        }
    }
}
