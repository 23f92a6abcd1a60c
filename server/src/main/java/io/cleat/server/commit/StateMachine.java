package io.cleat.server.commit;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What is kept: immutable images of {@code S}, and the changes {@code C} that lead from one to the next. All methods
 * are pure, and called by several threads.
 */
public interface StateMachine<S, C> {
    /** The image before the first change. */
    S empty();

    /**
     * The image after the changes of one decision. Total: it cannot refuse, reads no clock and no chance, and gives the
     * same result on every member and in every replay.
     */
    S apply(S image, List<C> changes, Stamp stamp);

    /** The newest feature level that this program reads; from 1. */
    int newestLevel();

    /** Why this is not decided at all while the image is as it is, whatever it asks for; empty if it may be. */
    default Optional<Refusal> forbids(S image, Proposal<S, C, ?> proposal) {
        return Optional.empty();
    }

    /**
     * The changes of one decision, as they are stored: so that every program reads them that reads {@code level}.
     *
     * @throws Refused they hold what could not be read back; {@link io.cleat.base.Refusal.Conflict} if they need a
     *     newer level
     */
    byte[] encode(List<C> changes, int level) throws Refused;

    /** @throws DiskTrouble they cannot be read: the member stops */
    List<C> decode(byte[] changes) throws DiskTrouble;

    /** Writes {@code image} for {@link #read} by any program that reads {@code level}. */
    void write(S image, OutputStream to, int level) throws IOException;

    /** Reads to the end of {@code from}. */
    S read(InputStream from) throws IOException, DiskTrouble;

    /**
     * A number equal for equal images on all members; empty to compare nothing. It is asked for often, and must cost
     * the same for an image of any size.
     *
     * @param level the cluster's
     */
    default OptionalLong digest(S image, int level) {
        return OptionalLong.empty();
    }
}
