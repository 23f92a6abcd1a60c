package io.cleat.api;

import java.util.Base64;

/**
 * A piece of a task's output. {@code Data} is base64; {@code Offset} is the position after the data, in bytes. A frame
 * with all parts empty is a heartbeat.
 */
public record LogFrame(
        @OmitEmpty String Data,
        @OmitEmpty String File,
        @OmitEmpty String FileEvent,
        @OmitEmpty long Offset) {
    /** How many bytes one frame carries at most. */
    public static final int MOST_BYTES = 64 * 1024;

    /** The frame that only says that the sender is alive. */
    public static final LogFrame HEARTBEAT = new LogFrame("", "", "", 0);

    /** A frame that carries {@code output} of the file {@code name}, which ends at {@code end}. */
    public static LogFrame of(byte[] output, String name, long end) {
        return new LogFrame(Base64.getEncoder().encodeToString(output), name, "", end);
    }

    /**
     * The output itself.
     *
     * @throws IllegalArgumentException if {@code Data} is not base64
     */
    public byte[] bytes() {
        return Base64.getDecoder().decode(Data);
    }
}
