package io.cleat.agent.task;

import io.cleat.base.BackOff;
import io.cleat.base.Threads;
import io.cleat.base.Trouble;
import java.time.Duration;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes steps that have to be taken whatever is met, such as ending a task that runs: after a fault, which is told, or
 * a trouble it is taken again a little later. What it was for is never said to be done before.
 */
public final class UntilDone {
    private static final Logger LOG = LoggerFactory.getLogger(UntilDone.class);
    /** How long is waited between two tries of what is to be done whatever is met. */
    public static final BackOff AGAIN = new BackOff(Duration.ofMillis(200), Duration.ofSeconds(30));

    private final TaskParts parts;
    private final String what;

    /** @param what is worked on, such as {@code task/ID/NAME} */
    public UntilDone(TaskParts parts, String what) {
        this.parts = parts;
        this.what = what;
    }

    /** Something that may not be known, or not be possible, now. */
    @FunctionalInterface
    public interface Question<T> {
        T ask() throws Trouble, InterruptedException;
    }

    /** Takes a step that may be taken twice; a fault of it is contained. */
    public void take(Threads.Body step) throws InterruptedException {
        for (int failures = 0; ; failures++) {
            try {
                step.run();
                return;
            } catch (RuntimeException | Error fault) {
                parts.threads().faults().contain(what, fault);
            }
            pause(parts, failures);
        }
    }

    /**
     * Asks until there is an answer, without one that is made up. Faults are the caller's.
     *
     * @param first is told of the first trouble; each is logged
     */
    public <T> T ask(Question<T> question, Consumer<Trouble> first) throws InterruptedException {
        for (int failures = 0; ; failures++) {
            try {
                return question.ask();
            } catch (Trouble trouble) {
                LOG.warn("{}: not yet, {}", what, trouble.reason());
                if (failures == 0) {
                    first.accept(trouble);
                }
            }
            pause(parts, failures);
        }
    }

    /** Waits until the next try of what has failed so often. */
    public static void pause(TaskParts parts, int failures) throws InterruptedException {
        parts.time().sleep(AGAIN.wait(failures, parts.chance()));
    }
}
