package io.cleat.log;

import io.cleat.base.Refusal;
import io.cleat.base.Trouble;
import java.util.Optional;

/**
 * A log of entries that every member applies in the same order.
 *
 * <p>An entry is told to its {@link Completion} once; what it says of an entry that was not applied may be that nobody
 * knows. Whoever needs certainty appends a later entry and sees it applied: what was not applied before it can then be
 * told by looking at what was.
 */
public interface ReplicatedLog extends AutoCloseable {
    /**
     * Opens the log and starts applying what it holds: first the newest snapshot, then the entries after it. Returns
     * once the member runs; leadership comes later, by {@link LogApplier#leading}.
     *
     * @throws Trouble the directory cannot be used: it belongs to another cluster or version, is in use, is damaged, or
     *     has no room
     */
    void start(LogApplier applier) throws Trouble;

    /**
     * Proposes {@code entry} to be the next one. To be called from one thread, and only while this member leads;
     * entries are then appended in the order of the calls. May block while the disk stalls.
     *
     * @param entry the caller does not touch it any more
     */
    void append(byte[] entry, Completion completion);

    /**
     * Why nothing that brings more should be appended now, though entries are taken: what room is left is for what ends
     * or frees something, or else nobody could make room. Empty while there is room enough.
     */
    default Optional<Refusal> tight() {
        return Optional.empty();
    }

    /**
     * Checks that this member leads, beginning after this call; then waits until everything committed before is
     * applied. {@link Outcome.Applied} means that the image now holds all that anybody was told to be done before this
     * call.
     */
    void barrier(Completion completion);

    /**
     * Asks for a snapshot of what is applied, and for the entries that it makes needless to go. Returns at once;
     * {@link LogStatus#snapshotIndex} tells when it is durable.
     */
    void takeSnapshot();

    /**
     * The newest feature level that the appliers of all members read; 1 while one of them has not said. Never more than
     * is known: a member that is away is asked again when it is back.
     */
    int commonLevel();

    LogStatus status();

    /** Stops. Appends not yet told are told to be unknown. Closing twice is harmless. */
    @Override
    void close();
}
