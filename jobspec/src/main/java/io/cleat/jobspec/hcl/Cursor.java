package io.cleat.jobspec.hcl;

import io.cleat.base.VisibleText;
import io.cleat.jobspec.hcl.Token.Kind;

/**
 * Where the parser is: the token it looks at, and what holds there. Not thread-safe.
 *
 * <p>The token looked at is read under the rules of its own place, so whoever opens a bracket sets the rule for line
 * breaks before going over it.
 */
final class Cursor {
    private final Source source;
    private final Lexer lexer;
    private Token current;
    private int lastEnd;
    private int end;
    private int nesting;
    private int made;
    private boolean linesJoined;

    Cursor(Source source) {
        this.source = source;
        this.lexer = new Lexer(source.text());
        this.end = source.text().length();
        this.current = lexer.at(0, false, end);
    }

    Source source() {
        return source;
    }

    Lexer lexer() {
        return lexer;
    }

    Token current() {
        return current;
    }

    boolean is(Kind kind) {
        return current.kind() == kind;
    }

    boolean isName(String name) {
        return is(Kind.IDENTIFIER) && text(current).equals(name);
    }

    String text(Token token) {
        return source.text().substring(token.start(), token.end());
    }

    Span span(Token token) {
        return source.span(token.start(), token.end());
    }

    /** From {@code start} to the end of the last token gone over. */
    Span since(int start) {
        return source.span(start, Math.max(start, lastEnd));
    }

    /** The token behind the one looked at. */
    Token peek() {
        return read(current.end(), is(Kind.DOT));
    }

    /** Goes over the token looked at and returns it. */
    Token next() {
        Token gone = current;
        lastEnd = gone.end();
        current = read(gone.end(), gone.kind() == Kind.DOT);
        return gone;
    }

    private Token read(int from, boolean afterDot) {
        Token token = lexer.at(from, afterDot, end);
        while (linesJoined && token.kind() == Kind.NEWLINE) {
            token = lexer.at(token.end(), false, end);
        }
        return token;
    }

    /** Goes on at {@code position}. */
    void jump(int position) {
        lastEnd = position;
        current = read(position, false);
    }

    Token expect(Kind kind, String why) throws SyntaxError {
        if (!is(kind)) {
            throw unexpected("Expected \"" + kind.text() + "\" " + why);
        }
        return next();
    }

    /** A fault at the token looked at; says what was found. */
    SyntaxError unexpected(String expected) {
        return new SyntaxError(span(current), "Invalid expression", expected + ", found " + found() + ".");
    }

    String found() {
        return switch (current.kind()) {
            case NEWLINE, END -> current.kind().text();
            case IDENTIFIER, NUMBER -> shortened(text(current));
            default -> "\"" + shortened(text(current)) + "\"";
        };
    }

    private static String shortened(String text) {
        return text.length() <= 40 ? text : VisibleText.head(text, 40) + "...";
    }

    /** Whether line breaks mean nothing from the next token on; returns what held before. */
    boolean joinLines(boolean joined) {
        boolean before = linesJoined;
        linesJoined = joined;
        return before;
    }

    /** Sets where the text ends from the next token on; returns where it ended before. */
    int endAt(int position) {
        int before = end;
        end = position;
        return before;
    }

    int end() {
        return end;
    }

    int nesting() {
        return nesting;
    }

    void enter() throws SyntaxError {
        if (++nesting > Limits.NESTING) {
            throw new SyntaxError(
                    span(current),
                    "Nested too deep",
                    "Blocks, brackets and templates may be nested " + Limits.NESTING + " levels deep.");
        }
    }

    /** Something more is read: its size is counted before what it holds is read. */
    void made() throws SyntaxError {
        if (++made > Limits.PARSED) {
            throw SyntaxError.toTheEnd(
                    span(current),
                    "Too much to read",
                    "A file may have " + Limits.PARSED + " values, attributes and blocks; split it.");
        }
    }

    void leave() {
        nesting--;
    }

    /** Goes on at {@code position} of the file, outside of all brackets. */
    void recover(int position, int nestingThere) {
        nesting = nestingThere;
        linesJoined = false;
        end = source.text().length();
        jump(position);
    }
}
