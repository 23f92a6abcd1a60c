package io.cleat.base;

/**
 * Notes what is being worked on, so that the next start knows it should the process end meanwhile. What was in work at
 * two such ends in a row is quarantined: whoever would work on it passes it over and says so, and the rest goes on.
 *
 * <p>Any thread.
 */
public interface InWork {
    /** Notes nothing, and quarantines nothing. */
    InWork UNNOTED = new InWork() {
        @Override
        public void begin(String what) {}

        @Override
        public void end(String what) {}

        @Override
        public boolean isQuarantined(String what) {
            return false;
        }

        @Override
        public int mostAtOnce() {
            return Integer.MAX_VALUE;
        }
    };

    /**
     * It is worked on from now on. Cheap, unless the process before this one did not end in order.
     *
     * @param what its kind and its id, such as {@code evaluation 0ad2}; the same at each start
     */
    void begin(String what);

    /** It is worked on no more, however that went. */
    void end(String what);

    /** Whether the process ended twice in a row while it was worked on. */
    boolean isQuarantined(String what);

    /**
     * How much of what a start takes up may be in work at once; from 1. As much as there is, unless the process before
     * this one did not end in order and this one has not lasted yet: then few, and one where that process had something
     * in work, so that what ends this one is known.
     */
    int mostAtOnce();
}
