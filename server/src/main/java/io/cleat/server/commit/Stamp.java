package io.cleat.server.commit;

import java.time.Instant;

/**
 * Number and time of a decision.
 *
 * @param version how many decisions have changed something, this one included; from 1
 * @param decidedAt when it was decided; never earlier than that of the decision before
 */
public record Stamp(long version, Instant decidedAt) {}
