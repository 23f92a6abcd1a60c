package io.cleat.state;

import io.cleat.model.BlockedBy;
import io.cleat.model.VolumeId;
import org.jspecify.annotations.Nullable;

/**
 * How far a node is with one volume of one allocation, as it last said.
 *
 * @param epoch of the grant it acts on; 0 if it has none
 * @param expandedTo bytes that the node has expanded its side to; 0 for none
 * @param waitingFor why the next step is not done yet
 */
public record VolumeProgress(
        VolumeId volume,
        long epoch,
        Phase phase,
        long expandedTo,
        @Nullable BlockedBy waitingFor) {
    /** The node's steps. */
    public enum Phase {
        /** No step was begun. */
        NONE,
        /** Staging or publishing was begun: something may be mounted. */
        MOUNTING,
        /** Published, and seen in the mount table. */
        PUBLISHED,
        /** Unpublishing or unstaging was begun. */
        UNMOUNTING,
        /** Nothing of it is left on the node for this allocation. */
        UNPUBLISHED
    }
}
