package io.cleat.driver;

import io.cleat.base.DriverTrouble;
import java.util.Map;

/**
 * The part of a driver whose tasks join no network namespace but one that it has made itself.
 *
 * <p>Any thread, of one allocation one at a time.
 */
public interface NetworkMaker {
    /**
     * A namespace that a driver has made.
     *
     * @param path the file that holds it; empty if that is not known
     * @param labels what the driver is told of it again; nobody else reads them
     */
    record Made(String path, Map<String, String> labels) {
        public Made {
            labels = Map.copyOf(labels);
        }
    }

    /**
     * Makes an allocation's namespace. Idempotent.
     *
     * @param hostname of the allocation; empty if it is not known yet
     */
    Made make(String allocId, String hostname) throws DriverTrouble, InterruptedException;

    /** Undoes {@link #make}, also one that failed or was not heard of. Idempotent. */
    void unmake(String allocId, Made made) throws DriverTrouble, InterruptedException;
}
