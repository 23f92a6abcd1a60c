package io.cleat.state;

/**
 * Something that is still to be done, in parts.
 *
 * @param since the version of the decision that left it: what is newer is not concerned
 */
public record RemainderRow(Remainder what, long since, long createVersion, long modifyVersion)
        implements Row<RemainderRow> {
    public String id() {
        return what.id();
    }

    @Override
    public RemainderRow stamped(long newCreate, long newModify) {
        return new RemainderRow(what, since, newCreate, newModify);
    }
}
