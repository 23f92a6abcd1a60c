package io.cleat.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** What comes of a command that runs in a task: one of the parts, or none as a sign of life. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ExecOutput(
        @Nullable Stream stdout,
        @Nullable Stream stderr,
        @OmitEmpty boolean exited,
        @Nullable Result result) {
    private static final byte[] END = "\"}}".getBytes(StandardCharsets.US_ASCII);

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

    /** The JSON of {@link #out}, without a look at each character: base64 needs no escapes. */
    public static byte[] outJson(byte[] bytes) {
        return bytes.length == 0 ? Json.write(out(bytes)) : json("stdout", bytes);
    }

    /** The JSON of {@link #error}, likewise. */
    public static byte[] errorJson(byte[] bytes) {
        return bytes.length == 0 ? Json.write(error(bytes)) : json("stderr", bytes);
    }

    private static byte[] json(String stream, byte[] bytes) {
        byte[] begin = ("{\"" + stream + "\":{\"data\":\"").getBytes(StandardCharsets.US_ASCII);
        byte[] base64 = Base64.getEncoder().encode(bytes);
        return ByteBuffer.allocate(begin.length + base64.length + END.length)
                .put(begin)
                .put(base64)
                .put(END)
                .array();
    }

    private static Stream stream(byte[] bytes) {
        return new Stream(Base64.getEncoder().encodeToString(bytes), false);
    }
}
