package io.cleat.agent.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.agent.task.TestTasks;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.model.DesiredStatus;
import io.cleat.model.JobType;
import io.cleat.wire.ToServer;
import io.cleat.wire.ToServer.VolumePhase;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** The steps of an allocation's volumes, without what is done in them. */
class VolumeStepsTest {
    private final List<Throwable> faults = new CopyOnWriteArrayList<>();
    private final KnownAllocation allocation = KnownAllocation.of(
            AgentFixture.assignment(
                    DesiredStatus.RUN,
                    Map.of("data", AgentFixture.volume("data", false), "more", AgentFixture.volume("more", false)),
                    TestTasks.job(JobType.SERVICE, Map.of(), TestTasks.task("t", 0, null))),
            Instant.EPOCH);
    private final VolumeSteps steps = new VolumeSteps(
            allocation,
            new FakeVolumes(),
            Threads.virtual((where, fault) -> faults.add(fault)),
            new SystemTime(),
            () -> {});

    private ToServer.VolumeReport report(String alias) {
        return Objects.requireNonNull(steps.reports().get(alias), alias);
    }

    @Test
    void allArePublishedOnceTheStepOfEachHasSaidWhere() throws Exception {
        steps.publish("data", Optional.empty(), alias -> steps.publishedAt(alias, Path.of("/" + alias)));
        assertEquals(Optional.empty(), steps.awaitPublished());
        steps.publish("more", Optional.empty(), alias -> steps.publishedAt(alias, Path.of("/" + alias)));
        assertEquals(Optional.of(Map.of("data", Path.of("/data"), "more", Path.of("/more"))), steps.awaitPublished());
        assertEquals(VolumePhase.PUBLISHED, report("more").phase());
    }

    @Test
    void aRefusalInterruptsTheOthers_andIsTheReason() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        steps.publish("data", Optional.empty(), alias -> never.await());
        steps.publish("more", Optional.empty(), alias -> steps.refused(alias, "no"));
        VolumesRefused refused = assertThrows(VolumesRefused.class, steps::awaitPublished);
        assertEquals("volume \"more\" cannot be mounted: no", refused.reason());
        assertFalse(steps.isWorking());
    }

    @Test
    void aFaultOfAStepForwardRefusesItsVolume() {
        steps.publish("data", Optional.empty(), alias -> {
            throw new IllegalStateException("broken");
        });
        VolumesRefused refused = assertThrows(VolumesRefused.class, steps::awaitPublished);
        assertTrue(refused.reason().contains("a fault of the agent"), refused.reason());
        assertEquals(1, faults.size());
    }

    @Test
    void aFaultOfAStepBackLeavesItsEndOwed() throws Exception {
        steps.settle();
        assertFalse(steps.unpublish(Set.of("data", "more"), alias -> {
            if (alias.equals("data")) {
                throw new IllegalStateException("broken");
            }
        }));
        assertTrue(
                steps.unpublish(Set.of("data"), alias -> steps.at(alias, VolumePhase.UNPUBLISHED, Optional.empty())));
        assertEquals(VolumePhase.UNPUBLISHED, report("data").phase());
    }

    @Test
    void aVolumeHasOneStepAtATime_andNoneForwardOnceStopped() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        steps.publish("data", Optional.empty(), alias -> gate.await());
        assertFalse(steps.tryRemount("data", alias -> {}));
        gate.countDown();
        assertEquals(Optional.empty(), steps.awaitPublished());
        assertTrue(steps.tryRemount("data", alias -> {}));
        steps.settle();
        assertFalse(steps.tryRemount("data", alias -> {}));
    }

    @Test
    void whoWaitsForAGrantIsLetGoWhenNoneIsWantedAnyMore() throws Exception {
        List<Boolean> granted = new CopyOnWriteArrayList<>();
        steps.publish("data", Optional.empty(), alias -> {
            try {
                granted.add(steps.awaitGrant(alias).isPresent());
            } catch (InterruptedException stopped) {
                granted.add(false);
            }
        });
        steps.settle();
        assertEquals(List.of(false), granted);
    }
}
