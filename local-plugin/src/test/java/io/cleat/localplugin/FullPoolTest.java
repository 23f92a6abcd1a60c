package io.cleat.localplugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.cleat.csi.v1.ListVolumesRequest;
import io.cleat.kernel.Mounts;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A pool whose disk fills up refuses, loses nothing, lets go, and goes on when there is room. */
class FullPoolTest {
    @TempDir
    Path directory;

    @BeforeEach
    void aSmallDisk() throws Exception {
        Ground.needsImages();
        Path pool = Files.createDirectory(directory.resolve("pool"));
        Mounts.linux().mount("pool", pool, "tmpfs", Set.of(), "size=24m,mode=0700");
    }

    @AfterEach
    void takeItAway() throws Exception {
        new Ground(directory).clear();
    }

    private static void fill(Path file) throws IOException {
        try (OutputStream rest = Files.newOutputStream(file)) {
            byte[] block = new byte[1 << 12];
            while (true) {
                rest.write(block);
            }
        } catch (IOException full) {
            if (!String.valueOf(full.getMessage()).contains("No space left")) {
                throw full;
            }
        }
    }

    @Test
    void aFullPoolRefusesAndGoesOnWhenThereIsRoom() throws Exception {
        try (Served served = new Served(directory)) {
            Caller caller = served.caller();
            Path staging = served.staging("v");
            Path target = served.target("v");
            String id = caller.create("v", VolumeType.DIRECTORY, 0);
            caller.stage(id, staging, Caller.WRITER);
            caller.publish(id, staging, target, Caller.WRITER);
            Files.writeString(target.resolve("kept"), "kept");
            fill(target.resolve("rest"));
            for (VolumeType type : VolumeType.values()) {
                StatusRuntimeException refused =
                        assertThrows(StatusRuntimeException.class, () -> caller.create("w-" + type.word(), type, 0));
                assertEquals(
                        Status.Code.RESOURCE_EXHAUSTED, refused.getStatus().getCode(), () -> String.valueOf(refused));
            }
            caller.unpublish(id, target);
            caller.unstage(id, staging);
            StatusRuntimeException refused = assertThrows(StatusRuntimeException.class, () -> caller.snapshot("s", id));
            assertEquals(Status.Code.RESOURCE_EXHAUSTED, refused.getStatus().getCode(), () -> String.valueOf(refused));
            assertEquals(List.of(), new Ground(directory).entries("pool/snapshots"));
            assertEquals(
                    1,
                    caller.controller()
                            .listVolumes(ListVolumesRequest.getDefaultInstance())
                            .getEntriesCount());
            Path data = directory.resolve("pool/volumes").resolve(id).resolve("data");
            assertEquals("kept", Files.readString(data.resolve("kept")));
            caller.delete(id);
            String next = caller.create("w", VolumeType.EXT4, 16 * Sizes.MIB);
            caller.stage(next, staging, Caller.WRITER);
            caller.unstage(next, staging);
            caller.delete(next);
        }
    }
}
