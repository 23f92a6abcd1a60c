package io.cleat.server.duty;

import io.cleat.base.LogTrouble;
import io.cleat.server.commit.Answer;
import io.cleat.server.decide.EndLock;
import io.cleat.server.session.LockTimes;
import io.cleat.state.TableName;
import io.cleat.state.VariableLock;
import io.cleat.state.VariableRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends locks of variables that were not renewed in time, and then their delays. */
final class LockDuty implements Duty {
    private static final Logger LOG = LoggerFactory.getLogger(LockDuty.class);
    private static final Duration IDLE = Duration.ofHours(1);
    private static final Duration AGAIN = Duration.ofSeconds(1);

    private final Deciding deciding;
    private final LockTimes times;

    /** @param times of this reign */
    LockDuty(Deciding deciding, LockTimes times) {
        this.deciding = deciding;
        this.times = times;
    }

    @Override
    public String name() {
        return "locks";
    }

    @Override
    public Set<TableName> tables() {
        return Set.of(TableName.VARIABLES);
    }

    @Override
    public Duration turn() throws LogTrouble, InterruptedException {
        Duration idle = IDLE;
        List<VariableLock> known = new ArrayList<>();
        for (VariableRow row : deciding.newest().variables().locked()) {
            VariableLock lock = Objects.requireNonNull(row.lock());
            known.add(lock);
            Duration left = times.left(lock);
            if (left.isZero() && times.end(lock)) {
                left = end(row, lock);
            }
            idle = left.compareTo(idle) < 0 ? left : idle;
        }
        times.keepOnly(known);
        return idle;
    }

    private Duration end(VariableRow row, VariableLock lock) throws LogTrouble, InterruptedException {
        return switch (deciding.commit(new EndLock(row.id(), lock))) {
            // The image has changed, which is looked at at once.
            case Answer.Accepted<EndLock.Reply> _ -> IDLE;
            case Answer.Rejected<EndLock.Reply> rejected -> {
                LOG.warn(
                        "the lock of variable {} was not renewed, and its end is not decided yet: {}",
                        row.id(),
                        rejected.refusal().message());
                yield AGAIN;
            }
        };
    }
}
