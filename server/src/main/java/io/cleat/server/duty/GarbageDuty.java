package io.cleat.server.duty;

import io.cleat.base.LogTrouble;
import io.cleat.server.commit.Answer;
import io.cleat.server.decide.CollectGarbage;
import io.cleat.state.TableName;
import java.time.Duration;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects what nobody needs any more, by age and number. While memory is short, half as much stays at each look: else
 * all would be refused until what is over is old enough.
 */
final class GarbageDuty implements Duty {
    private static final Logger LOG = LoggerFactory.getLogger(GarbageDuty.class);

    /** Between two looks whether memory is short: in between it is seen whether the last helped. */
    static final Duration LOOK_EVERY = Duration.ofSeconds(30);

    private final Deciding deciding;
    private final Garbage garbage;
    private Duration untilRegular = Duration.ZERO;
    private int kept;

    GarbageDuty(Deciding deciding, Garbage garbage) {
        this.deciding = deciding;
        this.garbage = garbage;
        this.kept = garbage.limits().kept();
    }

    @Override
    public String name() {
        return "garbage";
    }

    @Override
    public Set<TableName> tables() {
        return Set.of();
    }

    @Override
    public Duration turn() throws LogTrouble, InterruptedException {
        if (garbage.isMemoryShort().getAsBoolean()) {
            kept /= 2;
            LOG.warn("memory is short: of what is over, only the newest {} of each kind stay", kept);
            collect(garbage.limits().keeping(kept));
        } else {
            kept = garbage.limits().kept();
        }
        if (untilRegular.isZero()) {
            collect(garbage.limits());
            untilRegular = garbage.interval();
        }
        Duration pause = untilRegular.compareTo(LOOK_EVERY) < 0 ? untilRegular : LOOK_EVERY;
        untilRegular = untilRegular.minus(pause);
        return pause;
    }

    private void collect(CollectGarbage limits) throws LogTrouble, InterruptedException {
        boolean more = true;
        while (more) {
            more = deciding.commit(limits)
                            instanceof
                            Answer.Accepted<CollectGarbage.Reply>(CollectGarbage.Reply(var _, boolean left), var _)
                    && left;
        }
    }
}
