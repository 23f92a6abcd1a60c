package io.cleat.server.duty;

import io.cleat.base.BackOff;
import io.cleat.base.Chance;
import io.cleat.base.Time;
import io.cleat.base.Trouble;
import io.cleat.state.ClusterState;
import io.cleat.state.TableName;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs one duty until its thread is interrupted. */
final class DutyLoop {
    private static final Logger LOG = LoggerFactory.getLogger(DutyLoop.class);

    private static final Duration PAUSED = Duration.ofHours(1);

    private final Duty duty;
    private final Chance chance;
    private final BackOff backOff = new BackOff(Duration.ofMillis(100), Duration.ofSeconds(10));
    private final WakeUp wakeUp;
    private final BooleanSupplier isPaused;

    /** @param isPaused whether nothing is done now; it is asked again when the image says so */
    DutyLoop(Duty duty, BooleanSupplier isPaused, Time time, Chance chance) {
        this.duty = duty;
        this.isPaused = isPaused;
        this.chance = chance;
        this.wakeUp = new WakeUp(time);
    }

    String name() {
        return duty.name();
    }

    void run() throws InterruptedException {
        int failures = 0;
        while (!Thread.currentThread().isInterrupted()) {
            Duration idle;
            try {
                idle = isPaused.getAsBoolean() ? PAUSED : duty.turn();
                failures = 0;
            } catch (Trouble trouble) {
                idle = backOff.wait(failures++, chance);
                LOG.warn("{}: {}; it is tried again", duty.name(), trouble.reason());
            }
            wakeUp.await(idle);
        }
    }

    void imageChanged(ClusterState before, ClusterState after) {
        if (before.isRecovering() != after.isRecovering()) {
            wakeUp.signal();
        }
        for (TableName table : duty.tables()) {
            if (before.version(table) != after.version(table)) {
                wakeUp.signal();
                return;
            }
        }
    }

    void signal() {
        wakeUp.signal();
    }
}
