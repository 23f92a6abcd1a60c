package io.cleat.server.duty;

import io.cleat.base.LogTrouble;
import io.cleat.server.commit.Answer;
import io.cleat.server.decide.ContinueRemainder;
import io.cleat.state.RemainderRow;
import io.cleat.state.TableName;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Works off what decisions have left, a part of each in turn, so that none waits for the end of another. */
final class RemainderDuty implements Duty {
    private static final Logger LOG = LoggerFactory.getLogger(RemainderDuty.class);
    private static final Duration IDLE = Duration.ofHours(1);
    private static final Duration AGAIN = Duration.ofSeconds(1);

    private final Deciding deciding;

    RemainderDuty(Deciding deciding) {
        this.deciding = deciding;
    }

    @Override
    public String name() {
        return "remainder";
    }

    @Override
    public Set<TableName> tables() {
        return Set.of(TableName.REMAINDERS);
    }

    @Override
    public Duration turn() throws LogTrouble, InterruptedException {
        boolean isRefused = false;
        List<RemainderRow> left = oldestFirst();
        while (!left.isEmpty() && !isRefused) {
            for (RemainderRow row : left) {
                if (deciding.commit(new ContinueRemainder(row.id(), deciding.seed()))
                        instanceof Answer.Rejected<ContinueRemainder.Reply> rejected) {
                    LOG.warn(
                            "what is left of an earlier decision, {}, is not done, and tried again: {}",
                            row.id(),
                            rejected.refusal().message());
                    isRefused = true;
                }
            }
            left = oldestFirst();
        }
        return isRefused ? AGAIN : IDLE;
    }

    private List<RemainderRow> oldestFirst() {
        return deciding.newest().remainders().stream()
                .sorted(Comparator.comparingLong(RemainderRow::createVersion).thenComparing(RemainderRow::id))
                .toList();
    }
}
