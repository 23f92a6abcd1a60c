package io.cleat.jobspec.hcl;

import io.cleat.jobspec.hcl.TemplatePieces.Mark;
import io.cleat.jobspec.hcl.TemplatePieces.Mark.Word;
import io.cleat.jobspec.hcl.Token.Kind;
import java.util.Optional;

/** Reads text with holes: quoted strings and heredocs. */
final class TemplateParser {
    private final Cursor cursor;
    private final ExpressionParser expressions;
    private final String text;

    TemplateParser(Cursor cursor, ExpressionParser expressions) {
        this.cursor = cursor;
        this.expressions = expressions;
        this.text = cursor.source().text();
    }

    /** At an opening quote; goes over the closing one. */
    Expr quoted() throws SyntaxError {
        cursor.enter();
        Token open = cursor.current();
        TemplatePieces pieces = new TemplatePieces();
        int at = open.end();
        while (at >= cursor.end() || text.charAt(at) != '"') {
            if (at >= cursor.end() || text.charAt(at) == '\n') {
                throw new SyntaxError(
                        cursor.source().span(open.start(), Math.min(at, cursor.end())),
                        "Unterminated string",
                        "The closing quote is missing. Text of several lines is written as a heredoc (<<EOF).");
            }
            at = text.charAt(at) == '\\' ? escape(at, pieces) : piece(at, pieces);
        }
        cursor.jump(at + 1);
        cursor.leave();
        Span span = cursor.source().span(open.start(), at + 1);
        return new Expr.Template(pieces.tree(), span);
    }

    /** At {@code <<}; goes over the closing word. */
    Expr heredoc() throws SyntaxError {
        cursor.enter();
        Token open = cursor.current();
        boolean indented = text.charAt(open.end()) == '-';
        int nameStart = open.end() + (indented ? 1 : 0);
        int nameEnd = cursor.lexer().nameEnd(nameStart, cursor.end());
        Span head = cursor.source().span(open.start(), nameEnd);
        String word = text.substring(nameStart, nameEnd);
        int lineEnd = cursor.lexer().lineEnd(nameEnd);
        if (!text.substring(nameEnd, lineEnd).isBlank()) {
            throw new SyntaxError(head, "Invalid heredoc", "The text begins on the line behind <<" + word + ".");
        }
        int first = Math.min(lineEnd + 1, cursor.end());
        int last = closingLine(first, word, cursor.end());
        if (last < 0) {
            throw SyntaxError.toTheEnd(head, "Unterminated heredoc", "There is no line that says only " + word + ".");
        }
        TemplatePieces pieces = heredocPieces(first, last);
        if (indented) {
            pieces.dropIndentation();
        }
        int close = text.indexOf(word, last) + word.length();
        cursor.jump(close);
        cursor.leave();
        return new Expr.Template(pieces.tree(), cursor.source().span(open.start(), close));
    }

    private TemplatePieces heredocPieces(int first, int last) throws SyntaxError {
        TemplatePieces pieces = new TemplatePieces();
        int before = cursor.endAt(last);
        for (int at = first; at < last; ) {
            at = piece(at, pieces);
        }
        cursor.endAt(before);
        return pieces;
    }

    /** Where the line that closes a heredoc begins, or -1. */
    private int closingLine(int first, String word, int end) {
        for (int at = first; at < end; ) {
            int lineEnd = Math.min(end, cursor.lexer().lineEnd(at));
            if (text.substring(at, lineEnd).strip().equals(word)) {
                return at;
            }
            at = lineEnd + 1;
        }
        return -1;
    }

    /** Reads one character, hole or directive; returns where the next begins. */
    private int piece(int at, TemplatePieces pieces) throws SyntaxError {
        if (text.startsWith("$${", at) || text.startsWith("%%{", at)) {
            pieces.text(text.substring(at + 1, at + 3));
            return at + 3;
        }
        if (text.startsWith("${", at)) {
            boolean joined = cursor.joinLines(true);
            cursor.jump(open(at, pieces));
            pieces.hole(expressions.parse());
            return close(pieces, joined);
        }
        if (text.startsWith("%{", at)) {
            boolean joined = cursor.joinLines(true);
            cursor.jump(open(at, pieces));
            pieces.mark(mark());
            return close(pieces, joined);
        }
        int c = text.codePointAt(at);
        pieces.character(c);
        return at + Character.charCount(c);
    }

    private int open(int at, TemplatePieces pieces) {
        if (at + 2 < text.length() && text.charAt(at + 2) == '~') {
            pieces.stripBefore();
            return at + 3;
        }
        return at + 2;
    }

    private int close(TemplatePieces pieces, boolean joinedOutside) throws SyntaxError {
        if (cursor.is(Kind.STRIP)) {
            cursor.next();
            pieces.stripBehind();
        }
        if (!cursor.is(Kind.CLOSE_BRACE)) {
            throw cursor.unexpected("Expected \"}\" to close the template (a literal ${ is written $${)");
        }
        cursor.joinLines(joinedOutside);
        return cursor.current().end();
    }

    private Mark mark() throws SyntaxError {
        Token word = cursor.current();
        if (cursor.isName("if")) {
            cursor.next();
            Expr condition = expressions.parse();
            return new Mark(Word.IF, Optional.of(condition), Optional.empty(), cursor.since(word.start()));
        }
        if (cursor.isName("for")) {
            Expr.Loop loop = expressions.loop();
            return new Mark(Word.FOR, Optional.empty(), Optional.of(loop), cursor.since(word.start()));
        }
        for (Word end : new Word[] {Word.ELSE, Word.ENDIF, Word.ENDFOR}) {
            if (cursor.isName(end.text())) {
                cursor.next();
                return new Mark(end, Optional.empty(), Optional.empty(), cursor.span(word));
            }
        }
        throw cursor.unexpected("Expected if, else, endif, for or endfor (a literal %{ is written %%{)");
    }

    /** At a backslash in a quoted string; returns where the next character begins. */
    private int escape(int at, TemplatePieces pieces) throws SyntaxError {
        char kind = at + 1 < cursor.end() ? text.charAt(at + 1) : '\n';
        int digits = switch (kind) {
            case 'u' -> 4;
            case 'U' -> 8;
            default -> 0;
        };
        if (digits > 0) {
            int stop = Math.min(at + 2 + digits, cursor.end());
            pieces.character(codePoint(at, stop, digits));
            return stop;
        }
        int c = switch (kind) {
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case '"', '\\' -> kind;
            default ->
                throw new SyntaxError(
                        cursor.source().span(at, at + (kind == '\n' ? 1 : 2)),
                        "Invalid escape",
                        "A backslash stands before n, r, t, \", \\, uNNNN or UNNNNNNNN; a backslash itself is written "
                                + "\\\\.");
        };
        pieces.character(c);
        return at + 2;
    }

    private int codePoint(int at, int stop, int digits) throws SyntaxError {
        String hex = text.substring(at + 2, stop);
        boolean whole = hex.length() == digits && hex.chars().allMatch(TemplateParser::isHex);
        long c = whole ? Long.parseLong(hex, 16) : -1;
        if (c < 0 || c > Character.MAX_CODE_POINT || (c >= 0xd800 && c <= 0xdfff)) {
            throw new SyntaxError(
                    cursor.source().span(at, at + 2),
                    "Invalid escape",
                    "Expected the " + digits + " hexadecimal digits of a Unicode character.");
        }
        return (int) c;
    }

    private static boolean isHex(int c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    }
}
