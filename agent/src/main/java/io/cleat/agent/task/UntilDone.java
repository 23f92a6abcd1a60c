package io.cleat.agent.task;

import io.cleat.base.BackOff;
import io.cleat.base.Threads;
import java.time.Duration;

/**
 * Takes steps that have to be taken whatever is met, such as ending a task that runs: after a
 * fault, which is told, it is taken again a little later. What it was for is never said to be done
 * before.
 */
public final class UntilDone {
    private static final BackOff AGAIN =
            new BackOff(Duration.ofMillis(200), Duration.ofSeconds(30));

    private final TaskParts parts;
    private final String what;

    /**
     * @param what is worked on, such as {@code task/ID/NAME}
     */
    public UntilDone(TaskParts parts, String what) {
        this.parts = parts;
        this.what = what;
    }

    /** Takes a step that may be taken twice. */
    public void take(Threads.Body step) throws InterruptedException {
        for (int failures = 0; ; failures++) {
            try {
                step.run();
                return;
            } catch (RuntimeException | Error fault) {
                parts.threads().faults().contain(what, fault);
            }
            parts.time().sleep(AGAIN.wait(failures, parts.chance()));
        }
    }
}
