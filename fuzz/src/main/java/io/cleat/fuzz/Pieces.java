package io.cleat.fuzz;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Where the pieces of a text are: words, numbers, quoted texts, and what stands between brackets. They are those of
 * JSON, of job files, of templates and of filters alike, and of nothing exactly.
 */
final class Pieces {
    private static final int MOST = 4_000;

    /**
     * One piece.
     *
     * @param from its first byte
     * @param to behind its last byte
     */
    record Piece(int from, int to) {
        int size() {
            return to - from;
        }
    }

    private Pieces() {}

    static List<Piece> of(byte[] text) {
        List<Piece> found = new ArrayList<>();
        Deque<Integer> open = new ArrayDeque<>();
        int at = 0;
        while (at < text.length && found.size() < MOST) {
            int c = text[at];
            int end = at + 1;
            if (c == '"') {
                end = endOfQuoted(text, at);
                found.add(new Piece(at, end));
            } else if (isWord(c)) {
                while (end < text.length && isWord(text[end])) {
                    end++;
                }
                found.add(new Piece(at, end));
            } else if (c == '{' || c == '[' || c == '(') {
                open.push(at);
            } else if ((c == '}' || c == ']' || c == ')') && !open.isEmpty()) {
                found.add(new Piece(open.pop(), end));
            }
            at = end;
        }
        return found;
    }

    private static int endOfQuoted(byte[] text, int from) {
        for (int at = from + 1; at < text.length; at++) {
            if (text[at] == '\\') {
                at++;
            } else if (text[at] == '"' || text[at] == '\n') {
                return at + 1;
            }
        }
        return text.length;
    }

    private static boolean isWord(int c) {
        return (c >= '0' && c <= '9')
                || (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || c == '_'
                || c == '-'
                || c == '.';
    }
}
