package io.cleat.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** What is sent to a command that runs in a task: one of the parts, or neither as a sign of life. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ExecInput(@Nullable Stdin stdin, @Nullable TerminalSize tty_size) {
    /** Says only that somebody is there. */
    public static final ExecInput HEARTBEAT = new ExecInput(null, null);

    /** Input in base64, or its end. */
    public record Stdin(@OmitEmpty String data, @OmitEmpty boolean close) {
        /**
         * The input itself.
         *
         * @throws IllegalArgumentException if it is not base64
         */
        public byte[] bytes() {
            return Base64.getDecoder().decode(data);
        }
    }

    /** In characters. */
    public record TerminalSize(int height, int width) {}

    public static ExecInput of(byte[] bytes) {
        return new ExecInput(new Stdin(Base64.getEncoder().encodeToString(bytes), false), null);
    }

    public static ExecInput end() {
        return new ExecInput(new Stdin("", true), null);
    }

    public static ExecInput size(int rows, int columns) {
        return new ExecInput(null, new TerminalSize(rows, columns));
    }
}
