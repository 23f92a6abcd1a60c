package io.cleat.agent.artifact;

import io.cleat.artifact.Artifact;
import io.cleat.base.ArtifactTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Trouble;
import io.cleat.kernel.Place;
import java.util.List;
import java.util.Optional;

/** The port for fetching what tasks need before they start. */
public interface Artifacts {
    /** Fetches nothing. */
    Artifacts NONE = (wanted, disk) -> {
        throw new ArtifactTrouble("this agent fetches no artifacts", Retry.NEVER);
    };

    /**
     * One artifact, and where it is to be.
     *
     * @param destination a directory that it is put into; or the file that it becomes
     * @param isFile whether the destination is a file
     * @param owner whom its files are given to; the agent's own if empty
     */
    record Wanted(Artifact artifact, Place destination, boolean isFile, Optional<Owner> owner) {}

    /** A user and a group, as numbers. */
    record Owner(int uid, int gid) {}

    /** Artifacts on their way. */
    interface Download {
        /**
         * What became of each, in order: empty if it is where it was wanted, else why not, without secrets. Blocks
         * until all is said; an interruption ends it all.
         */
        List<Optional<String>> await() throws InterruptedException;

        /** Ends it at once. */
        void cancel();
    }

    /**
     * Starts fetching, all beside each other.
     *
     * @param disk bytes that all of them may have together
     */
    Download begin(List<Wanted> wanted, long disk) throws Trouble;
}
