package io.cleat.agent.alloc;

import io.cleat.agent.alloc.KeptFiles.Left;
import io.cleat.base.BackOff;
import io.cleat.base.Trouble;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an allocation is once nothing of it runs or is mounted: files, which give way to what is
 * newer, its logs last, and are removed when the server wants no more of it.
 */
final class EndedAllocation {
    private static final Logger LOG = LoggerFactory.getLogger(EndedAllocation.class);
    private static final BackOff AGAIN =
            new BackOff(Duration.ofMillis(200), Duration.ofSeconds(30));

    /** Of what is to give way; it is tried once more when all of it goes. */
    private static final int TRIES = 3;

    private final AllocationDiary diary;
    private final AllocationDirectory directory;
    private final AllocationParts parts;
    private final AllocationStore store;

    EndedAllocation(
            AllocationDiary diary,
            AllocationDirectory directory,
            AllocationParts parts,
            AllocationStore store) {
        this.diary = diary;
        this.directory = directory;
        this.parts = parts;
        this.store = store;
    }

    /** Returns once the server wants no more of it. */
    void stay() throws InterruptedException {
        KnownAllocation known = diary.known();
        parts.ended().ended(known, diary::keep);
        Left left = Left.ALL;
        while (true) {
            Left before = left;
            AllocationDiary.Sight now =
                    diary.await(sight -> sight.isUnwanted() || sight.left() != before);
            if (now.isUnwanted()) {
                return;
            }
            left = now.left();
            giveUp(known, left);
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
                parts.tasks().time().sleep(AGAIN.wait(tries - 1, parts.tasks().chance()));
            }
            List<Path> kept = new ArrayList<>();
            for (Path path : gone) {
                try {
                    parts.clearing().clear(path);
                } catch (Trouble trouble) {
                    kept.add(path);
                    LOG.warn(
                            "allocation {}, which has ended, keeps files: {}",
                            known.allocId(),
                            trouble.reason());
                }
            }
            gone = kept;
        }
    }

    /** Removes what is left of it. */
    void remove() throws InterruptedException {
        KnownAllocation known = diary.known();
        parts.ended().leaves(known);
        for (int failures = 0; ; failures++) {
            try {
                parts.clearing().clear(directory.root());
                store.remove(known.allocId());
                parts.users().giveBack(known.allocId());
                return;
            } catch (Trouble trouble) {
                LOG.warn(
                        "allocation {} cannot be removed yet: {}",
                        known.allocId(),
                        trouble.reason());
                parts.tasks().time().sleep(AGAIN.wait(failures, parts.tasks().chance()));
            }
        }
    }
}
