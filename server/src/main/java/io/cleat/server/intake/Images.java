package io.cleat.server.intake;

import io.cleat.base.EarlyEnd;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.server.commit.Saved;
import io.cleat.state.ClusterState;
import java.time.Duration;

/** Where reads come from: the images of this member. Any thread. */
public interface Images {
    /**
     * The newest image.
     *
     * @param stale whether what this member has will do; else it holds all that anybody was answered before the call
     */
    ClusterState read(boolean stale) throws Refused, Trouble, InterruptedException;

    /** The newest image, that holds all that anybody was answered before, to be kept elsewhere. */
    Saved<ClusterState> save() throws Refused, Trouble, InterruptedException;

    /**
     * The newest image once what is asked for is newer than {@code index}; or as it is then, after {@code longest} and
     * up to a sixteenth more by chance, when a snapshot has replaced it, or once somebody ends the wait.
     *
     * @param wanted what is asked for
     * @param index 0 to wait for nothing
     */
    ClusterState readNewer(boolean stale, Versions wanted, long index, Duration longest, EarlyEnd early)
            throws Refused, Trouble, InterruptedException;
}
