package io.cleat.server.commit;

import io.cleat.log.LogStatus;
import java.time.Duration;
import java.util.Optional;

/**
 * How deciding stands.
 *
 * @param reign the reign in which this member decides, if it does
 * @param queued proposals not yet decided
 * @param inFlight entries appended and not yet applied
 * @param clockAhead by how much the wall clock is ahead of what is believed, after a jump
 * @param log the log below
 */
public record CommitStatus(
        Optional<String> reign, int queued, int inFlight, Optional<Duration> clockAhead, LogStatus log) {}
