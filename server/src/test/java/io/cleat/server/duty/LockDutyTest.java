package io.cleat.server.duty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.VariableId;
import io.cleat.server.decide.Cluster;
import io.cleat.server.decide.EndLock;
import io.cleat.server.decide.LockVariable;
import io.cleat.server.decide.ReleaseLock;
import io.cleat.server.session.LockTimes;
import io.cleat.state.Change;
import io.cleat.state.Encrypted;
import io.cleat.state.VariableLock;
import io.cleat.testkit.FakeTime;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Locks of variables whose time passes. */
final class LockDutyTest {
    private static final VariableId PATH = new VariableId("default", "leader");
    private static final VariableLock LOCK = VariableLock.taken("l1", Duration.ofSeconds(15), Duration.ofSeconds(20));

    private final FakeTime time = new FakeTime();
    private final LockTimes times = new LockTimes(time);
    private final Cluster cluster = new Cluster();
    private final ScriptedDeciding deciding = ScriptedDeciding.of(cluster);
    private final LockDuty duty = new LockDuty(deciding, times);

    @BeforeEach
    void lock() {
        cluster.level = Change.VARIABLES_LEVEL;
        cluster.accept(new LockVariable(PATH, Encrypted.NONE, LOCK));
    }

    private Duration after(int seconds) throws Exception {
        time.advance(Duration.ofSeconds(seconds));
        return duty.turn();
    }

    private @Nullable VariableLock stored() {
        return cluster.state().variables().find(PATH).orElseThrow().lock();
    }

    @Test
    void aLockThatIsNotRenewed_lapsesAfterItsTime_andIsFreeAfterItsDelay() throws Exception {
        assertEquals(Duration.ofSeconds(15), after(0));
        assertEquals(Duration.ofSeconds(1), after(14));
        assertEquals(LOCK, stored());
        after(1);
        assertEquals(LOCK.lapse(), stored());
        assertEquals(Duration.ofSeconds(20), after(0));
        after(19);
        assertEquals(LOCK.lapse(), stored());
        after(1);
        assertNull(stored());
        assertEquals(Duration.ofHours(1), after(0));
    }

    @Test
    void aLockThatIsRenewed_isHeldOn() throws Exception {
        after(0);
        for (int i = 0; i < 5; i++) {
            after(14);
            assertTrue(times.renew("l1"));
        }
        assertEquals(Duration.ofSeconds(15), after(0));
        assertEquals(LOCK, stored());
    }

    /** Its holder must not go on as such once its end is on its way. */
    @Test
    void aLockWhoseEndIsBeingDecided_isNotRenewed() throws Exception {
        after(0);
        deciding.leadsElsewhere = true;
        assertEquals(Duration.ofSeconds(1), after(15));
        assertEquals(LOCK, stored());
        assertFalse(times.renew("l1"));
        deciding.leadsElsewhere = false;
        after(1);
        assertEquals(LOCK.lapse(), stored());
    }

    /** Nobody knows when the lock was renewed at the leader before. */
    @Test
    void aNewLeader_countsEachLockAnew() throws Exception {
        after(0);
        after(10);
        times.begin();
        assertEquals(Duration.ofSeconds(15), after(0));
        after(14);
        assertEquals(LOCK, stored());
        after(1);
        assertEquals(LOCK.lapse(), stored());
    }

    @Test
    void whatSomebodyMakesUp_isNotKept() throws Exception {
        assertTrue(times.renew("made up"), "deciding says that nobody holds it");
        after(0);
        cluster.accept(new ReleaseLock(PATH, "l1"));
        cluster.accept(new LockVariable(PATH, Encrypted.NONE, LOCK));
        after(20);
        assertEquals(
                0, deciding.asked.stream().filter(EndLock.class::isInstance).count() - 1);
    }
}
