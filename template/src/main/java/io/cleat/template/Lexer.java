package io.cleat.template;

import io.cleat.base.Meter;
import io.cleat.base.Refused;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Cuts a template into tokens: text, and what stands between delimiters. For one thread. */
final class Lexer {
    private static final Pattern NUMBER = Pattern.compile(
            "[+-]?(0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|(\\d[\\d_]*(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d+)?)");
    private static final Pattern WORD = Pattern.compile("[\\p{L}_][\\p{L}\\p{Nd}_]*");
    private static final Pattern STRING = Pattern.compile("\"[^\"\\\\\n]*+(?:\\\\.[^\"\\\\\n]*+)*+\"");
    private static final Pattern RAW = Pattern.compile("`[^`]*`");
    private static final Pattern CHARACTER = Pattern.compile("'(?:[^'\\\\\n]|\\\\.[^']*)'");
    private final Source source;
    private final String text;
    private final String left;
    private final String right;
    private final Meter meter;
    private final List<Token> tokens = new ArrayList<>();
    private int at;

    private Lexer(Source source, Meter meter) {
        this.meter = meter;
        this.source = source;
        this.text = source.text();
        this.left = source.delimiters().left();
        this.right = source.delimiters().right();
    }

    static List<Token> tokens(Source source, Meter meter) throws Refused {
        Lexer lexer = new Lexer(source, meter);
        try {
            meter.make(source.text().length());
        } catch (Refused tooMuch) {
            throw source.refused(0, tooMuch.refusal().message());
        }
        lexer.all();
        return lexer.tokens;
    }

    private void all() throws Refused {
        boolean trims = false;
        while (at < text.length()) {
            int begin = text.indexOf(left, at);
            int end = begin < 0 ? text.length() : begin;
            boolean trimsBefore = begin >= 0 && isTrimmed(begin + left.length());
            text(at, end, trims, trimsBefore);
            at = end;
            trims = begin >= 0 && action(begin);
        }
        tokens.add(new Token(Token.Kind.END, "", text.length(), true));
    }

    private boolean isTrimmed(int after) {
        return after + 1 < text.length() && text.charAt(after) == '-' && isSpace(after + 1);
    }

    private void text(int from, int to, boolean trimsStart, boolean trimsEnd) throws Refused {
        int start = from;
        int end = to;
        while (trimsStart && start < end && isSpace(start)) {
            start++;
        }
        while (trimsEnd && end > start && isSpace(end - 1)) {
            end--;
        }
        if (start < end) {
            add(new Token(Token.Kind.TEXT, text.substring(start, end), start, false));
        }
    }

    /** Reads from the braces at {@code begin} on; whether the text after them is trimmed. */
    private boolean action(int begin) throws Refused {
        int remark = commentEnd(begin + left.length());
        if (remark >= 0) {
            at = remark;
            return text.startsWith(" -", remark - right.length() - 2);
        }
        add(new Token(Token.Kind.LEFT, left, begin, false));
        at = begin + left.length();
        at += isTrimmed(at) ? 1 : 0;
        while (true) {
            int before = at;
            skipSpace();
            boolean isApart = at > before;
            if (at >= text.length()) {
                throw source.refused(begin, left + " without " + right);
            }
            if (isApart && text.startsWith("-" + right, at)) {
                right(1 + right.length());
                return true;
            }
            if (text.startsWith(right, at)) {
                right(right.length());
                return false;
            }
            add(token(isApart));
        }
    }

    private void right(int length) throws Refused {
        add(new Token(Token.Kind.RIGHT, right, at, true));
        at += length;
    }

    /** Behind the delimiter of the comment that begins at {@code from}; -1 if none does. */
    private int commentEnd(int from) {
        int start = from + (text.startsWith("- ", from) ? 2 : 0);
        if (!text.startsWith("/*", start)) {
            return -1;
        }
        for (int end = text.indexOf("*/", start + 2); end >= 0; end = text.indexOf("*/", end + 1)) {
            int behind = end + 2 + (text.startsWith(" -" + right, end + 2) ? 2 : 0);
            if (text.startsWith(right, behind)) {
                return behind + right.length();
            }
        }
        return -1;
    }

    private void add(Token token) throws Refused {
        // With the node that is made of it.
        try {
            meter.makeElements(1);
        } catch (Refused tooMuch) {
            throw source.refused(token.at(), tooMuch.refusal().message());
        }
        tokens.add(token);
    }

    private void skipSpace() {
        while (at < text.length() && isSpace(at)) {
            at++;
        }
    }

    private boolean isSpace(int where) {
        return " \t\r\n".indexOf(text.charAt(where)) >= 0;
    }

    private Token token(boolean isApart) throws Refused {
        int start = at;
        char first = text.charAt(at);
        Optional<Token.Kind> sign = sign(first);
        if (sign.isPresent()) {
            at += sign.get() == Token.Kind.DECLARE ? 2 : 1;
            return new Token(sign.get(), text.substring(start, at), start, isApart);
        }
        if (first == '.' || first == '$') {
            return named(first, isApart);
        }
        for (Shape shape : SHAPES) {
            Matcher matcher = shape.pattern().matcher(text).region(at, text.length());
            if (matcher.lookingAt()) {
                at = matcher.end();
                return new Token(shape.kind(), matcher.group(), start, isApart);
            }
        }
        throw source.refused(at, "\"" + first + "\" does not begin anything that is understood");
    }

    private Optional<Token.Kind> sign(char first) {
        return switch (first) {
            case '|' -> Optional.of(Token.Kind.PIPE);
            case ',' -> Optional.of(Token.Kind.COMMA);
            case '(' -> Optional.of(Token.Kind.OPEN);
            case ')' -> Optional.of(Token.Kind.CLOSE);
            case '=' -> Optional.of(Token.Kind.ASSIGN);
            case ':' -> text.startsWith(":=", at) ? Optional.of(Token.Kind.DECLARE) : Optional.empty();
            default -> Optional.empty();
        };
    }

    /** A field, a variable, a number that begins with a dot, or the dot itself. */
    private Token named(char first, boolean isApart) {
        int start = at;
        Matcher number = NUMBER.matcher(text).region(at, text.length());
        if (first == '.' && number.lookingAt()) {
            at = number.end();
            return new Token(Token.Kind.NUMBER, number.group(), start, isApart);
        }
        at++;
        Matcher word = WORD.matcher(text).region(at, text.length());
        String name = word.lookingAt() ? word.group() : "";
        at += name.length();
        Token.Kind kind = first == '$' ? Token.Kind.VARIABLE : name.isEmpty() ? Token.Kind.DOT : Token.Kind.FIELD;
        return new Token(kind, name, start, isApart);
    }

    /** How a kind of token looks. */
    private record Shape(Token.Kind kind, Pattern pattern) {}

    private static final List<Shape> SHAPES = List.of(
            new Shape(Token.Kind.NUMBER, NUMBER),
            new Shape(Token.Kind.WORD, WORD),
            new Shape(Token.Kind.STRING, STRING),
            new Shape(Token.Kind.STRING, RAW),
            new Shape(Token.Kind.CHARACTER, CHARACTER));
}
