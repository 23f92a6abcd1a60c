package io.cleat.jobspec.hcl;

import io.cleat.jobspec.hcl.Expr.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A template in the order in which it is read, before its directives are put into each other. Spaces can still be
 * stripped here, across directives. Not thread-safe.
 */
final class TemplatePieces {
    /** What is read before it has its place. */
    sealed interface Piece permits Text, Hole, Mark {}

    /** Text, from which spaces can still go. */
    record Text(StringBuilder text) implements Piece {}

    /** An expression in the text. */
    record Hole(Expr of) implements Piece {}

    /** A directive. */
    record Mark(Word word, Optional<Expr> condition, Optional<Expr.Loop> loop, Span at) implements Piece {

        /** The first word of a directive. */
        enum Word {
            IF("if"),
            ELSE("else"),
            ENDIF("endif"),
            FOR("for"),
            ENDFOR("endfor"),
            /** Where the template ends. */
            NONE("the end");

            private final String text;

            Word(String text) {
                this.text = text;
            }

            String text() {
                return text;
            }
        }
    }

    private final List<Piece> pieces = new ArrayList<>();
    private int at;

    void character(int c) {
        last().appendCodePoint(c);
    }

    void text(String text) {
        last().append(text);
    }

    void hole(Expr of) {
        pieces.add(new Hole(of));
    }

    void mark(Mark mark) {
        pieces.add(mark);
    }

    private StringBuilder last() {
        if (pieces.isEmpty() || !(pieces.getLast() instanceof Text)) {
            pieces.add(new Text(new StringBuilder()));
        }
        return ((Text) pieces.getLast()).text;
    }

    private final List<Integer> strippedBefore = new ArrayList<>();
    private final List<Integer> strippedBehind = new ArrayList<>();

    /** The spaces before the hole that is read next go. */
    void stripBefore() {
        strippedBefore.add(pieces.size());
    }

    /** The spaces behind the hole that was read last go. */
    void stripBehind() {
        strippedBehind.add(pieces.size());
    }

    private void strip() {
        for (int index : strippedBefore) {
            if (index > 0 && pieces.get(index - 1) instanceof Text(StringBuilder text)) {
                int keep = text.length();
                while (keep > 0 && Character.isWhitespace(text.charAt(keep - 1))) {
                    keep--;
                }
                text.setLength(keep);
            }
        }
        for (int index : strippedBehind) {
            if (index < pieces.size() && pieces.get(index) instanceof Text(StringBuilder text)) {
                int drop = 0;
                while (drop < text.length() && Character.isWhitespace(text.charAt(drop))) {
                    drop++;
                }
                text.delete(0, drop);
            }
        }
    }

    /** Takes the indentation that all lines with something on them have in common from each. */
    void dropIndentation() {
        int least = Integer.MAX_VALUE;
        for (int i = 0; i < pieces.size(); i++) {
            least = Math.min(least, indentation(i));
        }
        for (int i = 0; i < pieces.size(); i++) {
            if (pieces.get(i) instanceof Text(StringBuilder text)) {
                drop(text, least, i == 0);
            }
        }
    }

    /** The least indentation of the lines that begin in a piece. */
    private int indentation(int index) {
        if (!(pieces.get(index) instanceof Text(StringBuilder text))) {
            return index == 0 ? 0 : Integer.MAX_VALUE;
        }
        int least = Integer.MAX_VALUE;
        boolean last = index == pieces.size() - 1;
        for (int line = index == 0 ? 0 : lineBehind(text, 0); line >= 0; ) {
            int to = blanksEnd(text, line);
            boolean blank = to == text.length() ? last : "\r\n".indexOf(text.charAt(to)) >= 0;
            if (!blank) {
                least = Math.min(least, to - line);
            }
            line = lineBehind(text, to);
        }
        return least;
    }

    private static void drop(StringBuilder text, int width, boolean first) {
        StringBuilder kept = new StringBuilder(text.length());
        int copied = 0;
        for (int line = first ? 0 : lineBehind(text, 0); line >= 0; ) {
            kept.append(text, copied, line);
            copied = Math.min(blanksEnd(text, line), line + Math.min(width, text.length()));
            line = lineBehind(text, copied);
        }
        kept.append(text, copied, text.length());
        text.setLength(0);
        text.append(kept);
    }

    private static int lineBehind(StringBuilder text, int from) {
        int end = text.indexOf("\n", from);
        return end < 0 ? -1 : end + 1;
    }

    private static int blanksEnd(StringBuilder text, int from) {
        int at = from;
        while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
            at++;
        }
        return at;
    }

    /** The parts, directives put into each other. Called once, at the end. */
    List<Part> tree() throws SyntaxError {
        strip();
        List<Part> parts = new ArrayList<>();
        Mark end = parts(parts, 0);
        if (end.word != Mark.Word.NONE) {
            throw new SyntaxError(
                    end.at,
                    "Unexpected directive",
                    "There is no " + opener(end.word) + " that this " + end.word.text + " ends.");
        }
        return parts;
    }

    private static String opener(Mark.Word word) {
        return word == Mark.Word.ENDFOR ? "for" : "if";
    }

    private static final Mark NO_MARK = new Mark(
            Mark.Word.NONE,
            Optional.empty(),
            Optional.empty(),
            Source.of("", "").whole());

    /** Adds parts up to the directive that ends them, and returns that. */
    private Mark parts(List<Part> parts, int nesting) throws SyntaxError {
        while (at < pieces.size()) {
            switch (pieces.get(at++)) {
                case Text(StringBuilder text) -> parts.add(new Part.Text(text.toString()));
                case Hole(Expr of) -> parts.add(new Part.Hole(of));
                case Mark mark -> {
                    if (nesting > Limits.NESTING) {
                        throw new SyntaxError(
                                mark.at,
                                "Nested too deep",
                                "Directives may be nested " + Limits.NESTING + " levels deep.");
                    }
                    if (mark.condition.isPresent()) {
                        parts.add(choice(mark, mark.condition.get(), nesting + 1));
                    } else if (mark.loop.isPresent()) {
                        List<Part> each = new ArrayList<>();
                        end(mark, parts(each, nesting + 1), Mark.Word.ENDFOR);
                        parts.add(new Part.For(mark.loop.get(), each, mark.at));
                    } else {
                        return mark;
                    }
                }
            }
        }
        return NO_MARK;
    }

    private Part choice(Mark mark, Expr condition, int nesting) throws SyntaxError {
        List<Part> yes = new ArrayList<>();
        List<Part> no = new ArrayList<>();
        Mark end = parts(yes, nesting);
        if (end.word == Mark.Word.ELSE) {
            end = parts(no, nesting);
        }
        end(mark, end, Mark.Word.ENDIF);
        return new Part.If(condition, yes, no);
    }

    private static void end(Mark open, Mark end, Mark.Word expected) throws SyntaxError {
        if (end.word != expected) {
            Span at = end.word == Mark.Word.NONE ? open.at : end.at;
            throw new SyntaxError(
                    at,
                    "Unclosed directive",
                    "Expected %{" + expected.text + "} behind %{" + open.word.text + "}, found " + end.word.text + ".");
        }
    }
}
