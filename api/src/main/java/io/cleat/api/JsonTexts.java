package io.cleat.api;

import io.cleat.base.InputLimits;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.TextRule;
import io.cleat.base.VisibleText;
import java.util.Optional;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.TokenStreamContext;
import tools.jackson.core.TokenStreamLocation;

/**
 * Looks at every name and text of a JSON document before it is read into records, also at those that no record has:
 * {@link TextRule} holds for all of them. What is wrong is said with its place; the text itself is not, it may be a
 * secret.
 */
final class JsonTexts {
    private static final byte DELETE = 0x7f;

    private JsonTexts() {}

    /**
     * Whether a document needs no such look, by its bytes alone: all are printable ASCII or white space, none begins an
     * escape, and there are too few of them for a text, and for lists and objects, beyond the bounds. So it is with
     * almost all that programs send.
     */
    static boolean areSurelyRight(byte[] json, int most) {
        if (json.length > InputLimits.TEXT_CHARS) {
            return false;
        }
        int parts = 0;
        for (byte b : json) {
            boolean isPlain = b >= ' ' ? b != '\\' && b != DELETE : b == '\n' || b == '\r' || b == '\t';
            if (!isPlain) {
                return false;
            }
            parts += b == '{' || b == '[' ? 1 : 0;
        }
        return parts <= most;
    }

    /**
     * Reads {@code tokens} to their end.
     *
     * @param most lists and objects in it
     * @throws Refused {@link Refusal.Malformed} for the first text that breaks the rule, or the first list or object
     *     beyond {@code most}
     */
    static void check(JsonParser tokens, int most) throws Refused {
        int parts = 0;
        for (JsonToken token = tokens.nextToken(); token != null; token = tokens.nextToken()) {
            if (token == JsonToken.PROPERTY_NAME) {
                require(tokens, "a name", tokens.currentName());
            } else if (token == JsonToken.VALUE_STRING) {
                require(tokens, "the text", tokens.getString());
            } else if (token.isStructStart() && ++parts > most) {
                throw new Refused(new Refusal.Malformed("the JSON has more than "
                        + most
                        + " lists and objects"
                        + line(tokens)
                        + "; send less at once"));
            }
        }
    }

    private static void require(JsonParser tokens, String what, String text) throws Refused {
        Optional<String> fault = TextRule.fault(text);
        if (fault.isPresent()) {
            throw new Refused(
                    new Refusal.Malformed(what + place(tokens.streamReadContext()) + " " + fault.get() + line(tokens)));
        }
    }

    private static String line(JsonParser tokens) {
        TokenStreamLocation at = tokens.currentTokenLocation();
        return " (line " + at.getLineNr() + ", column " + at.getColumnNr() + ")";
    }

    private static String place(TokenStreamContext context) {
        StringBuilder path = new StringBuilder();
        for (TokenStreamContext at = context; at != null && !at.inRoot(); at = at.getParent()) {
            String step = at.inArray()
                    ? "[" + at.getCurrentIndex() + "]"
                    : "." + VisibleText.cut(at.currentName() + "", JsonFault.SHOWN);
            path.insert(0, step);
        }
        return path.isEmpty() ? "" : " at " + (path.charAt(0) == '.' ? path.substring(1) : path);
    }
}
