package io.cleat.http;

import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.TextRule;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Percent-encoding (RFC 3986 section 2.1) of UTF-8. What stands for no valid text is refused, never replaced: two
 * different ids must not become the same one.
 */
final class Percent {
    private Percent() {}

    /**
     * @param where the text stands, {@code path} or {@code query}
     * @throws Refused {@link Refusal.Malformed} if it is not encoded, not UTF-8, or breaks {@link TextRule}
     */
    static String decode(String where, String encoded) throws Refused {
        String text = encoded.indexOf('%') < 0 ? encoded : decoded(where, encoded);
        Optional<String> fault = TextRule.fault(text);
        if (fault.isPresent()) {
            throw refused("the request's " + where + " " + fault.get());
        }
        return text;
    }

    private static String decoded(String where, String encoded) throws Refused {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(encoded.length());
        int at = 0;
        while (at < encoded.length()) {
            int next = encoded.indexOf('%', at);
            int end = next < 0 ? encoded.length() : next;
            // A character outside of ASCII that came unencoded is itself.
            bytes.writeBytes(encoded.substring(at, end).getBytes(StandardCharsets.UTF_8));
            if (next >= 0) {
                bytes.write(code(where, encoded, next));
                end = next + 3;
            }
            at = end;
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException invalid) {
            throw refused("the request's " + where + " is not percent-encoded UTF-8");
        }
    }

    private static int code(String where, String encoded, int at) throws Refused {
        int high = at + 2 < encoded.length() ? Character.digit(encoded.charAt(at + 1), 16) : -1;
        int low = high < 0 ? -1 : Character.digit(encoded.charAt(at + 2), 16);
        if (low < 0) {
            throw refused(
                    "the request's " + where + " is not percent-encoded: after each % come two digits from 0 to f");
        }
        return high * 16 + low;
    }

    private static Refused refused(String message) {
        return new Refused(new Refusal.Malformed(message));
    }
}
