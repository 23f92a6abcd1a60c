package io.cleat.jobspec.hcl;

import com.google.errorprone.annotations.Immutable;

/** A word, number or sign outside of templates, with its place in the text. */
@Immutable
record Token(Kind kind, int start, int end) {
    /** What a token is; the text is what it is written as. */
    enum Kind {
        IDENTIFIER("a name"),
        NUMBER("a number"),
        QUOTE("\""),
        HEREDOC("<<"),
        NEWLINE("the end of the line"),
        OPEN_BRACE("{"),
        CLOSE_BRACE("}"),
        OPEN_BRACKET("["),
        CLOSE_BRACKET("]"),
        OPEN_PAREN("("),
        CLOSE_PAREN(")"),
        ASSIGN("="),
        ARROW("=>"),
        COLON(":"),
        COMMA(","),
        DOT("."),
        ELLIPSIS("..."),
        QUESTION("?"),
        PLUS("+"),
        MINUS("-"),
        STAR("*"),
        SLASH("/"),
        PERCENT("%"),
        NOT("!"),
        AND("&&"),
        OR("||"),
        EQUAL("=="),
        NOT_EQUAL("!="),
        LESS("<"),
        GREATER(">"),
        LESS_OR_EQUAL("<="),
        GREATER_OR_EQUAL(">="),
        STRIP("~"),
        BAD("a character that means nothing here"),
        END("the end of the file");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }
    }
}
