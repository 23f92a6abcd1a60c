package io.cleat.sim;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * Seeds of a whole cluster with everything going wrong: half of them, so that two JVMs run them
 * beside each other. A failure names its seed, the last events, and what runs it again. {@code
 * -Dcleat.seeds=N} runs another number of them.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ClusterSimulation {
    /** So many meet all of {@link #MET}. */
    private static final int ENOUGH = 32;

    private static final int SEEDS = Integer.getInteger("cleat.seeds", ENOUGH);
    private static final int MINUTES = 15;

    private final int first;

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
        SimThreads.fixOrder();
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
        for (long seed = first; seed <= SEEDS; seed += 2) {
            Run.Result result = Run.of(seed, place, line -> {});
            result.coverage().forEach((what, count) -> coverage.merge(what, count, Integer::sum));
            steps += result.steps();
            time = time.plus(result.time());
        }
        System.out.println(
                "cluster simulation, every other of "
                        + SEEDS
                        + " seeds from "
                        + first
                        + ", "
                        + steps
                        + " steps, "
                        + time.toHours()
                        + " h: "
                        + coverage);
        for (String needed : SEEDS < ENOUGH ? new String[0] : MET) {
            assertTrue(
                    coverage.getOrDefault(needed, 0) > 0, needed + " never happened: " + coverage);
        }
    }
}
