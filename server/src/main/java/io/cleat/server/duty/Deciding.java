package io.cleat.server.duty;

import io.cleat.base.LogTrouble;
import io.cleat.server.commit.Answer;
import io.cleat.server.decide.Command;
import io.cleat.state.ClusterState;
import java.time.Instant;

/** What duties look at and decide by. */
interface Deciding {
    ClusterState newest();

    /** The time that a decision made now would carry. */
    Instant now();

    /** Blocks until it is decided and applied, or refused. */
    <R> Answer<R> commit(Command<R> command) throws LogTrouble, InterruptedException;

    /** A fresh id for a command to derive its own from. */
    String seed();
}
