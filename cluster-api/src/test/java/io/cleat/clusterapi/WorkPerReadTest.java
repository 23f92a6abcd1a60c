package io.cleat.clusterapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.cleat.state.Change;
import io.cleat.state.VolumeRow;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What reads cost, counted in bytes of heap and not timed: from the request's line to the answer's bytes, and the same
 * beside many volumes. Who makes one cost more on purpose raises the bound here, and says in docs/bench.md what that
 * buys.
 */
@Timeout(120)
final class WorkPerReadTest {
    private static final int FEW = 300;
    private static final int MANY = 6_000;
    private static final int COUNTED = 100;

    /** Until classes are loaded, and calls by reflection have their final form. */
    private static final int WARMING = 300;

    /** Bytes of heap for one, by what is read. */
    private static final Map<String, Long> BOUNDS = Map.of(
            "/v1/volume/csi/" + name(FEW / 2),
            6_500L,
            "/v1/volumes?type=csi&per_page=100&next_token=default." + name(FEW / 2),
            230_000L,
            "/v1/volumes?type=csi&prefix=" + name(FEW / 2),
            9_000L,
            "/v1/job/web",
            12_000L,
            "/v1/allocation/" + SampleCluster.WEB_ALLOC,
            21_500L,
            "/v1/node/" + SampleCluster.NODE,
            30_000L,
            "/v1/plugin/csi/hp",
            47_000L);

    private static final ThreadMXBean THREADS = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

    @Test
    void aReadCostsTheSameBesideManyVolumes() throws Exception {
        Map<String, Long> few = costs(FEW);
        Map<String, Long> many = costs(MANY);
        BOUNDS.forEach((target, bound) -> {
            long beside = Objects.requireNonNull(many.get(target));
            assertTrue(
                    beside <= Objects.requireNonNull(few.get(target)) * 12 / 10,
                    () -> target + ": " + few + " " + many);
            assertTrue(beside <= bound, () -> target + ": " + many);
        });
    }

    private static String name(int number) {
        return "w%05d".formatted(number);
    }

    private static Map<String, Long> costs(int volumes) throws Exception {
        SampleCluster sample = SampleCluster.whole();
        VolumeRow row = sample.state().volume(SampleCluster.VOLUME).orElseThrow();
        for (int i = 0; i < volumes; i++) {
            sample.apply(new Change.VolumePut(SampleCluster.renamed(row, name(i))));
        }
        Map<String, Long> costs = new TreeMap<>();
        try (SampleRoutes routes = SampleRoutes.of(sample)) {
            for (String target : BOUNDS.keySet()) {
                read(routes, target, WARMING);
                long before = THREADS.getCurrentThreadAllocatedBytes();
                read(routes, target, COUNTED);
                costs.put(target, (THREADS.getCurrentThreadAllocatedBytes() - before) / COUNTED);
            }
        }
        return costs;
    }

    private static void read(SampleRoutes routes, String target, int times) throws Exception {
        for (int i = 0; i < times; i++) {
            assertEquals(200, routes.get(target).status(), target);
        }
    }
}
