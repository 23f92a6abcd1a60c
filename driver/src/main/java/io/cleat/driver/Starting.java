package io.cleat.driver;

/** Whoever waits for a task to be started, which may take as long as an image is large. */
public interface Starting {
    /** Nobody is told, and the task stays wanted. */
    Starting ALONE = new Starting() {
        @Override
        public void told(String words) {}

        @Override
        public boolean isWanted() {
            return true;
        }
    };

    /** How far it has come, in words for people; a few of them, not one a second. */
    void told(String words);

    /** Whether the task is still to be started; once it is not, {@link TaskDriver#start} ends. */
    boolean isWanted();
}
