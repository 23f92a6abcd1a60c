package io.cleat.server.intake;

import io.cleat.base.LogTrouble;
import io.cleat.base.Refused;
import io.cleat.server.decide.DeregisterNamespace;
import io.cleat.server.decide.RegisterNamespace;
import io.cleat.state.NamespaceRow;

/** Requests about namespaces; each may be repeated. Any thread. */
public final class NamespaceRequests {
    private final Commits commits;

    NamespaceRequests(Commits commits) {
        this.commits = commits;
    }

    /**
     * Makes a namespace, or says something else of one.
     *
     * @param wanted valid, its versions 0
     */
    public void register(NamespaceRow wanted, Asked asked) throws Refused, LogTrouble, InterruptedException {
        commits.commit(new RegisterNamespace(wanted), asked.deadline());
    }

    /** Forgets a namespace that nothing is in. */
    public void deregister(String name, Asked asked) throws Refused, LogTrouble, InterruptedException {
        commits.commit(new DeregisterNamespace(name), asked.deadline());
    }
}
