package io.cleat.server.intake;

import io.cleat.base.LogTrouble;
import io.cleat.base.Refused;
import io.cleat.server.decide.WithdrawService;

/** Requests about services. Any thread. */
public final class ServiceRequests {
    private final Commits commits;

    ServiceRequests(Commits commits) {
        this.commits = commits;
    }

    /**
     * Has one allocation's service found no more.
     *
     * @return the version of the change
     */
    public long withdraw(String namespace, String name, String id, Asked asked)
            throws Refused, LogTrouble, InterruptedException {
        return commits.commit(new WithdrawService(namespace, name, id), asked.deadline())
                .version();
    }
}
