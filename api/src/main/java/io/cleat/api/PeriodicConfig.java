package io.cleat.api;

import io.cleat.model.CronTimes;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * When copies of a job are run.
 *
 * @param Spec the times as crontab(5) has them; {@code Specs} for several
 * @param SpecType {@code cron}
 * @param TimeZone a name of the time zone database; UTC by default
 */
public record PeriodicConfig(
        @Nullable Boolean Enabled,
        @Nullable Boolean ProhibitOverlap,
        @Nullable String Spec,
        @Nullable String SpecType,
        @Nullable List<String> Specs,
        @Nullable String TimeZone) {
    /**
     * When a copy would be run next.
     *
     * @return empty if none will be any more
     * @throws IllegalArgumentException for faulty times, which no server of ours has taken
     * @throws java.time.DateTimeException likewise for a faulty time zone
     */
    public Optional<Instant> next(Instant from) {
        return Canonical.or(Enabled, true)
                ? CronTimes.next(LaunchBlocks.PERIODIC.toModel(LaunchBlocks.PERIODIC.filledIn(this)), from)
                : Optional.empty();
    }
}
