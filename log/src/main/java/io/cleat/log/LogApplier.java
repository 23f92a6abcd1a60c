package io.cleat.log;

import io.cleat.base.DiskTrouble;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * What the entries mean. {@link #apply}, {@link #image} and {@link #readSnapshot} are called one after the other, never
 * two at once; {@link #leading} and {@link #following} may come from another thread, and none of them may block.
 */
public interface LogApplier {
    /**
     * Applies a committed entry.
     *
     * @param index larger than that of the entry before, not always by one
     * @throws DiskTrouble it cannot be read: the log stops here for good and says so to the fault handler; no later
     *     entry is applied. Any unchecked exception has the same effect.
     */
    void apply(long index, byte[] entry) throws DiskTrouble;

    /**
     * The newest feature level whose entries it reads; from 1, and always the same. It is told to all members, so that
     * nobody writes what one of them cannot read.
     */
    int newestLevel();

    /** What is applied now, as something that another thread can write while more is applied. */
    Image image();

    /**
     * Replaces everything by a snapshot that {@link Image#writeTo} wrote, here or on another member.
     *
     * @param index that of the last entry in it
     */
    void readSnapshot(long index, InputStream from) throws IOException, DiskTrouble;

    /**
     * This member leads {@code term}, and all that was committed before is applied. Entries may be appended until
     * {@link #following} names this term.
     */
    void leading(long term);

    /** The leadership of {@code term} has ended; perhaps before {@link #leading} was heard of it. */
    void following(long term);

    /** An immutable image. */
    @FunctionalInterface
    interface Image {
        void writeTo(OutputStream to) throws IOException;
    }
}
