package io.cleat.template;

/**
 * A piece of a template.
 *
 * @param text as written; without delimiters for text and the names of fields and variables
 * @param at offset in the template
 * @param isApart whether space stands before it; so {@code $x.A} differs from {@code $x .A}
 */
record Token(Kind kind, String text, int at, boolean isApart) {
    enum Kind {
        TEXT,
        /** Of an action: its beginning and its end. */
        LEFT,
        RIGHT,
        DOT,
        /** {@code .Name}. */
        FIELD,
        /** {@code $name}; the empty name is the template's data. */
        VARIABLE,
        /** A name, or a word of the language. */
        WORD,
        STRING,
        NUMBER,
        CHARACTER,
        PIPE,
        COMMA,
        DECLARE,
        ASSIGN,
        OPEN,
        CLOSE,
        END
    }
}
