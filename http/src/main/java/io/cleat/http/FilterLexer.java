package io.cleat.http;

import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import java.util.ArrayList;
import java.util.List;

/** Cuts a filter expression into words, quoted texts and signs. */
final class FilterLexer {
    private final String text;
    private final List<Token> tokens = new ArrayList<>();
    private int at;

    /** What a token is. */
    enum Kind {
        WORD,
        QUOTED,
        SIGN,
        END
    }

    /**
     * One token.
     *
     * @param text of a quoted text, without its quotes
     * @param column from 1
     */
    record Token(Kind kind, String text, int column) {
        boolean is(String sign) {
            return kind == Kind.SIGN && text.equals(sign);
        }

        boolean isWord(String word) {
            return kind == Kind.WORD && text.equals(word);
        }
    }

    private FilterLexer(String text) {
        this.text = text;
    }

    static List<Token> tokens(String text) throws Refused {
        FilterLexer lexer = new FilterLexer(text);
        lexer.run();
        return lexer.tokens;
    }

    static Refused fault(int column, String expected) {
        return new Refused(new Refusal.Malformed(
                "failed to create result paginator: failed to read filter expression: 1:" + column + ": " + expected));
    }

    private void run() throws Refused {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (Character.isWhitespace(c)) {
                at++;
            } else if (c == '"' || c == '`') {
                quoted(c);
            } else if (isWordPart(c)) {
                word();
            } else if (text.startsWith("==", at) || text.startsWith("!=", at)) {
                sign(2);
            } else if ("()[]{}.,".indexOf(c) >= 0) {
                sign(1);
            } else {
                throw fault(at + 1, "unexpected '" + c + "'");
            }
        }
        tokens.add(new Token(Kind.END, "", at + 1));
    }

    private void sign(int length) {
        tokens.add(new Token(Kind.SIGN, text.substring(at, at + length), at + 1));
        at += length;
    }

    private void word() {
        int start = at;
        while (at < text.length() && isWordPart(text.charAt(at))) {
            at++;
        }
        // A point within digits belongs to a number; else it separates the parts of a name.
        if (isNumber(text.substring(start, at)) && isFraction()) {
            at++;
            while (at < text.length() && Character.isDigit(text.charAt(at))) {
                at++;
            }
        }
        tokens.add(new Token(Kind.WORD, text.substring(start, at), start + 1));
    }

    private void quoted(char quote) throws Refused {
        int start = at++;
        StringBuilder value = new StringBuilder();
        while (at < text.length() && text.charAt(at) != quote) {
            if (quote == '"' && text.charAt(at) == '\\' && at + 1 < text.length()) {
                at++;
            }
            value.append(text.charAt(at++));
        }
        if (at == text.length()) {
            throw fault(start + 1, "this quoted text has no end");
        }
        at++;
        tokens.add(new Token(Kind.QUOTED, value.toString(), start + 1));
    }

    private boolean isFraction() {
        return at + 1 < text.length() && text.charAt(at) == '.' && Character.isDigit(text.charAt(at + 1));
    }

    private static boolean isNumber(String word) {
        return word.matches("-?\\d+");
    }

    private static boolean isWordPart(char c) {
        return Character.isLetterOrDigit(c) || c == '_' || c == '-' || c == '/' || c == '*';
    }
}
