package io.cleat.server.duty;

import io.cleat.base.Deadline;
import io.cleat.base.Ids;
import io.cleat.base.LogTrouble;
import io.cleat.base.Time;
import io.cleat.server.commit.Answer;
import io.cleat.server.commit.Committer;
import io.cleat.server.decide.Command;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The committer as duties use it: nobody waits for them, and they look again anyway. */
final class Committing implements Deciding {
    private static final Duration WITHIN = Duration.ofSeconds(30);

    private final Committer<ClusterState, Change> committer;
    private final Time time;
    private final Ids ids;

    Committing(Committer<ClusterState, Change> committer, Time time, Ids ids) {
        this.committer = committer;
        this.time = time;
        this.ids = ids;
    }

    @Override
    public ClusterState newest() {
        return committer.applied().image();
    }

    @Override
    public Instant now() {
        return committer.now();
    }

    @Override
    public <R> Answer<R> commit(Command<R> command) throws LogTrouble, InterruptedException {
        return committer.commit(command, Optional.empty(), Deadline.in(time, WITHIN));
    }

    @Override
    public String seed() {
        return ids.next();
    }
}
