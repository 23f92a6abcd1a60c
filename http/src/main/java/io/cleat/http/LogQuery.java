package io.cleat.http;

/**
 * Which output of a task is wanted.
 *
 * @param offset in bytes from {@code origin}; never negative
 * @param fromEnd whether {@code offset} counts back from the end of what there is
 * @param follow whether to wait for more at the end
 */
public record LogQuery(String allocId, String task, Stream stream, long offset, boolean fromEnd, boolean follow) {
    /** One of a task's two outputs. */
    public enum Stream {
        STDOUT("stdout"),
        STDERR("stderr");

        private final String wire;

        Stream(String wire) {
            this.wire = wire;
        }

        /** The name on the wire and in file names. */
        public String wire() {
            return wire;
        }
    }
}
