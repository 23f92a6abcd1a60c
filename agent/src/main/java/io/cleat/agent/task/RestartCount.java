package io.cleat.agent.task;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How often a task was restarted lately, as its policy counts.
 *
 * @param count restarts in the interval, from 0
 * @param since when the interval began, by the machine's clock
 * @param next when the task is to be started again; null if nothing is waited for
 */
public record RestartCount(
        int count, Instant since, @Nullable Instant next) {
    /** The same count; nothing is waited for. */
    RestartCount withoutWait() {
        return new RestartCount(count, since, null);
    }
}
