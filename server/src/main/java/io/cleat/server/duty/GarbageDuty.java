package io.cleat.server.duty;

import io.cleat.base.LogTrouble;
import io.cleat.server.commit.Answer;
import io.cleat.server.decide.CollectGarbage;
import io.cleat.state.TableName;
import java.time.Duration;
import java.util.Set;

/** Collects what nobody needs any more, by age and number. */
final class GarbageDuty implements Duty {
    private final Deciding deciding;
    private final Garbage garbage;

    GarbageDuty(Deciding deciding, Garbage garbage) {
        this.deciding = deciding;
        this.garbage = garbage;
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
        boolean more = true;
        while (more) {
            more =
                    deciding.commit(garbage.limits())
                                    instanceof
                                    Answer.Accepted<CollectGarbage.Reply>(
                                            CollectGarbage.Reply(_, boolean left),
                                            _)
                            && left;
        }
        return garbage.interval();
    }
}
