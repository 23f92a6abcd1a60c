package io.cleat.clusterapi.events;

import io.cleat.api.Event;
import java.util.Iterator;

/** The events of a cluster, read step by step by one thread. Has no end. */
interface EventReader {
    /** The next step; blocks until there is one, and gives a {@link Heartbeat} now and then. */
    Step next() throws InterruptedException;

    /** What reading gave. */
    sealed interface Step {}

    /**
     * What one decision did.
     *
     * @param index its version
     * @param events at least one; each is made when it is asked for
     */
    record Batch(long index, Iterator<Event> events) implements Step {}

    /**
     * What was decided between these versions, both included, is not kept any more: whoever wants to be sure looks at
     * the lists again.
     */
    record Missed(long from, long to) implements Step {}

    /** It is time to show that the stream lives. */
    record Heartbeat() implements Step {}
}
