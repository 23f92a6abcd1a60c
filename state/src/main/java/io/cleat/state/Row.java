package io.cleat.state;

/** A row of a table. Versions are set by the applier; a row that is yet to be applied has 0. */
public interface Row<R extends Row<R>> {
    /** The version that made the row. */
    long createVersion();

    /** The version that last changed it. */
    long modifyVersion();

    /** The same row with these versions. */
    R stamped(long createVersion, long modifyVersion);
}
