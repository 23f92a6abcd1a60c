package io.cleat.server.duty;

import io.cleat.base.Trouble;
import io.cleat.state.TableName;
import java.time.Duration;
import java.util.Set;

/** One thing that the leader does again and again. Used by one thread per reign. */
interface Duty {
    String name();

    /** After how long a row is looked at again in which a fault was met. */
    Duration AFTER_FAULT = Duration.ofSeconds(30);

    /** A change of these tables is a reason to look again. */
    Set<TableName> tables();

    /**
     * Does what the newest image asks for.
     *
     * @return after how long to look again though nothing has changed
     * @throws Trouble something did not cooperate; it is tried again with back-off
     */
    Duration turn() throws Trouble, InterruptedException;
}
