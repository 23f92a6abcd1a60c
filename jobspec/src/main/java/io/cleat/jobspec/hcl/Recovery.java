package io.cleat.jobspec.hcl;

import io.cleat.jobspec.hcl.Token.Kind;
import java.util.ArrayDeque;
import java.util.Deque;

/** Finds where to go on behind an attribute or block that cannot be read. */
final class Recovery {
    /** Tokens gone over behind all faults of a file; behind more, the rest is not read. */
    private static final long MOST = 2_000_000;

    private final String text;
    private final Lexer lexer;
    private long tokens;

    Recovery(String text, Lexer lexer) {
        this.text = text;
        this.lexer = lexer;
    }

    /**
     * The line break or closing brace behind the fault that lies outside all brackets opened since {@code start}; when
     * they are never closed, the end of the faulty line.
     */
    int position(int start, SyntaxError error) {
        if (error.reachesTheEnd() || tokens > MOST) {
            return text.length();
        }
        int fault = error.at().start();
        Deque<Kind> open = new ArrayDeque<>();
        // How many of each wait: to look through all that is open would take a day.
        int[] waiting = new int[3];
        int at = start;
        while (true) {
            Token token = lexer.at(at, false, text.length());
            at = token.end();
            tokens++;
            switch (token.kind()) {
                case QUOTE -> at = quotedEnd(token.end());
                case HEREDOC -> at = heredocEnd(token.end());
                case OPEN_BRACE -> open(Kind.CLOSE_BRACE, open, waiting);
                case OPEN_BRACKET -> open(Kind.CLOSE_BRACKET, open, waiting);
                case OPEN_PAREN -> open(Kind.CLOSE_PAREN, open, waiting);
                case CLOSE_BRACE, CLOSE_BRACKET, CLOSE_PAREN -> {
                    // A closing brace that is itself the fault is gone over.
                    boolean behind = token.start() >= fault && token.start() > start;
                    if (waiting[slot(token.kind())] > 0) {
                        // What was opened inside is closed with it.
                        Kind closed;
                        do {
                            closed = open.pop();
                            waiting[slot(closed)]--;
                        } while (closed != token.kind());
                    } else if (token.kind() == Kind.CLOSE_BRACE && behind) {
                        return token.start();
                    }
                }
                case NEWLINE -> {
                    if (open.isEmpty() && token.start() >= fault) {
                        return token.start();
                    }
                }
                case END -> {
                    return open.isEmpty() ? text.length() : lexer.lineEnd(fault);
                }
                default -> {}
            }
        }
    }

    private static int slot(Kind close) {
        return switch (close) {
            case CLOSE_BRACE -> 0;
            case CLOSE_BRACKET -> 1;
            default -> 2;
        };
    }

    private static void open(Kind close, Deque<Kind> open, int[] waiting) {
        open.push(close);
        waiting[slot(close)]++;
    }

    /** Behind the closing quote, or the end of the line. */
    private int quotedEnd(int from) {
        int holes = 0;
        boolean inside = true;
        for (int at = from; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '\n') {
                return at;
            } else if (inside && c == '\\') {
                at++;
            } else if (c == '"') {
                if (inside && holes == 0) {
                    return at + 1;
                }
                inside = !inside;
            } else if (inside && (c == '$' || c == '%') && text.startsWith("{", at + 1)) {
                holes++;
                inside = false;
                at++;
            } else if (!inside && c == '}') {
                holes = Math.max(0, holes - 1);
                inside = true;
            }
        }
        return text.length();
    }

    private int heredocEnd(int from) {
        int name = text.startsWith("-", from) ? from + 1 : from;
        int nameEnd = lexer.nameEnd(name, text.length());
        String word = text.substring(name, nameEnd);
        for (int at = lexer.lineEnd(nameEnd) + 1; at < text.length(); ) {
            int end = lexer.lineEnd(at);
            if (text.substring(at, end).strip().equals(word)) {
                return end;
            }
            at = end + 1;
        }
        return text.length();
    }
}
