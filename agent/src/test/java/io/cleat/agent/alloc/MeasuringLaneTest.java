package io.cleat.agent.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.kernel.PathWorkers;
import io.cleat.kernel.TreeMeasure;
import io.cleat.kernel.TreeSize;
import io.cleat.model.EphemeralDisk;
import io.cleat.testkit.ShimProgram;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Directories that are all to be measured at once. */
class MeasuringLaneTest {
    private static final EphemeralDisk DISK = new EphemeralDisk(300, false, false);

    @TempDir
    Path temporary;

    private static AllocationDirectory made(Path all, int number) throws Exception {
        AllocationDirectory directory = AllocationDirectory.of(all, "a" + number);
        directory.make(false);
        for (int i = 0; i < 100 * number; i++) {
            Files.createFile(directory.shared().resolve("data/" + i));
        }
        Files.write(directory.logs().resolve("t.stdout.0"), new byte[1 << 20]);
        return directory;
    }

    @Test
    void eachIsMeasuredForItself_withoutItsLogs() throws Exception {
        Path all = temporary.toRealPath().resolve("alloc");
        SystemTime time = new SystemTime();
        List<Callable<TreeSize>> asked = new ArrayList<>();
        List<Integer> expected = new ArrayList<>();
        try (PathWorkers workers = new PathWorkers(ShimProgram.built(), Threads.virtual((where, fault) -> {}), time);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            MeasuringLane lane = new MeasuringLane(new TreeMeasure(workers, "measuring"), all, time);
            for (int number = 1; number <= 8; number++) {
                AllocationDirectory directory = made(all, number);
                asked.add(() -> lane.measure(directory, DISK).size());
                // Beside the files: alloc, data, tmp, logs.
                expected.add(100 * number + 4);
            }
            List<Long> found = new ArrayList<>();
            for (Future<TreeSize> each : threads.invokeAll(asked)) {
                TreeSize size = each.get();
                assertTrue(size.isWhole());
                assertTrue(size.bytes() < 1 << 20, size.toString());
                found.add(size.files());
            }
            assertEquals(expected.stream().map(Long::valueOf).toList(), found);
            assertEquals(0, workers.hanging("measuring"));
        }
    }
}
