package io.cleat.model;

/**
 * The place of a task in the life of its group, where it is not one of the main tasks.
 *
 * @param sidecar whether it runs beside the main tasks until they have ended; else it is to end by itself, and ending
 *     well is its success
 */
public record TaskLifecycle(Hook hook, boolean sidecar) {
    /** When a task starts. */
    public enum Hook implements WireNamed {
        /** Before the main tasks, which wait for its success; for a sidecar: until it runs. */
        PRESTART("prestart"),
        /** Once all main tasks have started. */
        POSTSTART("poststart"),
        /** Once every other task has ended, however it did. */
        POSTSTOP("poststop");

        private final String wire;

        Hook(String wire) {
            this.wire = wire;
        }

        @Override
        public String wire() {
            return wire;
        }
    }
}
