package io.cleat.fuzz.requests;

import java.nio.charset.StandardCharsets;

/**
 * One request, or what is no request.
 *
 * @param route that it is for
 * @param kind of damage
 * @param bytes as they go over the wire
 * @param answer what the sender does with the answer
 */
@SuppressWarnings("ArrayRecordComponent")
public record Attack(String route, Kind kind, byte[] bytes, Answer answer) {
    /** What is wrong with it. */
    public enum Kind {
        NOTHING,
        FIELD,
        BODY,
        VARIABLE,
        QUERY,
        HEADER,
        METHOD,
        LENGTH,
        CHUNKS,
        HALF,
        PIPELINE,
        GARBAGE,
        WEBSOCKET
    }

    /** What the sender does with the answer. */
    public enum Answer {
        /** It comes whole, and the connection goes on. */
        READ,
        /** Its head comes; the rest may never end, so the connection is cut. */
        CUT,
        /** If one comes it is read until nothing comes for a moment; the connection is cut. */
        IF_ANY
    }

    /** A line that sends it again, for a shell in the data directory. */
    public String line() {
        StringBuilder line = new StringBuilder("printf '");
        for (byte one : bytes) {
            if (one >= ' ' && one < 127 && one != '\'' && one != '\\' && one != '%') {
                line.append((char) one);
            } else {
                line.append(String.format("\\%03o", one & 0xff));
            }
        }
        return line.append("' | socat -t 30 - UNIX-CONNECT:http.sock").toString();
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
