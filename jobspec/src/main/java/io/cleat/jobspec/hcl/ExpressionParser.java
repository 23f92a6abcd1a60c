package io.cleat.jobspec.hcl;

import io.cleat.jobspec.hcl.Token.Kind;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads one expression, operators by their precedence. */
final class ExpressionParser {
    private final Cursor cursor;
    private final TemplateParser templates;

    ExpressionParser(Cursor cursor) {
        this.cursor = cursor;
        this.templates = new TemplateParser(cursor, this);
    }

    Expr parse() throws SyntaxError {
        cursor.enter();
        int start = cursor.current().start();
        Expr expr = binary(1);
        if (cursor.is(Kind.QUESTION)) {
            cursor.next();
            Expr yes = parse();
            cursor.expect(Kind.COLON, "between the two results of a condition");
            Expr no = parse();
            expr = new Expr.Choice(expr, yes, no, cursor.since(start));
        }
        cursor.leave();
        return expr;
    }

    private Expr binary(int least) throws SyntaxError {
        int start = cursor.current().start();
        Expr left = unary();
        while (level(cursor.current().kind()) >= least) {
            Token operator = cursor.next();
            Expr right = binary(level(operator.kind()) + 1);
            left = new Expr.Binary(operator.kind(), left, right, cursor.since(start));
        }
        return left;
    }

    /** How tightly an operator binds; 0 for what is none. */
    private static int level(Kind kind) {
        return switch (kind) {
            case OR -> 1;
            case AND -> 2;
            case EQUAL, NOT_EQUAL -> 3;
            case LESS, GREATER, LESS_OR_EQUAL, GREATER_OR_EQUAL -> 4;
            case PLUS, MINUS -> 5;
            case STAR, SLASH, PERCENT -> 6;
            default -> 0;
        };
    }

    private Expr unary() throws SyntaxError {
        cursor.made();
        if (!cursor.is(Kind.MINUS) && !cursor.is(Kind.NOT)) {
            return steps(primary(), true);
        }
        cursor.enter();
        Token operator = cursor.next();
        Expr of = unary();
        cursor.leave();
        return new Expr.Unary(operator.kind(), of, cursor.since(operator.start()));
    }

    /** What follows an expression to reach into it: {@code .name}, {@code [key]}, splats. */
    private Expr steps(Expr head, boolean brackets) throws SyntaxError {
        Expr expr = head;
        int start = head.at().start();
        for (int steps = 0; ; steps++) {
            if (steps > Limits.EVALUATION) {
                throw new SyntaxError(
                        cursor.span(cursor.current()),
                        "Nested too deep",
                        "A reference may have " + Limits.EVALUATION + " steps.");
            }
            if (cursor.is(Kind.DOT)) {
                if (cursor.peek().kind() == Kind.NUMBER && !brackets) {
                    return expr;
                }
                expr = member(expr, start);
            } else if (cursor.is(Kind.OPEN_BRACKET) && brackets) {
                expr = index(expr, start);
            } else {
                return expr;
            }
        }
    }

    private Expr member(Expr of, int start) throws SyntaxError {
        cursor.next();
        if (cursor.is(Kind.IDENTIFIER)) {
            Token name = cursor.next();
            return new Expr.Member(of, cursor.text(name), cursor.span(name), cursor.since(start));
        }
        if (cursor.is(Kind.NUMBER)) {
            Expr key = number(cursor.next());
            return new Expr.Index(of, key, cursor.since(start));
        }
        if (cursor.is(Kind.STAR)) {
            cursor.enter();
            Token star = cursor.next();
            Expr each = steps(new Expr.SplatItem(cursor.span(star)), false);
            cursor.leave();
            return new Expr.Splat(of, each, cursor.since(start));
        }
        throw cursor.unexpected("Expected a name, an index or * behind the dot");
    }

    private Expr index(Expr of, int start) throws SyntaxError {
        boolean before = cursor.joinLines(true);
        Token open = cursor.next();
        if (cursor.is(Kind.STAR) && cursor.peek().kind() == Kind.CLOSE_BRACKET) {
            cursor.enter();
            cursor.next();
            cursor.joinLines(before);
            cursor.next();
            Expr each = steps(new Expr.SplatItem(cursor.span(open)), true);
            cursor.leave();
            return new Expr.Splat(of, each, cursor.since(start));
        }
        Expr key = parse();
        cursor.joinLines(before);
        cursor.expect(Kind.CLOSE_BRACKET, "behind the index");
        return new Expr.Index(of, key, cursor.since(start));
    }

    private Expr primary() throws SyntaxError {
        return switch (cursor.current().kind()) {
            case NUMBER -> number(cursor.next());
            case IDENTIFIER -> name();
            case QUOTE -> templates.quoted();
            case HEREDOC -> templates.heredoc();
            case OPEN_PAREN -> parenthesised();
            case OPEN_BRACKET -> list();
            case OPEN_BRACE -> object();
            default -> throw cursor.unexpected("Expected a value");
        };
    }

    private Expr number(Token token) throws SyntaxError {
        String text = cursor.text(token);
        Optional<BigDecimal> number = Numbers.parse(text);
        if (number.isEmpty()) {
            throw new SyntaxError(
                    cursor.span(token), "Number too long", "A number may have " + Limits.DIGITS + " digits.");
        }
        return new Expr.Constant(new Value.Num(number.get()), cursor.span(token));
    }

    private Expr name() throws SyntaxError {
        Token token = cursor.next();
        Span at = cursor.span(token);
        String name = cursor.text(token);
        if (cursor.is(Kind.OPEN_PAREN)) {
            return call(name, at);
        }
        return switch (name) {
            case "true" -> new Expr.Constant(Value.of(true), at);
            case "false" -> new Expr.Constant(Value.of(false), at);
            case "null" -> new Expr.Constant(new Value.Null(), at);
            default -> new Expr.Root(name, at);
        };
    }

    private Expr call(String name, Span nameAt) throws SyntaxError {
        boolean before = cursor.joinLines(true);
        cursor.next();
        List<Expr> arguments = new ArrayList<>();
        boolean spread = false;
        while (!cursor.is(Kind.CLOSE_PAREN)) {
            arguments.add(parse());
            if (cursor.is(Kind.ELLIPSIS)) {
                cursor.next();
                spread = true;
                break;
            }
            if (!cursor.is(Kind.COMMA)) {
                break;
            }
            cursor.next();
        }
        cursor.joinLines(before);
        cursor.expect(Kind.CLOSE_PAREN, "behind the arguments of " + name);
        return new Expr.Call(name, nameAt, arguments, spread, cursor.since(nameAt.start()));
    }

    private Expr parenthesised() throws SyntaxError {
        boolean before = cursor.joinLines(true);
        cursor.next();
        Expr inner = parse();
        cursor.joinLines(before);
        cursor.expect(Kind.CLOSE_PAREN, "to close the bracket");
        return inner;
    }

    private boolean beginsLoop() {
        return cursor.isName("for") && cursor.peek().kind() == Kind.IDENTIFIER;
    }

    private Expr list() throws SyntaxError {
        boolean before = cursor.joinLines(true);
        int start = cursor.next().start();
        if (beginsLoop()) {
            Expr.Loop loop = loop();
            cursor.expect(Kind.COLON, "behind what the loop walks");
            Expr each = parse();
            Optional<Expr> condition = condition();
            cursor.joinLines(before);
            cursor.expect(Kind.CLOSE_BRACKET, "at the end of the loop");
            return new Expr.ForList(loop, each, condition, cursor.since(start));
        }
        List<Expr> items = new ArrayList<>();
        while (!cursor.is(Kind.CLOSE_BRACKET)) {
            items.add(parse());
            if (!cursor.is(Kind.COMMA)) {
                break;
            }
            cursor.next();
        }
        cursor.joinLines(before);
        if (!cursor.is(Kind.CLOSE_BRACKET)) {
            throw cursor.unexpected("Expected a comma or \"]\" behind an element of the list");
        }
        cursor.next();
        return new Expr.ListOf(items, cursor.since(start));
    }

    /** {@code for key, value in of}, without the sign behind it. */
    Expr.Loop loop() throws SyntaxError {
        cursor.next();
        String first = cursor.text(cursor.expect(Kind.IDENTIFIER, "for the element"));
        Optional<String> key = Optional.empty();
        String value = first;
        if (cursor.is(Kind.COMMA)) {
            cursor.next();
            key = Optional.of(first);
            value = cursor.text(cursor.expect(Kind.IDENTIFIER, "for the element's value"));
        }
        if (!cursor.isName("in")) {
            throw cursor.unexpected("Expected \"in\" and what the loop walks");
        }
        cursor.next();
        return new Expr.Loop(key, value, parse());
    }

    private Optional<Expr> condition() throws SyntaxError {
        if (!cursor.isName("if")) {
            return Optional.empty();
        }
        cursor.next();
        return Optional.of(parse());
    }

    private Expr object() throws SyntaxError {
        boolean before = cursor.joinLines(false);
        int start = cursor.next().start();
        if (beginsLoop()) {
            cursor.joinLines(true);
            return forObject(start, before);
        }
        List<Expr.Entry> entries = new ArrayList<>();
        while (true) {
            while (cursor.is(Kind.NEWLINE)) {
                cursor.next();
            }
            if (cursor.is(Kind.CLOSE_BRACE)) {
                break;
            }
            entries.add(entry());
            if (cursor.is(Kind.COMMA)) {
                cursor.next();
            } else if (!cursor.is(Kind.NEWLINE) && !cursor.is(Kind.CLOSE_BRACE)) {
                throw cursor.unexpected("Expected a new line, a comma or \"}\" behind a value");
            }
        }
        cursor.joinLines(before);
        cursor.next();
        return new Expr.ObjectOf(entries, cursor.since(start));
    }

    private Expr.Entry entry() throws SyntaxError {
        Expr key;
        Kind behind = cursor.peek().kind();
        if (cursor.is(Kind.IDENTIFIER) && (behind == Kind.ASSIGN || behind == Kind.COLON)) {
            Token name = cursor.next();
            key = new Expr.Constant(Value.of(cursor.text(name)), cursor.span(name));
        } else {
            boolean bracketed = cursor.is(Kind.OPEN_PAREN);
            key = parse();
            if (!bracketed && !isPlainKey(key)) {
                throw new SyntaxError(
                        key.at(),
                        "Ambiguous key",
                        "Write (" + key.at().text() + ") for a computed key, or put a literal key in quotes.");
            }
        }
        if (!cursor.is(Kind.ASSIGN) && !cursor.is(Kind.COLON)) {
            throw cursor.unexpected("Expected \"=\" and a value behind the key");
        }
        cursor.next();
        return new Expr.Entry(key, parse());
    }

    private static boolean isPlainKey(Expr key) {
        return !(key instanceof Expr.Root || key instanceof Expr.Member || key instanceof Expr.Index);
    }

    private Expr forObject(int start, boolean before) throws SyntaxError {
        Expr.Loop loop = loop();
        cursor.expect(Kind.COLON, "behind what the loop walks");
        Expr name = parse();
        cursor.expect(Kind.ARROW, "between key and value");
        Expr each = parse();
        boolean grouped = cursor.is(Kind.ELLIPSIS);
        if (grouped) {
            cursor.next();
        }
        Optional<Expr> condition = condition();
        cursor.joinLines(before);
        cursor.expect(Kind.CLOSE_BRACE, "at the end of the loop");
        return new Expr.ForObject(loop, name, each, grouped, condition, cursor.since(start));
    }
}
