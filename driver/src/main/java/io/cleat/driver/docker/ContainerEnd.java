package io.cleat.driver.docker;

import io.cleat.base.Deadline;
import io.cleat.base.DriverTrouble;
import io.cleat.base.Time;
import io.cleat.driver.ExitResult;
import io.cleat.driver.TaskLost;
import java.time.Duration;

/**
 * Waits for the end of a container, with its output copied, and says how it ended. An engine that is started again is
 * waited for; whoever waits is told of one that stays away.
 *
 * <p>Used by any thread, which it blocks. Holds nothing.
 */
final class ContainerEnd {
    /** How long a wait at the engine lasts before it is looked whether it still is right. */
    private static final Duration WAIT = Duration.ofMinutes(1);

    /** How long an engine may be away before whoever waits is told. */
    private static final Duration RESTARTING = Duration.ofSeconds(10);

    private static final Duration AGAIN = Duration.ofMillis(500);
    private static final Duration COPYING = Duration.ofSeconds(10);

    /** What engines say of a container that ran when the machine went down. */
    private static final int LOST_WITH_MACHINE = 255;

    private final Containers containers;
    private final LogCopies copies;
    private final Time time;

    ContainerEnd(Containers containers, LogCopies copies, Time time) {
        this.containers = containers;
        this.copies = copies;
        this.time = time;
    }

    /**
     * Blocks until it has ended, begun by this agent or an earlier one.
     *
     * @param id of its task
     * @throws TaskLost if it is gone, or the machine was restarted while it ran
     */
    ExitResult await(String id, String name) throws DriverTrouble, InterruptedException {
        Deadline patience = Deadline.in(time, RESTARTING);
        while (true) {
            try {
                Container container = containers
                        .find(name)
                        .orElseThrow(() ->
                                new TaskLost(id, "its container " + name + " is gone: somebody has removed it", false));
                copies.begin(container);
                if (!container.lives()) {
                    return result(id, container);
                }
                patience = Deadline.in(time, RESTARTING);
                containers.await(name, WAIT);
            } catch (TaskLost lost) {
                throw lost;
            } catch (DriverTrouble trouble) {
                if (patience.isExpired()) {
                    throw trouble;
                }
                time.sleep(AGAIN);
            }
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }

    private ExitResult result(String id, Container container) throws DriverTrouble, InterruptedException {
        boolean isOfOtherBoot = !container.label(Labels.BOOT).equals(ContainerStart.boot());
        if (isOfOtherBoot
                && (container.exitCode() == LOST_WITH_MACHINE
                        || container.finished().isEmpty())) {
            throw new TaskLost(id, "the machine was restarted while it ran", true);
        }
        long lost = copies.awaitDone(container.name(), COPYING);
        return Ends.of(Math.max(0, container.exitCode()), container.oomKilled(), lost);
    }
}
