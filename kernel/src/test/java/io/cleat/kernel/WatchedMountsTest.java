package io.cleat.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Deadline;
import io.cleat.base.KernelTrouble;
import io.cleat.base.SystemTime;
import io.cleat.base.Time;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchedMountsTest {
    private static final int TURNS = 50;

    private static final int LOOKS = 1000;

    private final Mounts mounts = Mounts.linux();

    @TempDir
    Path temporary;

    /** A clock that is set forward by hand. */
    private static final class SetTime implements Time {
        private final SystemTime system = new SystemTime();
        private long nanos;

        @Override
        public Instant now() {
            return system.now();
        }

        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public void sleep(Duration duration) throws InterruptedException {
            system.sleep(duration);
        }

        @Override
        public boolean await(Condition condition, Deadline deadline) throws InterruptedException {
            return system.await(condition, deadline);
        }
    }

    private final SetTime time = new SetTime();

    @AfterEach
    void leaveNothing() throws Exception {
        for (Mount mount :
                MountTable.readTwice().atOrBelow(temporary.toRealPath()).reversed()) {
            mounts.detach(Path.of(mount.target()));
        }
    }

    @Test
    void whatWasMountedOrUnmountedIsSeenAtOnce() throws Exception {
        Root.required("mounting");
        Path root = temporary.toRealPath();
        Path target = Files.createDirectory(root.resolve("target"));
        try (WatchedMounts watched = WatchedMounts.open(time)) {
            for (int i = 0; i < TURNS; i++) {
                assertEquals(Optional.empty(), watched.whole().at(target));
                mounts.bind(root, target);
                assertTrue(watched.whole().at(target).isPresent());
                mounts.remountReadOnly(target);
                assertTrue(watched.whole().at(target).orElseThrow().isReadOnly());
                assertTrue(mounts.unmount(target));
            }
        }
    }

    @Test
    void whatHasNotChangedIsNotReadAgain() throws Exception {
        try (WatchedMounts watched = WatchedMounts.open(time)) {
            Set<MountTable> read = Collections.newSetFromMap(new IdentityHashMap<>());
            for (int i = 0; i < LOOKS; i++) {
                read.add(watched.whole());
            }
            // Others on the machine mount too, now and then.
            assertTrue(read.size() < LOOKS / 2, read.size() + " readings");
        }
    }

    @Test
    void whatTheKernelDoesNotTellIsSeenAfterASecond() throws Exception {
        try (WatchedMounts watched = WatchedMounts.open(time)) {
            MountTable before = watched.whole();
            time.nanos += Duration.ofMillis(1100).toNanos();
            assertNotSame(before, watched.whole());
        }
    }

    /** Who looks for a change every few seconds read and parsed the whole table each time. */
    @Test
    void whoLooksSeldom_readsAgainOnlyWhatHasChanged() throws Exception {
        Root.required("mounting");
        Path root = temporary.toRealPath();
        Path target = Files.createDirectory(root.resolve("target"));
        Duration oldest = Duration.ofMinutes(1);
        try (WatchedMounts watched = WatchedMounts.open(time)) {
            Set<MountTable> read = Collections.newSetFromMap(new IdentityHashMap<>());
            for (int i = 0; i < LOOKS; i++) {
                read.add(watched.whole(oldest));
                time.nanos += Duration.ofMillis(50).toNanos();
            }
            // Others on the machine mount too, now and then.
            assertTrue(read.size() < LOOKS / 2, read.size() + " readings");
            mounts.bind(root, target);
            assertTrue(watched.whole(oldest).at(target).isPresent());
            assertTrue(mounts.unmount(target));
            MountTable before = watched.whole(oldest);
            assertEquals(Optional.empty(), before.at(target));
            time.nanos += Duration.ofSeconds(61).toNanos();
            assertNotSame(before, watched.whole(oldest));
        }
    }

    @Test
    void nobodyLooksAfterTheEnd() throws Exception {
        WatchedMounts watched = WatchedMounts.open(time);
        watched.close();
        watched.close();
        KernelTrouble trouble = assertThrows(KernelTrouble.class, watched::whole);
        assertEquals("the mount table is not watched any more, as the agent ends", trouble.reason());
    }
}
