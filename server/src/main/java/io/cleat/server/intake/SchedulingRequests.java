package io.cleat.server.intake;

import io.cleat.base.LogTrouble;
import io.cleat.base.Refused;
import io.cleat.server.decide.ConfigureScheduling;
import io.cleat.state.SchedulingRow;
import org.jspecify.annotations.Nullable;

/** Requests about how jobs are placed; each may be repeated. Any thread. */
public final class SchedulingRequests {
    private final Commits commits;

    SchedulingRequests(Commits commits) {
        this.commits = commits;
    }

    /**
     * Says how jobs are placed from now on.
     *
     * @param wanted its versions are 0
     * @param ifModifyVersion that of what is said now, else nothing changes; null for any
     */
    public Done<ConfigureScheduling.Reply> configure(SchedulingRow wanted, @Nullable Long ifModifyVersion, Asked asked)
            throws Refused, LogTrouble, InterruptedException {
        return commits.commit(new ConfigureScheduling(wanted, ifModifyVersion), asked.deadline());
    }
}
