package io.cleat.jobspec.hcl;

import io.cleat.jobspec.hcl.Body.Attribute;
import io.cleat.jobspec.hcl.Body.Block;
import io.cleat.jobspec.hcl.Body.Label;
import io.cleat.jobspec.hcl.Token.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads a file: attributes and blocks. What cannot be read is a fault, and it goes on behind. */
final class BodyParser {
    /** The name whose content is never shown. */
    private static final String SECRETS = "secrets";

    private final Source source;
    private final Faults faults;
    private final Cursor cursor;
    private final ExpressionParser expressions;
    private final Recovery recovery;

    private BodyParser(Source source, Faults faults) {
        this.source = source;
        this.faults = faults;
        this.cursor = new Cursor(source);
        this.expressions = new ExpressionParser(cursor);
        this.recovery = new Recovery(source.text(), cursor.lexer());
    }

    /** What can be read of a file. */
    static Body parse(Source source, Faults faults) {
        if (source.text().length() > Limits.FILE) {
            faults.add(source.span(0, 0), "File too long", "At most " + Limits.FILE + " characters are read.");
            return new Body(Map.of(), List.of(), true);
        }
        return new BodyParser(source, faults).body(null);
    }

    /** The expression that is the whole of a text, such as the value of a variable. */
    static Expr expression(Source source, Faults faults) {
        BodyParser parser = new BodyParser(source, faults);
        Cursor cursor = parser.cursor;
        try {
            cursor.joinLines(true);
            cursor.jump(0);
            Expr expr = parser.expressions.parse();
            if (!cursor.is(Kind.END)) {
                throw cursor.unexpected("Expected nothing more behind the value");
            }
            return expr;
        } catch (SyntaxError e) {
            e.addTo(faults);
            return new Expr.Unreadable(source.whole());
        }
    }

    /** Reads up to the brace that closes {@code open}, or to the end of the file for null. */
    private Body body(@Nullable Token open) {
        Map<String, Attribute> attributes = new LinkedHashMap<>();
        List<Block> blocks = new ArrayList<>();
        boolean broken = false;
        int nesting = cursor.nesting();
        while (!faults.isFull()) {
            while (cursor.is(Kind.NEWLINE)) {
                cursor.next();
            }
            if (cursor.is(Kind.END)) {
                if (open != null) {
                    faults.add(
                            cursor.span(open),
                            "Unclosed block",
                            "The file ends before the \"}\" that closes this block.");
                    broken = true;
                }
                break;
            }
            if (cursor.is(Kind.CLOSE_BRACE) && open != null) {
                break;
            }
            Token start = cursor.current();
            try {
                item(attributes, blocks);
            } catch (SyntaxError e) {
                e.addTo(faults);
                broken = true;
                int position = recovery.position(start.start(), e);
                hideSecrets(start, position);
                cursor.recover(position, nesting);
            }
        }
        return new Body(attributes, blocks, broken || faults.isFull());
    }

    /** A line that could not be read may hold a secret too. */
    private void hideSecrets(Token name, int end) {
        int start = name.kind() == Kind.QUOTE ? name.end() : name.start();
        if (source.text().startsWith(SECRETS, start)) {
            source.hide(name.start(), end);
        }
    }

    private void item(Map<String, Attribute> attributes, List<Block> blocks) throws SyntaxError {
        Token first = cursor.current();
        cursor.made();
        Label name = name();
        if (cursor.is(Kind.ASSIGN)) {
            cursor.next();
            Attribute attribute;
            try {
                attribute = new Attribute(name.text(), name.at(), expressions.parse());
                hideSecrets(first, cursor.since(first.start()).end());
                endOfItem("a value");
            } catch (SyntaxError e) {
                // The name is known, so nothing else may complain that it is missing.
                Expr unreadable = new Expr.Unreadable(name.at());
                attributes.putIfAbsent(name.text(), new Attribute(name.text(), name.at(), unreadable));
                throw e;
            }
            Attribute earlier = attributes.putIfAbsent(name.text(), attribute);
            if (earlier != null) {
                faults.add(
                        name.at(),
                        "Attribute redefined",
                        "\"%s\" was already set at %s; each attribute is set once."
                                .formatted(name.text(), earlier.nameAt().place()));
            }
            return;
        }
        if (cursor.is(Kind.COLON)) {
            throw new SyntaxError(
                    cursor.span(cursor.current()),
                    "Invalid attribute",
                    "Expected \"=\" behind \"" + name.text() + "\", found \":\".");
        }
        blocks.add(block(first, name));
    }

    private Label name() throws SyntaxError {
        if (cursor.is(Kind.IDENTIFIER)) {
            Token token = cursor.next();
            return new Label(cursor.text(token), cursor.span(token));
        }
        if (cursor.is(Kind.QUOTE)) {
            return quoted();
        }
        boolean closing = cursor.is(Kind.CLOSE_BRACE);
        SyntaxError error = new SyntaxError(
                cursor.span(cursor.current()),
                closing ? "Unexpected brace" : "Attribute or block expected",
                closing
                        ? "There is no block that this \"}\" closes."
                        : "Expected the name of an attribute or block, found " + cursor.found() + ".");
        cursor.next();
        throw error;
    }

    private Label quoted() throws SyntaxError {
        Expr expr = expressions.parse();
        if (expr instanceof Expr.Template(List<Expr.Part> parts, Span at)) {
            if (parts.isEmpty()) {
                return new Label("", at);
            }
            if (parts.size() == 1 && parts.getFirst() instanceof Expr.Part.Text(String text)) {
                return new Label(text, at);
            }
            faults.add(
                    at,
                    "Invalid label",
                    "A label or name is plain text, without ${...} in it; a dynamic block can compute labels.");
            return new Label(at.text(), at);
        }
        throw new SyntaxError(expr.at(), "Invalid label", "A label is a name or a text in quotes.");
    }

    private Block block(Token first, Label type) throws SyntaxError {
        List<Label> labels = new ArrayList<>();
        while (cursor.is(Kind.QUOTE) || cursor.is(Kind.IDENTIFIER)) {
            cursor.made();
            labels.add(name());
        }
        if (!cursor.is(Kind.OPEN_BRACE)) {
            String expected = labels.isEmpty()
                    ? "Expected \"=\" or \"{\" behind \"" + type.text() + "\""
                    : "Expected \"{\" behind the label";
            throw new SyntaxError(
                    cursor.span(cursor.current()),
                    "Attribute or block expected",
                    expected + ", found " + cursor.found() + ".");
        }
        cursor.enter();
        Token open = cursor.next();
        Body body = body(open);
        hideSecrets(first, cursor.current().end());
        if (labels.size() == 1 && labels.getFirst().text().equals(SECRETS)) {
            source.hide(first.start(), cursor.current().end());
        }
        cursor.leave();
        if (cursor.is(Kind.CLOSE_BRACE)) {
            cursor.next();
            endOfItem("a block");
        }
        return new Block(type.text(), type.at(), labels, body);
    }

    private void endOfItem(String what) throws SyntaxError {
        switch (cursor.current().kind()) {
            case NEWLINE, END, CLOSE_BRACE -> {}
            default ->
                throw new SyntaxError(
                        cursor.span(cursor.current()),
                        "New line expected",
                        "Expected a new line behind " + what + ", found " + cursor.found() + ".");
        }
    }
}
