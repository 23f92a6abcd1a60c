package io.cleat.localplugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.csi.v1.ListVolumesRequest;
import io.grpc.StatusRuntimeException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The plugin's process is killed during each call, at several moments of it. After a new start the
 * volume is there whole or not at all, the same call succeeds, and at the end nothing is left.
 */
class KillTest {
    private static final int[] MOMENTS_MILLIS = {0, 3, 12};

    @TempDir Path directory;
    private final Map<VolumeType, String> ids = new ConcurrentHashMap<>();

    @BeforeEach
    void volumesCanBeMounted() {
        Ground.needsImages();
    }

    @AfterEach
    void takeTheRestAway() throws Exception {
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

    @Test
    void eachCallIsFinishedByRepeatingItAfterAKill() throws Exception {
        for (VolumeType type : VolumeType.values()) {
            Files.createDirectories(staging(type));
        }
        Files.createDirectories(directory.resolve("targets"));
        survive(this::create, (caller, type) -> caller.delete(id(type)));
        survive(
                (caller, type) -> caller.attach(id(type), Caller.writer(type), false),
                (caller, type) -> caller.detach(id(type)));
        survive(
                (caller, type) -> caller.stage(id(type), staging(type), Caller.writer(type)),
                (caller, type) -> caller.unstage(id(type), staging(type)));
        survive(
                (caller, type) ->
                        caller.publish(id(type), staging(type), target(type), Caller.writer(type)),
                (caller, type) -> caller.unpublish(id(type), target(type)));
        for (VolumeType type : VolumeType.values()) {
            Content.write(type, target(type), type.word());
        }
        try (PluginProcess _ = new PluginProcess(directory)) {
            for (VolumeType type : VolumeType.values()) {
                assertEquals(type.word(), Content.read(type, target(type)));
            }
        }
        survive(
                (caller, type) -> caller.unpublish(id(type), target(type)),
                (caller, type) ->
                        caller.publish(id(type), staging(type), target(type), Caller.writer(type)));
        survive(
                (caller, type) -> caller.unstage(id(type), staging(type)),
                (caller, type) -> caller.stage(id(type), staging(type), Caller.writer(type)));
        survive(
                (caller, type) -> caller.detach(id(type)),
                (caller, type) -> caller.attach(id(type), Caller.writer(type), false));
        survive((caller, type) -> caller.delete(id(type)), this::create);
        for (VolumeType type : VolumeType.values()) {
            assertFalse(Files.exists(target(type)));
            assertTrue(Files.isDirectory(staging(type)));
        }
        try (PluginProcess _ = new PluginProcess(directory)) {
            new Ground(directory).assertNothingLeft();
        }
    }

    /**
     * Kills the plugin at each moment of {@code call}; the next process repeats it, and undoes it
     * by {@code undo} for the next moment.
     */
    private void survive(BiConsumer<Caller, VolumeType> call, BiConsumer<Caller, VolumeType> undo)
            throws Exception {
        for (int moment = 0; moment < MOMENTS_MILLIS.length; moment++) {
            try (PluginProcess process = new PluginProcess(directory);
                    Caller caller = new Caller(Served.socket(directory))) {
                if (moment > 0) {
                    each(caller, call);
                    each(caller, undo);
                }
                Thread calling = Thread.ofVirtual().start(() -> quietly(caller, call));
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(MOMENTS_MILLIS[moment]));
                process.kill();
                calling.join();
            }
        }
        try (PluginProcess _ = new PluginProcess(directory);
                Caller caller = new Caller(Served.socket(directory))) {
            int listed =
                    caller.controller()
                            .listVolumes(ListVolumesRequest.getDefaultInstance())
                            .getEntriesCount();
            assertTrue(listed <= VolumeType.values().length, () -> "volumes: " + listed);
            assertEquals(listed, new Ground(directory).entries("pool/volumes").size());
            each(caller, call);
        }
    }

    private static void each(Caller caller, BiConsumer<Caller, VolumeType> call) {
        for (VolumeType type : VolumeType.values()) {
            call.accept(caller, type);
        }
    }

    private static void quietly(Caller caller, BiConsumer<Caller, VolumeType> call) {
        try {
            each(caller, call);
        } catch (StatusRuntimeException killed) {
            // The call that the kill cut off; what it did is looked at afterwards.
        }
    }
}
