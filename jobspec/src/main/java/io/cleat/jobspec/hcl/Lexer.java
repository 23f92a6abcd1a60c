package io.cleat.jobspec.hcl;

import io.cleat.jobspec.hcl.Token.Kind;

/**
 * Cuts a text into tokens, one at a time and from any position, so that the parser decides what comes next: a token, or
 * the characters of a template ({@link TemplateParser}). Holds no position of its own.
 */
final class Lexer {
    private static final Kind[] PAIRS = {
        Kind.ELLIPSIS,
        Kind.ARROW,
        Kind.EQUAL,
        Kind.NOT_EQUAL,
        Kind.LESS_OR_EQUAL,
        Kind.GREATER_OR_EQUAL,
        Kind.AND,
        Kind.OR
    };

    private final String text;

    Lexer(String text) {
        this.text = text;
    }

    /**
     * The token at or behind {@code from}, spaces and comments skipped.
     *
     * @param afterDot digits stand for an index, so that {@code a.0.1} has two of them
     * @param end where the text to read ends
     */
    Token at(int from, boolean afterDot, int end) {
        int start = skipBlank(from, end);
        if (start >= end) {
            return new Token(Kind.END, end, end);
        }
        int c = text.codePointAt(start);
        if (c == '\n') {
            return new Token(Kind.NEWLINE, start, start + 1);
        }
        if (startsName(c)) {
            return new Token(Kind.IDENTIFIER, start, nameEnd(start, end));
        }
        if (isDigit(c)) {
            int digits = digitsEnd(start, end);
            return new Token(Kind.NUMBER, start, afterDot ? digits : fractionEnd(digits, end));
        }
        if (c == '<' && isHeredoc(start, end)) {
            return new Token(Kind.HEREDOC, start, start + 2);
        }
        for (Kind pair : PAIRS) {
            if (text.startsWith(pair.text(), start) && start + pair.text().length() <= end) {
                return new Token(pair, start, start + pair.text().length());
            }
        }
        return new Token(single(c), start, start + Character.charCount(c));
    }

    private static Kind single(int c) {
        return switch (c) {
            case '"' -> Kind.QUOTE;
            case '{' -> Kind.OPEN_BRACE;
            case '}' -> Kind.CLOSE_BRACE;
            case '[' -> Kind.OPEN_BRACKET;
            case ']' -> Kind.CLOSE_BRACKET;
            case '(' -> Kind.OPEN_PAREN;
            case ')' -> Kind.CLOSE_PAREN;
            case '=' -> Kind.ASSIGN;
            case ':' -> Kind.COLON;
            case ',' -> Kind.COMMA;
            case '.' -> Kind.DOT;
            case '?' -> Kind.QUESTION;
            case '+' -> Kind.PLUS;
            case '-' -> Kind.MINUS;
            case '*' -> Kind.STAR;
            case '/' -> Kind.SLASH;
            case '%' -> Kind.PERCENT;
            case '!' -> Kind.NOT;
            case '<' -> Kind.LESS;
            case '>' -> Kind.GREATER;
            case '~' -> Kind.STRIP;
            default -> Kind.BAD;
        };
    }

    private int skipBlank(int from, int end) {
        int at = from;
        while (at < end) {
            char c = text.charAt(at);
            if (c == ' ' || c == '\t' || c == '\r' || (c == '\ufeff' && at == 0)) {
                at++;
            } else if (c == '#' || text.startsWith("//", at)) {
                at = Math.min(end, lineEnd(at));
            } else if (text.startsWith("/*", at)) {
                int close = text.indexOf("*/", at + 2);
                at = close < 0 ? end : Math.min(end, close + 2);
            } else {
                return at;
            }
        }
        return at;
    }

    /** Where the line break behind {@code at} is, or the end of the text. */
    int lineEnd(int at) {
        int found = text.indexOf('\n', at);
        return found < 0 ? text.length() : found;
    }

    private boolean isHeredoc(int start, int end) {
        int name = start + 2;
        if (!text.startsWith("<<", start)) {
            return false;
        }
        if (name < end && text.charAt(name) == '-') {
            name++;
        }
        return name < end && startsName(text.codePointAt(name));
    }

    private static boolean startsName(int c) {
        return c == '_' || Character.isUnicodeIdentifierStart(c);
    }

    /** Where the name that begins at {@code start} ends. */
    int nameEnd(int start, int end) {
        int at = start;
        while (at < end) {
            int c = text.codePointAt(at);
            boolean part = c == '-' || Character.isUnicodeIdentifierPart(c);
            if (!part || Character.isIdentifierIgnorable(c)) {
                return at;
            }
            at += Character.charCount(c);
        }
        return end;
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    private int digitsEnd(int start, int end) {
        int at = start;
        while (at < end && isDigit(text.charAt(at))) {
            at++;
        }
        return at;
    }

    private int fractionEnd(int from, int end) {
        int at = from;
        if (at + 1 < end && text.charAt(at) == '.' && isDigit(text.charAt(at + 1))) {
            at = digitsEnd(at + 1, end);
        }
        if (at < end && (text.charAt(at) == 'e' || text.charAt(at) == 'E')) {
            int exponent = at + 1;
            if (exponent < end && "+-".indexOf(text.charAt(exponent)) >= 0) {
                exponent++;
            }
            int stop = digitsEnd(exponent, end);
            return stop > exponent ? stop : at;
        }
        return at;
    }
}
