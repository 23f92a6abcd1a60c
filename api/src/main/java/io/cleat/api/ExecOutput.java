package io.cleat.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** What comes of a command that runs in a task: one of the parts, or none as a sign of life. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ExecOutput(
        @Nullable Stream stdout,
        @Nullable Stream stderr,
        @OmitEmpty boolean exited,
        @Nullable Result result) {
    /** Output in base64, or its end. */
    public record Stream(@OmitEmpty String data, @OmitEmpty boolean close) {
        public byte[] bytes() {
            return Base64.getDecoder().decode(data);
        }
    }

    /** How it ended; 128 and the signal's number where one ended it. */
    public record Result(int exit_code) {}

    public static ExecOutput out(byte[] bytes) {
        return new ExecOutput(stream(bytes), null, false, null);
    }

    public static ExecOutput error(byte[] bytes) {
        return new ExecOutput(null, stream(bytes), false, null);
    }

    public static ExecOutput exited(int code) {
        return new ExecOutput(null, null, true, new Result(code));
    }

    private static Stream stream(byte[] bytes) {
        return new Stream(Base64.getEncoder().encodeToString(bytes), false);
    }
}
