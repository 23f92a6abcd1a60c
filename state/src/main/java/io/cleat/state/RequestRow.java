package io.cleat.state;

import java.time.Instant;

/**
 * A request that changed something, kept so that repeating it has no second effect.
 *
 * @param digest SHA-256, in hex, of what was asked
 * @param reply as it was given, or will be, encoded by whoever decides
 */
public record RequestRow(
        String id, String digest, String reply, Instant decidedAt, long createVersion, long modifyVersion)
        implements Row<RequestRow> {
    @Override
    public RequestRow stamped(long newCreate, long newModify) {
        return new RequestRow(id, digest, reply, decidedAt, newCreate, newModify);
    }
}
