package io.cleat.jobspec.hcl;

import java.util.List;
import java.util.Optional;

/** An expression as it is written. */
sealed interface Expr {
    Span at();

    /** A number, {@code true}, {@code false} or {@code null}. */
    record Constant(Value value, Span at) implements Expr {}

    /** Text with holes: a quoted string or a heredoc. */
    record Template(List<Part> parts, Span at) implements Expr {}

    /** The name at the head of a reference, such as {@code var}. */
    record Root(String name, Span at) implements Expr {}

    /** {@code of.name}. */
    record Member(Expr of, String name, Span nameAt, Span at) implements Expr {}

    /** {@code of[key]}. */
    record Index(Expr of, Expr key, Span at) implements Expr {}

    /** {@code of[*]...} or {@code of.*...}; {@code each} is made of a {@link SplatItem}. */
    record Splat(Expr of, Expr each, Span at) implements Expr {}

    /** The element a splat is at. */
    record SplatItem(Span at) implements Expr {}

    /** {@code [a, b]}. */
    record ListOf(List<Expr> items, Span at) implements Expr {}

    /** <code>{ a = 1 }</code>. */
    record ObjectOf(List<Entry> entries, Span at) implements Expr {}

    /** One key with its value. */
    record Entry(Expr key, Expr value) {}

    /** {@code [for key, value in of : each if condition]}. */
    record ForList(Loop loop, Expr each, Optional<Expr> condition, Span at) implements Expr {}

    /** <code>{for key, value in of : name => each... if condition}</code>. */
    record ForObject(Loop loop, Expr name, Expr each, boolean grouped, Optional<Expr> condition, Span at)
            implements Expr {}

    /** What a loop names its elements, and what it walks. */
    record Loop(Optional<String> key, String value, Expr of) {}

    /** {@code condition ? yes : no}. */
    record Choice(Expr condition, Expr yes, Expr no, Span at) implements Expr {}

    /** {@code left operator right}. */
    record Binary(Token.Kind operator, Expr left, Expr right, Span at) implements Expr {}

    /** {@code -of} or {@code !of}. */
    record Unary(Token.Kind operator, Expr of, Span at) implements Expr {}

    /** {@code name(arguments)}; {@code spread} takes the last one apart into several. */
    record Call(String name, Span nameAt, List<Expr> arguments, boolean spread, Span at) implements Expr {}

    /** What could not be read; its fault is known. */
    record Unreadable(Span at) implements Expr {}

    /** A part of a template. */
    sealed interface Part {
        /** Text as it is. */
        record Text(String text) implements Part {}

        /** <code>${of}</code>. */
        record Hole(Expr of) implements Part {}

        /** <code>%{if condition}yes%{else}no%{endif}</code>. */
        record If(Expr condition, List<Part> yes, List<Part> no) implements Part {}

        /** <code>%{for key, value in of}each%{endfor}</code>. */
        record For(Loop loop, List<Part> each, Span at) implements Part {}
    }
}
