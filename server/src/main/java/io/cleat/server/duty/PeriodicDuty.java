package io.cleat.server.duty;

import io.cleat.base.FaultHandler;
import io.cleat.base.LogTrouble;
import io.cleat.model.CronTimes;
import io.cleat.model.JobId;
import io.cleat.model.JobLaunch;
import io.cleat.server.commit.Answer;
import io.cleat.server.decide.LaunchJob;
import io.cleat.state.JobRow;
import io.cleat.state.TableName;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has copies of periodic jobs run at their times. A time that passed while nobody led counts: the next leader makes up
 * for all of them once.
 */
final class PeriodicDuty implements Duty {
    private static final Logger LOG = LoggerFactory.getLogger(PeriodicDuty.class);

    private static final Duration IDLE = Duration.ofHours(1);

    /** The longest wait for a time: a clock that is set forward makes it come sooner. */
    private static final Duration LOOK_EVERY = Duration.ofSeconds(30);

    /** After how long a copy is tried again that was refused. */
    private static final Duration AGAIN = Duration.ofSeconds(5);

    /** From when on a job's times counted when the next was looked for, and that. */
    private record Next(JobLaunch.Periodic periodic, Instant since, Optional<Instant> time) {}

    private final Deciding deciding;
    private final FaultHandler faults;
    private Map<JobId, Next> found = Map.of();

    PeriodicDuty(Deciding deciding, FaultHandler faults) {
        this.deciding = deciding;
        this.faults = faults;
    }

    @Override
    public String name() {
        return "periodic";
    }

    @Override
    public Set<TableName> tables() {
        return Set.of(TableName.JOBS);
    }

    @Override
    public Duration turn() throws LogTrouble, InterruptedException {
        Instant now = deciding.now();
        Map<JobId, Next> known = new HashMap<>();
        Duration idle = IDLE;
        for (JobRow row : deciding.newest().jobsWithTimes()) {
            Duration left;
            try {
                Next next = next(row, row.times().orElseThrow());
                known.put(row.id(), next);
                left = look(row, next, now);
            } catch (RuntimeException | Error fault) {
                faults.contain("duty/periodic, job " + row.id(), fault);
                left = AFTER_FAULT;
            }
            idle = left.compareTo(idle) < 0 ? left : idle;
        }
        found = known;
        return idle;
    }

    /** It takes milliseconds to find one, and most are found again at each look. */
    private Next next(JobRow row, JobLaunch.Periodic periodic) {
        Instant since = row.timesCountFrom();
        Next known = found.get(row.id());
        return known != null && known.since().equals(since) && known.periodic().equals(periodic)
                ? known
                : new Next(periodic, since, CronTimes.next(periodic, since));
    }

    private Duration look(JobRow row, Next next, Instant now) throws LogTrouble, InterruptedException {
        if (next.time().isEmpty()) {
            return IDLE;
        }
        Instant due = next.time().get();
        if (due.isAfter(now)) {
            Duration left = Duration.between(now, due);
            return left.compareTo(LOOK_EVERY) < 0 ? left : LOOK_EVERY;
        }
        Answer<LaunchJob.Reply> answer = deciding.commit(new LaunchJob(row.id(), due, next.since(), deciding.seed()));
        if (!(answer instanceof Answer.Accepted<LaunchJob.Reply>(LaunchJob.Reply reply, var _))) {
            return AGAIN;
        }
        if (!reply.why().isEmpty()) {
            LOG.warn("job {} is not run at {}: {}", row.id(), due, reply.why());
        }
        // The image has changed, which is looked at at once.
        return IDLE;
    }
}
