package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.SchedulingRow;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Says how jobs are placed from now on. What is placed already stays where it is.
 *
 * @param wanted its versions are 0
 * @param ifModifyVersion that of what is said now, else nothing changes; null for any
 */
public record ConfigureScheduling(
        SchedulingRow wanted, @Nullable Long ifModifyVersion) implements Command<ConfigureScheduling.Reply> {
    /** @param updated whether it is as wanted */
    public record Reply(boolean updated) {}

    @Override
    public Decision<Change, Reply> decide(ClusterState newest, DecideContext context) {
        Work work = new Work(newest, context);
        SchedulingRow known = newest.scheduling();
        if (ifModifyVersion != null && ifModifyVersion != known.modifyVersion()) {
            return work.accept(new Reply(false));
        }
        if (!known.stamped(0, 0).equals(wanted)) {
            work.add(new Change.SchedulingPut(wanted));
        }
        return work.accept(new Reply(true));
    }

    /** What a job is refused with while an operator lets none in. */
    static Optional<Refusal> rejected(ClusterState newest) {
        return newest.scheduling().rejectsJobs()
                ? Optional.of(new Refusal.Forbidden("job registration is disabled: an operator lets jobs in again with:"
                        + " cleat operator scheduler set-config"
                        + " -reject-job-registration=false"))
                : Optional.empty();
    }
}
