package io.cleat.localplugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.csi.v1.ListSnapshotsRequest;
import io.cleat.csi.v1.ListVolumesRequest;
import io.grpc.StatusRuntimeException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The plugin's process is killed during each call, at a moment; which, the seed says. After a new start the volume is
 * there whole or not at all, the same call succeeds, and at the end nothing is left. The process that finishes a call
 * is the one that is killed during the next.
 *
 * <p>{@code -Dcleat.points=all} tries all moments, {@code -Dcleat.seed=N} those of another run.
 */
class KillTest {
    private static final int[] MOMENTS_MILLIS = {0, 3, 12};
    private static final boolean ALL = "all".equals(System.getProperty("cleat.points"));
    private static final long SEED = Long.getLong("cleat.seed", System.nanoTime() >>> 1);
    private static final Random CHOICE = new Random(SEED);

    @TempDir
    Path directory;

    private @Nullable Plugin running;

    private final Map<VolumeType, String> ids = new ConcurrentHashMap<>();
    private List<VolumeType> types = List.of(VolumeType.DIRECTORY, VolumeType.EXT4, VolumeType.BLOCK);

    @BeforeEach
    void volumesCanBeMounted() {
        System.out.println("moments of kills, seed " + SEED);
        Ground.needsImages();
    }

    /** A process of the plugin, and who calls it. */
    private record Plugin(PluginProcess process, Caller caller) {}

    private Plugin plugin() throws Exception {
        Plugin there = running;
        if (there == null) {
            there = new Plugin(new PluginProcess(directory), new Caller(Served.socket(directory)));
            running = there;
        }
        return there;
    }

    private void kill() {
        if (running != null) {
            running.process().kill();
            running.caller().close();
            running = null;
        }
    }

    @AfterEach
    void takeTheRestAway() throws Exception {
        kill();
        new Ground(directory).clear();
    }

    private String id(VolumeType type) {
        return ids.getOrDefault(type, "");
    }

    private void create(Caller caller, VolumeType type) {
        ids.put(type, caller.create(type.word(), type, type.least()));
    }

    private Path staging(VolumeType type) {
        return directory.resolve("staging").resolve(type.word());
    }

    private Path target(VolumeType type) {
        return directory.resolve("targets").resolve(type.word());
    }

    private void prepare() throws Exception {
        for (VolumeType type : types) {
            Files.createDirectories(staging(type));
        }
        Files.createDirectories(directory.resolve("targets"));
    }

    @Test
    void eachCallForthIsFinishedByRepeatingItAfterAKill() throws Exception {
        prepare();
        survive(this::create, (caller, type) -> caller.delete(id(type)));
        survive(
                (caller, type) -> caller.attach(id(type), Caller.writer(type), false),
                (caller, type) -> caller.detach(id(type)));
        survive(
                (caller, type) -> caller.stage(id(type), staging(type), Caller.writer(type)),
                (caller, type) -> caller.unstage(id(type), staging(type)));
        survive(
                (caller, type) -> caller.publish(id(type), staging(type), target(type), Caller.writer(type)),
                (caller, type) -> caller.unpublish(id(type), target(type)));
        for (VolumeType type : types) {
            Content.write(type, target(type), type.word());
        }
        kill();
        for (VolumeType type : types) {
            assertEquals(type.word(), Content.read(type, target(type)));
        }
    }

    @Test
    void eachCallBackIsFinishedByRepeatingItAfterAKill() throws Exception {
        prepare();
        each(this::create);
        each((caller, type) -> caller.attach(id(type), Caller.writer(type), false));
        each((caller, type) -> caller.stage(id(type), staging(type), Caller.writer(type)));
        each((caller, type) -> caller.publish(id(type), staging(type), target(type), Caller.writer(type)));
        survive(
                (caller, type) -> caller.unpublish(id(type), target(type)),
                (caller, type) -> caller.publish(id(type), staging(type), target(type), Caller.writer(type)));
        survive(
                (caller, type) -> caller.unstage(id(type), staging(type)),
                (caller, type) -> caller.stage(id(type), staging(type), Caller.writer(type)));
        survive(
                (caller, type) -> caller.detach(id(type)),
                (caller, type) -> caller.attach(id(type), Caller.writer(type), false));
        survive((caller, type) -> caller.delete(id(type)), this::create);
        for (VolumeType type : types) {
            assertFalse(Files.exists(target(type)));
            assertTrue(Files.isDirectory(staging(type)));
        }
        kill();
        plugin();
        new Ground(directory).assertNothingLeft();
    }

    @Test
    void copiesAndGrowthOfVolumesInUseAreFinishedByRepeatingThemAfterAKill() throws Exception {
        types = List.of(VolumeType.EXT4, VolumeType.XFS);
        prepare();
        each(this::create);
        each((caller, type) -> caller.stage(id(type), staging(type), Caller.WRITER));
        survive(
                (caller, type) -> caller.snapshot("s " + type, id(type)),
                (caller, type) -> deleteSnapshots(caller, id(type)));
        for (VolumeType type : types) {
            // A file system that was left frozen would hold its writers for ever.
            Content.write(type, staging(type), type.word());
        }
        survive((caller, type) -> caller.expand(id(type), 320 * Sizes.MIB), (caller, type) -> {});
        assertEquals(
                types.size(), new Ground(directory).entries("pool/snapshots").size());
        each((caller, type) -> deleteSnapshots(caller, id(type)));
        each((caller, type) -> caller.unstage(id(type), staging(type)));
        each((caller, type) -> caller.delete(id(type)));
        new Ground(directory).assertNothingLeft();
    }

    private static void deleteSnapshots(Caller caller, String volume) {
        caller.controller()
                .listSnapshots(ListSnapshotsRequest.newBuilder()
                        .setSourceVolumeId(volume)
                        .build())
                .getEntriesList()
                .forEach(entry -> caller.deleteSnapshot(entry.getSnapshot().getSnapshotId()));
    }

    private static int[] moments() {
        return ALL ? MOMENTS_MILLIS : new int[] {MOMENTS_MILLIS[CHOICE.nextInt(MOMENTS_MILLIS.length)]};
    }

    /**
     * Kills the plugin at moments of {@code call}; the next process repeats it, and undoes it by {@code undo} for the
     * next moment.
     */
    private void survive(BiConsumer<Caller, VolumeType> call, BiConsumer<Caller, VolumeType> undo) throws Exception {
        int[] moments = moments();
        for (int moment = 0; moment < moments.length; moment++) {
            Caller caller = plugin().caller();
            if (moment > 0) {
                each(call);
                each(undo);
            }
            Thread calling = Thread.ofVirtual().start(() -> quietly(caller, call));
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(moments[moment]));
            kill();
            calling.join();
        }
        int listed = plugin().caller()
                .controller()
                .listVolumes(ListVolumesRequest.getDefaultInstance())
                .getEntriesCount();
        assertTrue(listed <= types.size(), () -> "volumes: " + listed);
        assertEquals(listed, new Ground(directory).entries("pool/volumes").size());
        each(call);
    }

    private void each(BiConsumer<Caller, VolumeType> call) throws Exception {
        for (VolumeType type : types) {
            call.accept(plugin().caller(), type);
        }
    }

    private void quietly(Caller caller, BiConsumer<Caller, VolumeType> call) {
        try {
            for (VolumeType type : types) {
                call.accept(caller, type);
            }
        } catch (StatusRuntimeException killed) {
            // The call that the kill cut off; what it did is looked at afterwards.
        }
    }
}
