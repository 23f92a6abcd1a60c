package io.cleat.agent.volumes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.agent.task.BoundVolumes;
import io.cleat.agent.task.VolumeBinds;
import io.cleat.base.Deadline;
import io.cleat.base.SystemTime;
import io.cleat.base.Trouble;
import io.cleat.kernel.MountTable;
import io.cleat.kernel.Mounts;
import io.cleat.kernel.Place;
import io.cleat.model.BlockedBy;
import io.cleat.model.MountLoss;
import io.cleat.model.NodeEvent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Drivers that mount anew, or unmount, by themselves what a process of theirs has held. */
class SelfMendingDriverTest extends OnGround {
    private static final int FILES = 19;

    private final List<String> lost = new ArrayList<>();
    private final Users users = new Users();

    SelfMendingDriverTest() throws Exception {
        super(Ground.holding());
    }

    private void look() throws InterruptedException {
        ground.watch.look(users);
    }

    private void policy(MountLoss policy) {
        ground.onMountLoss = policy;
        ground.appear();
    }

    private List<String> told() {
        return ground.news.node.stream()
                .map(NodeEvent::message)
                .filter(message -> message.startsWith("Mount ") && !message.equals("Mount volume"))
                .toList();
    }

    private BlockedBy broken(String alloc) {
        return ground.volumes.broken(alloc, "data").orElseThrow();
    }

    private static void write(Path directory, String prefix) throws IOException {
        for (int i = 0; i < FILES; i++) {
            try (FileChannel file = FileChannel.open(
                    directory.resolve(prefix + i), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                file.write(ByteBuffer.wrap(prefix.getBytes(StandardCharsets.UTF_8)));
                file.force(true);
            }
        }
    }

    private static List<String> files(Path directory) throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.map(path -> String.valueOf(path.getFileName())).sorted().toList();
        }
    }

    /** Who uses the mounts: nobody sees another but by what a test shows. */
    private final class Users implements MountWatch.Users {
        private @Nullable VolumeBinds binds;
        private boolean isolated;
        private Path task = Path.of("/");

        @Override
        public boolean mountLost(String allocId, String alias, MountLoss policy) {
            lost.add(allocId + " " + alias + " " + policy);
            return true;
        }

        @Override
        public boolean seesOther(String allocId, String alias) {
            VolumeBinds shown = binds;
            if (shown == null) {
                return false;
            }
            try {
                return isolated ? shown.holdsOther(published(), task, 0) : shown.bindsOther(published(), task, "/data");
            } catch (Trouble unknown) {
                throw new AssertionError(unknown);
            }
        }

        private VolumeBinds.Published published() {
            return new VolumeBinds.Published(
                    ground.volumes.published("a1", "data").orElseThrow().path(), false);
        }

        /** Shows a task what is published now, and says where it is seen. */
        Path show() throws Exception {
            if (binds == null) {
                Path allocations = Files.createDirectory(ground.directory.resolve("alloc"));
                Path own = Files.createDirectory(ground.directory.resolve("held"));
                task = Files.createDirectories(allocations.resolve("a1/t"));
                binds = new BoundVolumes(
                        new BoundVolumes.Roots(allocations, own, ground.root.path()),
                        ground.workers::of,
                        MountTable::read,
                        new SystemTime());
            }
            if (!isolated) {
                return binds.bind(published(), task, "/data", false).path();
            }
            binds.hold(published(), task, 0, Mounts.Spread.PRIVATE, Optional.empty());
            return binds.held(task, 0);
        }

        void hide() throws Exception {
            Objects.requireNonNull(binds).unbindAll(Objects.requireNonNull(task.getParent()));
        }
    }

    /** The plugin's mount was looked at, and not what the task has: it kept the dead one. */
    @Test
    void aDriverThatMountsAnewByItself_isToldAndItsTasksAreShownTheNewMount() throws Exception {
        policy(MountLoss.REMOUNT);
        Path target = ground.publish("a1", "ext-1", Ground.SINGLE).path();
        Path seen = users.show();
        Files.writeString(seen.resolve("f"), "kept");
        look();
        assertEquals(List.of(), told());
        ground.fuse().heal();
        ground.plugin.clearCalls();
        look();
        look();
        assertEquals(List.of("Mount replaced"), told());
        assertEquals(List.of("a1 data REMOUNT"), lost);
        assertTrue(
                broken("a1").holder().contains("which was replaced"),
                broken("a1").holder());
        assertThrows(IOException.class, () -> Files.readString(seen.resolve("f")));

        ground.volumes.remount(Ground.claim("a1", "ext-1", Ground.SINGLE), ground.told);
        assertEquals(seen, users.show());
        assertEquals(List.of(), ground.calls(), "what the plugin mounted is good");
        assertEquals("kept", Files.readString(seen.resolve("f")));
        assertEquals("kept", Files.readString(target.resolve("f")));
        look();
        assertEquals(List.of("Mount replaced", "Mount restored"), told());
        assertEquals(Optional.empty(), ground.volumes.broken("a1", "data"));
        users.hide();
        ground.unpublish("a1");
        ground.assertNothingLeft();
    }

    @Test
    void aDriverThatMountsAnewByItself_isToldOfATaskWithFilesOfItsOwn() throws Exception {
        policy(MountLoss.RESTART_TASKS);
        ground.publish("a1", "ext-1", Ground.SINGLE);
        users.isolated = true;
        users.show();
        look();
        ground.fuse().heal();
        look();
        look();
        assertEquals(List.of("Mount replaced"), told());
        assertEquals(List.of("a1 data RESTART_TASKS"), lost);
        users.show();
        look();
        assertEquals("Mount restored", told().getLast());
        users.hide();
        ground.unpublish("a1");
        ground.assertNothingLeft();
    }

    /** Root too, as most plugins are, wrote to the node's own disk where the volume was gone. */
    @Test
    void whereAStagingHasDied_nobodyWritesBelowIt() throws Exception {
        Path probe = Files.createDirectory(ground.directory.resolve("probe"));
        Place place = Place.of(ground.directory, probe);
        Deadline soon = Deadline.in(new SystemTime(), SOON);
        Assumptions.assumeTrue(
                ground.workers.of("test").seal(place, soon),
                "reason: the file system of temporary directories has no immutable directories");
        ground.workers.of("test").unseal(place, soon);

        policy(MountLoss.ALERT);
        ground.publish("a1", "ext-1", Ground.SINGLE);
        Path staging = ground.staging("ext-1-name");
        ground.fuse().dieUnmounting("ext-1");
        assertThrows(IOException.class, () -> Files.createFile(staging.resolve("f")));
        ground.unpublish("a1");
        ground.assertNothingLeft();
        // What a plugin does with a directory that it is to stage at, it can do once more.
        ground.publish("a2", "ext-1", Ground.SINGLE);
        ground.unpublish("a2");
        ground.assertNothingLeft();
    }

    /**
     * A claim was told "published", had the bare directory at which nothing was staged any more, and its driver cleared
     * that later: 38 files were gone.
     */
    @Test
    void aDriverWhoseHelperUnmountsItsStagingAsItDies_losesNoFile() throws Exception {
        policy(MountLoss.REMOUNT);
        Path first = ground.publish("a1", "ext-1", Ground.SHARED).path();
        write(first, "before-");
        ground.fuse().dieUnmounting("ext-1");
        AtomicReference<Object> end = new AtomicReference<>();
        Thread joining = publishing("a2", "ext-1", Ground.SHARED, end);
        // The driver keeps in mind that it has staged, and says OK.
        ground.told.await("where it had mounted");
        look();
        assertEquals(List.of("a1 data REMOUNT"), lost);
        ground.volumes.remount(Ground.claim("a1", "ext-1", Ground.SHARED), ground.told);
        join(joining);
        Path second = ((Publication) end.get()).path();
        write(first, "one-");
        write(second, "two-");
        assertEquals(0, ground.fuse().clearBare(), "nothing was written where nothing is mounted");

        ground.fuse().dieUnmounting("ext-1");
        ground.unpublish("a1");
        ground.unpublish("a2");
        assertEquals(0, ground.fuse().clearBare());
        Path third = ground.publish("a3", "ext-1", Ground.SHARED).path();
        assertEquals(3 * FILES, files(third).size());
        assertEquals(files(ground.fuse().files("ext-1")), files(third));
        ground.unpublish("a3");
        ground.assertNothingLeft();
    }

    /** As SeaweedFS's, whose helper was killed with its mounts: "device or resource busy", for ever. */
    @Test
    void aDeadStagingThatItsDriverCannotTakeAway_isDetachedByTheAgent() throws Exception {
        policy(MountLoss.REMOUNT);
        Path first = ground.publish("a1", "ext-1", Ground.SINGLE).path();
        Files.writeString(first.resolve("f"), "kept");
        ground.fuse().killWithHelper();
        ground.unpublish("a1");
        assertEquals(
                1,
                ground.news.volume.stream()
                        .filter(event -> event.message().contains("which is dead: the agent detached it"))
                        .count());
        ground.assertNothingLeft();
        Path again = ground.publish("a2", "ext-1", Ground.SINGLE).path();
        assertEquals("kept", Files.readString(again.resolve("f")));
        ground.fuse().killWithHelper();
        ground.volumes.remount(Ground.claim("a2", "ext-1", Ground.SINGLE), ground.told);
        assertEquals("kept", Files.readString(again.resolve("f")));
        ground.fuse().killWithHelper();
        ground.unpublish("a2");
        ground.assertNothingLeft();
    }
}
