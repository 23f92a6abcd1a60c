package io.cleat.server;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.cleat.base.Secrets;
import io.cleat.model.NodeFacts;
import io.cleat.model.PluginInstance;
import io.cleat.state.ClusterState;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What one registration of a volume costs, counted and not timed: flushes of the log, bytes in it, versions, bytes of
 * heap; and that it costs the same beside many volumes. Who makes it cost more on purpose raises the bound here, and
 * says in docs/bench.md what that buys.
 */
@Timeout(120)
final class WorkPerRequestTest {
    private static final int COUNTED = 200;
    private static final int MANY = 3_000;
    private static final ThreadMXBean THREADS = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

    @TempDir
    Path directory;

    private ServerWorld world;
    private int registered;

    /** What so many registrations took, one after the other. */
    private record Work(long flushes, long logBytes, long versions, long heapBytes) {}

    @BeforeEach
    void open() throws Exception {
        world = new ServerWorld(directory);
        NodeFacts node = Samples.node("n1", Set.of());
        world.connect(
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
        Work few = counted();
        register(MANY);
        Work many = counted();
        for (Work work : List.of(few, many)) {
            // The entry, and now and then one of the server's own.
            assertTrue(work.flushes() <= COUNTED + COUNTED / 10, work::toString);
            assertTrue(work.versions() <= COUNTED + COUNTED / 10, work::toString);
            assertTrue(work.logBytes() <= COUNTED * 900L, work::toString);
            assertTrue(work.heapBytes() <= COUNTED * 120_000L, work::toString);
        }
        assertTrue(many.logBytes() <= few.logBytes() * 11 / 10, few + " " + many);
        assertTrue(many.heapBytes() <= few.heapBytes() * 13 / 10, few + " " + many);
    }

    private Work counted() throws Exception {
        Work before = now();
        register(COUNTED);
        Work after = now();
        return new Work(
                after.flushes() - before.flushes(),
                after.logBytes() - before.logBytes(),
                after.versions() - before.versions(),
                after.heapBytes() - before.heapBytes());
    }

    private Work now() throws Exception {
        long bytes = 0;
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(WorkPerRequestTest::isSegment).toList()) {
                bytes += written(file);
            }
        }
        ClusterState image = world.image();
        return new Work(
                world.server().status().commit().log().flushes(),
                bytes,
                image.version(),
                THREADS.getTotalThreadAllocatedBytes());
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
            world.requests()
                    .volumes()
                    .register(Samples.volume("volume-%06d".formatted(registered)), Secrets.none(), world.asked());
        }
    }
}
