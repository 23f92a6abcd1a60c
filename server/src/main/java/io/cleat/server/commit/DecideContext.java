package io.cleat.server.commit;

import java.time.Instant;
import java.util.Optional;

/**
 * What a proposal is decided with, besides the image.
 *
 * @param version the number this decision gets if it changes something
 * @param decidedAt the time it is recorded with; the only clock a decision may look at
 * @param requestId the caller's id of this request; the image knows whether it was decided before
 * @param featureLevel changes that need more than this are refused
 * @param part about how many bytes of changes it may make where it goes over rows; what is beyond is left to the next
 */
public record DecideContext(long version, Instant decidedAt, Optional<String> requestId, int featureLevel, int part) {
    /** Leaves a decision, with what is not counted, below 256 KiB. */
    public static final int PART = 128 << 10;

    public DecideContext(long version, Instant decidedAt, Optional<String> requestId, int featureLevel) {
        this(version, decidedAt, requestId, featureLevel, PART);
    }
}
