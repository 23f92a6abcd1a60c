package io.cleat.jobspec.hcl;

import io.cleat.jobspec.hcl.Token.Kind;
import java.util.ArrayDeque;
import java.util.Deque;

/** Finds where to go on behind an attribute or block that cannot be read. */
final class Recovery {
    private final String text;
    private final Lexer lexer;

    Recovery(String text, Lexer lexer) {
        this.text = text;
        this.lexer = lexer;
    }

    /**
     * The line break or closing brace behind the fault that lies outside all brackets opened since
     * {@code start}; when they are never closed, the end of the faulty line.
     */
    int position(int start, SyntaxError error) {
        if (error.reachesTheEnd()) {
            return text.length();
        }
        int fault = error.at().start();
        Deque<Kind> open = new ArrayDeque<>();
        int at = start;
        while (true) {
            Token token = lexer.at(at, false, text.length());
            at = token.end();
            switch (token.kind()) {
                case QUOTE -> at = quotedEnd(token.end());
                case HEREDOC -> at = heredocEnd(token.end());
                case OPEN_BRACE -> open.push(Kind.CLOSE_BRACE);
                case OPEN_BRACKET -> open.push(Kind.CLOSE_BRACKET);
                case OPEN_PAREN -> open.push(Kind.CLOSE_PAREN);
                case CLOSE_BRACE, CLOSE_BRACKET, CLOSE_PAREN -> {
                    // A closing brace that is itself the fault is gone over.
                    boolean behind = token.start() >= fault && token.start() > start;
                    if (open.contains(token.kind())) {
                        // What was opened inside is closed with it.
                        Kind closed = open.pop();
                        while (closed != token.kind()) {
                            closed = open.pop();
                        }
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
