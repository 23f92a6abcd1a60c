package io.cleat.agent.volumes;

import io.cleat.base.Deadline;
import io.cleat.model.BlockedBy;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The waits of one mount or unmount, what they are told of, and how long it was tried. Used by one thread.
 *
 * <p>What is tried is counted: the time of tries that led nowhere, and of the pauses after them. A wait for a plugin
 * that is not there, or for other users of the volume, is no try.
 */
final class VolumeRetries {
    /** Should a wake-up be lost, which must not be, this long and no longer. */
    private static final Duration AT_MOST = Duration.ofSeconds(30);

    private final VolumeParts parts;
    private final VolumeKey key;
    private Optional<NodePlugin> plugin = Optional.empty();
    private long version;
    private boolean wasStaged;
    private int failures;
    private Duration tried = Duration.ZERO;
    private long begun;
    private @Nullable BlockedBy blockedBy;

    VolumeRetries(VolumeParts parts, VolumeKey key) {
        this.parts = parts;
        this.key = key;
    }

    /** Looks at what may change, before a try. */
    void beforeTry() {
        plugin = parts.plugins().current(key.pluginId());
        version = parts.journal().version();
        wasStaged = isStaged();
        begun = parts.time().nanos();
    }

    /** Counts a try that ended so. */
    void count(StepBlocked wait) {
        if (wait.until() == StepBlocked.Until.TRIED_AGAIN) {
            countSinceBegun();
        }
    }

    /** Whether it was tried for as long as that. */
    boolean hasTriedFor(Duration bound) {
        return tried.compareTo(bound) >= 0;
    }

    private void countSinceBegun() {
        long now = parts.time().nanos();
        tried = tried.plusNanos(Math.max(0, now - begun));
        begun = now;
    }

    /** How long to wait after a try that ended so. */
    Duration after(StepBlocked wait) {
        return switch (wait.until()) {
            case PLUGIN -> {
                failures = 0;
                yield AT_MOST;
            }
            case VOLUME, PERSON -> AT_MOST;
            case TRIED_AGAIN -> parts.limits().again().wait(failures++, parts.chance());
        };
    }

    /** In the words that people read. */
    BlockedBy blockedBy(StepBlocked wait, Duration pause) {
        Instant now = parts.time().now();
        @Nullable Instant next = wait.until() == StepBlocked.Until.TRIED_AGAIN ? now.plus(pause) : null;
        return tell(wait.step(), wait.holder(), next, wait.hint());
    }

    /** While another does something with the volume. */
    BlockedBy blockedBy(String otherWork) {
        return tell("turn", otherWork, null, "one thing at a time is done with a volume");
    }

    /** What was waited for last; empty before the first wait. */
    Optional<BlockedBy> lastStory() {
        return Optional.ofNullable(blockedBy);
    }

    /** Blocks until trying again may help. */
    void await(StepBlocked wait, Duration pause) throws InterruptedException {
        Deadline deadline = Deadline.in(parts.time(), pause);
        switch (wait.until()) {
            case PLUGIN, PERSON -> parts.plugins().awaitChange(key.pluginId(), plugin, () -> false, deadline);
            case TRIED_AGAIN -> {
                parts.plugins().awaitChange(key.pluginId(), plugin, () -> !wasStaged && isStaged(), deadline);
                countSinceBegun();
            }
            case VOLUME -> parts.journal().awaitChange(version, deadline);
        }
    }

    /** What another user of the volume could do, this one need not wait out its pause for. */
    private boolean isStaged() {
        Staging staging = parts.journal().volume(key).staging();
        return staging != null && staging.isStagedIn(parts.boot());
    }

    private BlockedBy tell(String step, String holder, @Nullable Instant next, String hint) {
        boolean same = blockedBy != null
                && blockedBy.step().equals(step)
                && blockedBy.holder().equals(holder);
        Instant since =
                same && blockedBy != null ? blockedBy.since() : parts.time().now();
        BlockedBy told = new BlockedBy(step, holder, since, next, hint);
        blockedBy = told;
        return told;
    }
}
