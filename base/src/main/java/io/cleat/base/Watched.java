package io.cleat.base;

import java.util.Optional;

/**
 * Work that must go on, as a watchdog sees it. The same head for too long is work that is stuck: whoever does it hangs,
 * or lives no more.
 */
@FunctionalInterface
public interface Watched {
    /**
     * What is next to be done, or is being done. Never blocks: it is asked by a thread that has to go on when all
     * others hang.
     *
     * @return empty if there is nothing to do, or nothing can rightly be done now
     */
    Optional<Head> head();

    /**
     * What is next.
     *
     * @param work the same object for as long as it is next
     * @param words what waits, as part of a sentence: {@code 3 decisions wait to be applied}
     */
    record Head(Object work, String words) {}
}
