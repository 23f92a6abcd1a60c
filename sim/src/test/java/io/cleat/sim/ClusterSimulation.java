package io.cleat.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * Seeds of a whole cluster with everything going wrong: half of them, so that two JVMs run them beside each other, and
 * each answers for half of what they must meet. A failure names its seed, the last events, and what runs it again.
 * {@code -Dcleat.seeds=N} runs another number of them.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ClusterSimulation {
    /** So many are run, and more until this half's part of {@link #MET} was met. */
    private static final int ENOUGH = 12;

    private static final int MOST = 120;

    private static final int SEEDS = Integer.getInteger("cleat.seeds", ENOUGH);
    private static final int MINUTES = 15;

    private final int first;

    /** @param first a seed from which on all is met soon; which one is changes with the program */
    ClusterSimulation(int first) {
        this.first = first;
    }

    /** What every number of seeds worth its name must meet. */
    private static final String[] MET = {
        "agents killed",
        "machines rebooted",
        "nodes cut off",
        "servers killed",
        "tasks killed",
        "clocks jumped",
        "snapshots",
        "jobs purged",
        "child jobs",
        "drains",
        "expansions",
        "snapshots of volumes",
        "plugins updated",
        "second plugins of one id",
        "plugins with wrong capabilities",
        "nodes called otherwise",
        "sockets replaced",
        "identities missed",
        "machines switched off",
        "machines copied",
        "abandoned by a person",
        "power failed under a write",
        "journals torn",
        "mounts lost",
        "stagings lost",
        "files of allocations lost",
        "drivers that could not tell what runs",
        "NodePublishVolume does and fails",
        "NodePublishVolume lies",
        "NodeUnpublishVolume lies",
        "NodeStageVolume hangs",
        "ControllerPublishVolume does and fails",
        "ControllerPublishVolume hangs",
        "ControllerUnpublishVolume does and fails",
        "ControllerUnpublishVolume fails"
    };

    private Workplace place;

    @BeforeAll
    void take() throws IOException {
        place = Workplace.take();
    }

    @AfterAll
    void giveBack() throws IOException {
        place.close();
    }

    @Test
    @Timeout(value = MINUTES, unit = TimeUnit.MINUTES)
    void whateverGoesWrongAllComesToWhatIsWantedAndNothingIsLeft() throws RunFailed {
        TreeMap<String, Integer> coverage = new TreeMap<>();
        long steps = 0;
        Duration time = Duration.ZERO;
        long seed = first;
        for (;
                seed < first + SEEDS
                        || (seed < first + MOST && !missing(coverage).isEmpty());
                seed += 2) {
            Run.Result result = Run.of(seed, place, line -> {});
            result.coverage().forEach((what, count) -> coverage.merge(what, count, Integer::sum));
            steps += result.steps();
            time = time.plus(result.time());
        }
        System.out.println("cluster simulation, every other of "
                + (seed - first)
                + " seeds from "
                + first
                + ", "
                + steps
                + " steps, "
                + time.toHours()
                + " h: "
                + coverage);
        assertEquals(List.of(), missing(coverage), () -> "never happened: " + coverage);
    }

    /** Few seeds, as somebody asks for to see one thing, need not meet it all. */
    private List<String> missing(Map<String, Integer> coverage) {
        return SEEDS < ENOUGH
                ? List.of()
                : IntStream.range(0, MET.length)
                        .filter(at -> at % 2 == first % 2)
                        .mapToObj(at -> MET[at])
                        .filter(what -> !coverage.containsKey(what))
                        .toList();
    }
}
