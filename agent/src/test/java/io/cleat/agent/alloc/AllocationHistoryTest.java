package io.cleat.agent.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.agent.task.OwnUser;
import io.cleat.agent.task.RestartCount;
import io.cleat.agent.task.TaskRecord;
import io.cleat.base.DiskTrouble;
import io.cleat.driver.TaskHandle;
import io.cleat.model.AllocAddress;
import io.cleat.model.AllocHealth;
import io.cleat.model.AllocatedPort;
import io.cleat.model.DesiredStatus;
import io.cleat.model.JobSpec;
import io.cleat.model.TaskEvent;
import io.cleat.model.TaskState;
import io.cleat.model.VolumeId;
import io.cleat.testkit.FullJob;
import io.cleat.testkit.History;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of an allocation, with the handles of its tasks: what earlier programs wrote is read. */
final class AllocationHistoryTest {
    private static final History HISTORY = new History("agent");
    private static final Instant AT = Instant.parse("2026-11-21T06:00:00.000000001Z");

    @TempDir
    Path directory;

    @Test
    void theAllocationOfVersion1IsRead() throws IOException, DiskTrouble {
        AllocationStore store = new AllocationStore(directory);
        store.put(expected());
        Path file = directory.resolve("a-1.allocation");
        Files.write(file, HISTORY.sample("allc-1", Files.readAllBytes(file)));
        assertEquals(List.of("a-1"), store.names());
        assertEquals(expected(), store.read("a-1"));
    }

    @Test
    void theAllocationOfVersion2IsRead() throws IOException, DiskTrouble {
        isRead("a-2", FullJob.specOfVersion2(), "allc-2");
    }

    @Test
    void theAllocationOfVersion3IsRead() throws IOException, DiskTrouble {
        for (OwnUser user : List.of(new OwnUser(70_123, ""), new OwnUser(0, "volume: why"))) {
            KnownAllocation three = expected().as(user);
            AllocationStore store = new AllocationStore(directory);
            store.put(three);
            Path file = directory.resolve("a-1.allocation");
            if (user.id() != 0) {
                Files.write(file, HISTORY.sample("allc-3", Files.readAllBytes(file)));
            }
            assertEquals(three, store.read("a-1"));
        }
    }

    @Test
    void theAllocationOfVersion4IsRead() throws IOException, DiskTrouble {
        isRead("a-4", FullJob.overlapping(), "allc-4");
    }

    @Test
    void theAllocationOfVersion5IsRead() throws IOException, DiskTrouble {
        isRead("a-5", FullJob.owned(), "allc-5");
    }

    @Test
    void theAllocationOfVersion6IsRead() throws IOException, DiskTrouble {
        isRead("a-6", FullJob.child(), AT, "allc-6");
    }

    @Test
    void theAllocationOfVersion7IsRead() throws IOException, DiskTrouble {
        isRead("a-7", FullJob.onHost(), AT, "allc-7");
    }

    @Test
    void theAllocationOfVersion8IsRead() throws IOException, DiskTrouble {
        isRead("a-8", FullJob.networked(), AT, List.of(FullJob.PORT), null, "allc-8");
    }

    @Test
    void theAllocationOfVersion9IsRead() throws IOException, DiskTrouble {
        isRead("a-9", FullJob.serving(), AT, "allc-9");
    }

    @Test
    void theAllocationOfVersion10IsRead() throws IOException, DiskTrouble {
        isRead("a-10", FullJob.scaled(), AT, "allc-10");
    }

    @Test
    void theAllocationOfVersion11IsRead() throws IOException, DiskTrouble {
        isRead(
                "a-11",
                FullJob.networked(),
                AT,
                List.of(FullJob.PORT),
                new AllocAddress("eth0", "172.26.64.2", "fd00::2"),
                "allc-11");
    }

    @Test
    void theAllocationOfVersion12IsRead() throws IOException, DiskTrouble {
        isRead(
                "a-12",
                FullJob.networked(),
                AT,
                List.of(FullJob.PORT),
                new AllocAddress("eth0", "172.26.64.2", "", FullJob.DNS),
                "allc-12");
    }

    @Test
    void theAllocationOfVersion13IsRead() throws IOException, DiskTrouble {
        KnownAllocation placed =
                expected().withTask("main", TaskRecord.NEW.idle(TaskState.PENDING.at(FullJob.DRIVER_NETWORK)));
        AllocationStore store = new AllocationStore(directory);
        store.put(placed);
        Path file = directory.resolve("a-1.allocation");
        Files.write(file, HISTORY.sample("allc-13", Files.readAllBytes(file)));
        assertEquals(placed, store.read("a-1"));
    }

    /** An allocation with a task that was started again, whose health is watched. */
    private void isRead(String id, JobSpec job, String sample) throws IOException, DiskTrouble {
        isRead(id, job, null, sample);
    }

    private void isRead(String id, JobSpec job, @Nullable Instant begunAt, String sample)
            throws IOException, DiskTrouble {
        isRead(id, job, begunAt, List.of(), null, sample);
    }

    private void isRead(
            String id,
            JobSpec job,
            @Nullable Instant begunAt,
            List<AllocatedPort> ports,
            @Nullable AllocAddress address,
            String sample)
            throws IOException, DiskTrouble {
        KnownAllocation one = expected();
        KnownAllocation watched = new KnownAllocation(
                id,
                one.name(),
                one.index(),
                one.evalId(),
                job,
                one.jobVersion(),
                one.group(),
                one.desired(),
                one.volumes(),
                Map.of("server", countedTask()),
                one.ended(),
                one.failure(),
                true,
                AT,
                true,
                new KnownAllocation.Watch("d-1", AT, new AllocHealth("d-1", true, AT)),
                null,
                begunAt,
                ports,
                address);
        AllocationStore store = new AllocationStore(directory);
        store.put(watched);
        Path file = directory.resolve(id + ".allocation");
        Files.write(file, HISTORY.sample(sample, Files.readAllBytes(file)));
        assertEquals(watched, store.read(id));
    }

    private static TaskRecord countedTask() {
        return new TaskRecord(TaskState.PENDING, null, null, new RestartCount(2, AT, AT));
    }

    private static KnownAllocation expected() {
        return new KnownAllocation(
                "a-1",
                "web.front[0]",
                0,
                "e-1",
                FullJob.spec(),
                3,
                "front",
                DesiredStatus.RUN,
                Map.of("data", new VolumeId("default", "shared")),
                Map.of(
                        "server",
                        new TaskRecord(
                                new TaskState(
                                        TaskState.Phase.DEAD,
                                        true,
                                        1,
                                        AT,
                                        AT,
                                        AT,
                                        List.of(new TaskEvent("Started", AT, "m", Map.of("k", "v")))),
                                "run-1",
                                new TaskHandle("raw_exec", "run-1", 1, "a-1-server-run-1"),
                                null),
                        "new",
                        TaskRecord.NEW),
                true,
                "its volume was refused",
                false,
                null,
                false,
                null,
                null,
                null,
                List.of(),
                null);
    }
}
