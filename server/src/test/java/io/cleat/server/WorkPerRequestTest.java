package io.cleat.server;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.cleat.base.Secrets;
import io.cleat.model.JobId;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.NodeFacts;
import io.cleat.model.PluginInstance;
import io.cleat.model.Resources;
import io.cleat.server.decide.Cluster;
import io.cleat.wire.ToServer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What one registration of a volume costs, and one of a job until its allocation is placed, counted and not timed:
 * flushes of the log, bytes in it, versions, bytes of heap; and that it costs the same beside many. Who makes it cost
 * more on purpose raises the bound here, and says in docs/bench.md what that buys.
 */
final class WorkPerRequestTest {
    private static final int COUNTED = 200;
    private static final int MANY = 3_000;
    private static final int COUNTED_JOBS = 30;
    private static final int MANY_JOBS = 200;
    private static final int CALLERS = 16;
    private static final ThreadMXBean THREADS = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

    @TempDir
    Path directory;

    private ServerWorld world;
    private FakeAgent agent;
    private int registered;
    private int placed;

    /** What so many registrations took, one after the other. */
    private record Work(long flushes, long logBytes, long versions, long heapBytes) {}

    @BeforeEach
    void open() throws Exception {
        world = new ServerWorld(directory);
        NodeFacts node = Samples.node("n1", Set.of());
        agent = world.connect(
                "secret",
                FactsDraft.of(node)
                        .plugins(List.of(withoutController(node.plugins().getFirst())))
                        .done());
        world.until("the node", image -> image.nodes().size() == 1);
    }

    /** So that nobody is asked whether the volume is there. */
    private static PluginInstance withoutController(PluginInstance from) {
        return new PluginInstance(
                from.pluginId(),
                from.allocId(),
                from.healthy(),
                from.healthDescription(),
                from.provider(),
                from.version(),
                false,
                from.requiresTopologies(),
                from.updatedAt(),
                null,
                from.node());
    }

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void aRegistrationIsOneFlush_andCostsTheSameBesideManyVolumes() throws Exception {
        // Classes are loaded, and what is rendered once is there.
        register(COUNTED);
        Work few = counted(() -> register(COUNTED));
        beside(MANY, number -> registerVolume("beside-%06d".formatted(number)));
        Work many = counted(() -> register(COUNTED));
        assertBounded(few, many, COUNTED, new Work(1, 900, 1, 48_000));
    }

    @Test
    void aJobIsPlacedByOneMoreDecision_andCostsTheSameBesideManyJobs() throws Exception {
        place(150);
        Work few = counted(() -> place(COUNTED_JOBS));
        beside(MANY_JOBS, number -> {
            agent.say(new ToServer.Heartbeat(number));
            registerJob("beside-%06d".formatted(number));
        });
        world.until("all are placed", image -> image.allocations().size() == placed + MANY_JOBS);
        Work many = counted(() -> place(COUNTED_JOBS));
        assertBounded(few, many, COUNTED_JOBS, new Work(2, 4_000, 2, 330_000));
    }

    /** @param most what one may take; the log has now and then an entry of the server's own too */
    private static void assertBounded(Work few, Work many, int count, Work most) {
        int ofServer = count / 10;
        for (Work work : List.of(few, many)) {
            assertTrue(work.flushes() <= count * most.flushes() + ofServer, work::toString);
            assertTrue(work.versions() <= count * most.versions() + ofServer, work::toString);
            assertTrue(work.logBytes() <= count * most.logBytes(), work::toString);
            assertTrue(work.heapBytes() <= count * most.heapBytes(), work::toString);
        }
        assertTrue(many.logBytes() <= few.logBytes() * 11 / 10, few + " " + many);
        assertTrue(many.heapBytes() <= few.heapBytes() * 13 / 10, few + " " + many);
    }

    /** Registers so many jobs of one small allocation, each once that of the one before is placed. */
    private void place(int count) throws Exception {
        for (int i = 0; i < count; i++) {
            placed++;
            // On a busy machine this takes longer than a node may be silent.
            agent.say(new ToServer.Heartbeat(placed));
            JobId job = registerJob("job-%06d".formatted(placed));
            world.until("its allocation", image -> !image.allocationsOfJob(job).isEmpty());
        }
    }

    private JobId registerJob(String id) throws Exception {
        JobSpec job = Cluster.sized(Cluster.job(id, JobType.SERVICE, 1), new Resources(1, 1, 0));
        world.requests().jobs().register(job, null, null, 0, world.asked());
        return job.id();
    }

    @FunctionalInterface
    private interface Making {
        void make(int number) throws Exception;
    }

    /** What others are counted beside: one after the other they would wait for each other's flushes. */
    private void beside(int count, Making making) throws Exception {
        try (ExecutorService callers = Executors.newFixedThreadPool(CALLERS)) {
            List<Future<Integer>> made = new ArrayList<>();
            for (int i = 1; i <= count; i++) {
                int number = i;
                made.add(callers.submit(() -> {
                    making.make(number);
                    return number;
                }));
            }
            for (Future<Integer> each : made) {
                each.get();
            }
        }
    }

    @FunctionalInterface
    private interface Working {
        void run() throws Exception;
    }

    private Work counted(Working working) throws Exception {
        Work before = now();
        long heap = THREADS.getTotalThreadAllocatedBytes();
        working.run();
        heap = THREADS.getTotalThreadAllocatedBytes() - heap;
        Work after = now();
        return new Work(
                after.flushes() - before.flushes(),
                after.logBytes() - before.logBytes(),
                after.versions() - before.versions(),
                heap);
    }

    /** All but the heap, which looking at files takes much of. */
    private Work now() throws Exception {
        long bytes = 0;
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(WorkPerRequestTest::isSegment).toList()) {
                bytes += written(file);
            }
        }
        return new Work(
                world.server().status().commit().log().flushes(),
                bytes,
                world.image().version(),
                0);
    }

    private static boolean isSegment(Path file) {
        return file.getFileName().toString().startsWith("log_");
    }

    /** Without the zeros that are written ahead. */
    private static long written(Path segment) throws IOException {
        byte[] bytes = Files.readAllBytes(segment);
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] == 0) {
            end--;
        }
        return end;
    }

    private void register(int count) throws Exception {
        for (int i = 0; i < count; i++) {
            registered++;
            registerVolume("volume-%06d".formatted(registered));
        }
    }

    private void registerVolume(String id) throws Exception {
        world.requests().volumes().register(Samples.volume(id), Secrets.none(), world.asked());
    }
}
