package io.cleat.template;

import io.cleat.base.Meter;
import io.cleat.base.Refused;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Makes nodes of tokens. For one thread. */
final class Parser {
    private static final Set<String> WORDS =
            Set.of("if", "else", "end", "range", "with", "define", "block", "template", "break", "continue");
    private static final int DEEPEST = 200;

    /** That are in sight at one place; each is sought among them by its name. */
    private static final int MOST_VARIABLES = 1_000;

    private final Source source;
    private final List<Token> tokens;
    private final Set<String> functions;
    private final Map<String, List<Node>> named = new HashMap<>();
    private final Deque<String> variables = new ArrayDeque<>();
    private int next;
    private int ranges;
    private int depth;

    private Parser(Source source, List<Token> tokens, Set<String> functions) {
        this.source = source;
        this.tokens = tokens;
        this.functions = functions;
        variables.push("");
    }

    /** @param named the templates that it defines */
    record Parsed(List<Node> nodes, Map<String, List<Node>> named) {}

    static Parsed parse(Source source, Set<String> functions, Meter meter) throws Refused {
        Parser parser = new Parser(source, Lexer.tokens(source, meter), functions);
        Body body = parser.body();
        if (body.end() != null) {
            throw source.refused(body.at(), "{{" + body.end() + "}} ends nothing");
        }
        return new Parsed(body.nodes(), Map.copyOf(parser.named));
    }

    /** @param end the word that ended it: {@code end}, {@code else}, or null for the end of all */
    private record Body(List<Node> nodes, @Nullable String end, int at) {}

    /** Up to an end or an else, whose word is read and whose rest is not. */
    private Body body() throws Refused {
        List<Node> nodes = new ArrayList<>();
        while (true) {
            Token token = take();
            switch (token.kind()) {
                case TEXT -> nodes.add(new Node.Text(token.text(), token.at()));
                case END -> {
                    return new Body(nodes, null, token.at());
                }
                default -> {
                    Token first = peek();
                    if (isWord(first, "end") || isWord(first, "else")) {
                        take();
                        return new Body(nodes, first.text(), token.at());
                    }
                    Node node = action(first);
                    if (node != null) {
                        nodes.add(node);
                    }
                }
            }
        }
    }

    private static boolean isWord(Token token, String word) {
        return token.kind() == Token.Kind.WORD && token.text().equals(word);
    }

    private @Nullable Node action(Token first) throws Refused {
        if (++depth > DEEPEST) {
            throw source.refused(first.at(), "it is nested deeper than " + DEEPEST);
        }
        try {
            if (first.kind() != Token.Kind.WORD || !WORDS.contains(first.text())) {
                Node.Pipe pipe = pipe(1);
                expect(Token.Kind.RIGHT, source.delimiters().right());
                return new Node.Action(pipe);
            }
            take();
            return switch (first.text()) {
                case "if", "with", "range" -> control(first);
                case "define" -> define(first);
                case "block" -> block(first);
                case "template" -> include();
                default -> jump(first);
            };
        } finally {
            depth--;
        }
    }

    private Node control(Token word) throws Refused {
        boolean isRange = word.text().equals("range");
        int scope = variables.size();
        Node.Pipe pipe = pipe(isRange ? 2 : 1);
        expect(Token.Kind.RIGHT, source.delimiters().right());
        ranges += isRange ? 1 : 0;
        Body then = body();
        ranges -= isRange ? 1 : 0;
        List<Node> otherwise = List.of();
        if (then.end() == null) {
            throw source.refused(word.at(), "{{" + word.text() + "}} without {{end}}");
        }
        if (then.end().equals("else")) {
            otherwise = otherwise(word);
        } else {
            expect(Token.Kind.RIGHT, source.delimiters().right());
        }
        forget(scope);
        return switch (word.text()) {
            case "if" -> new Node.If(pipe, then.nodes(), otherwise);
            case "with" -> new Node.With(pipe, then.nodes(), otherwise);
            default -> new Node.Range(pipe, then.nodes(), otherwise);
        };
    }

    private List<Node> otherwise(Token word) throws Refused {
        Token chained = peek();
        if (!word.text().equals("range")
                && (isWord(chained, "if") || isWord(chained, "with"))
                && chained.text().equals(word.text())) {
            take();
            if (++depth > DEEPEST) {
                throw source.refused(chained.at(), "it is nested deeper than " + DEEPEST);
            }
            List<Node> otherwise = List.of(control(chained));
            depth--;
            return otherwise;
        }
        expect(Token.Kind.RIGHT, source.delimiters().right());
        Body body = body();
        if (body.end() == null || !body.end().equals("end")) {
            throw source.refused(word.at(), "{{" + word.text() + "}} without {{end}}");
        }
        expect(Token.Kind.RIGHT, source.delimiters().right());
        return body.nodes();
    }

    private void forget(int scope) {
        while (variables.size() > scope) {
            variables.pop();
        }
    }

    private @Nullable Node define(Token word) throws Refused {
        if (depth > 1) {
            throw source.refused(word.at(), "{{define}} stands inside of something else");
        }
        String name = name();
        expect(Token.Kind.RIGHT, source.delimiters().right());
        named.put(name, definition(word));
        return null;
    }

    /** With variables of its own. */
    private List<Node> definition(Token word) throws Refused {
        Deque<String> outer = new ArrayDeque<>(variables);
        int outerRanges = ranges;
        variables.clear();
        variables.push("");
        ranges = 0;
        Body body = body();
        if (body.end() == null || !body.end().equals("end")) {
            throw source.refused(word.at(), "{{" + word.text() + "}} without {{end}}");
        }
        expect(Token.Kind.RIGHT, source.delimiters().right());
        variables.clear();
        variables.addAll(outer);
        ranges = outerRanges;
        return body.nodes();
    }

    private Node block(Token word) throws Refused {
        String name = name();
        Node.Pipe pipe = pipe(1);
        expect(Token.Kind.RIGHT, source.delimiters().right());
        named.put(name, definition(word));
        return new Node.Include(name, pipe, word.at());
    }

    private Node include() throws Refused {
        Token token = peek();
        String name = name();
        Node.Pipe pipe = peek().kind() == Token.Kind.RIGHT ? null : pipe(1);
        expect(Token.Kind.RIGHT, source.delimiters().right());
        return new Node.Include(name, pipe, token.at());
    }

    private String name() throws Refused {
        Token token = expect(Token.Kind.STRING, "a name in quotes");
        return Literals.text(source, token);
    }

    private Node jump(Token word) throws Refused {
        if (ranges == 0) {
            throw source.refused(word.at(), "{{" + word.text() + "}} outside of {{range}}");
        }
        expect(Token.Kind.RIGHT, source.delimiters().right());
        return word.text().equals("break") ? new Node.Break(word.at()) : new Node.Continue(word.at());
    }

    /**
     * Up to the braces or the parenthesis that end it, which stay.
     *
     * @param most how many variables it may declare
     */
    private Node.Pipe pipe(int most) throws Refused {
        int at = peek().at();
        List<String> names = new ArrayList<>();
        boolean declares = false;
        if (declaresOrAssigns()) {
            do {
                names.add(expect(Token.Kind.VARIABLE, "a variable").text());
            } while (takeIf(Token.Kind.COMMA));
            declares = take().kind() == Token.Kind.DECLARE;
            if (names.size() > most) {
                throw source.refused(at, "too many variables");
            }
        }
        List<Node.Command> commands = new ArrayList<>();
        do {
            commands.add(command());
        } while (takeIf(Token.Kind.PIPE));
        for (String name : names) {
            if (declares) {
                if (variables.size() > MOST_VARIABLES) {
                    throw source.refused(at, "more than " + MOST_VARIABLES + " variables");
                }
                variables.push(name);
            } else if (!variables.contains(name)) {
                throw source.refused(at, "$" + name + " is not declared");
            }
        }
        return new Node.Pipe(List.copyOf(names), declares, commands, at);
    }

    private boolean declaresOrAssigns() {
        int look = next;
        while (tokens.get(look).kind() == Token.Kind.VARIABLE) {
            Token.Kind after = tokens.get(look + 1).kind();
            if (after == Token.Kind.DECLARE || after == Token.Kind.ASSIGN) {
                return true;
            }
            if (after != Token.Kind.COMMA) {
                return false;
            }
            look += 2;
        }
        return false;
    }

    private Node.Command command() throws Refused {
        int at = peek().at();
        List<Node.Operand> operands = new ArrayList<>();
        while (!isEndOfCommand(peek().kind())) {
            if (!operands.isEmpty() && !peek().isApart()) {
                throw source.refused(peek().at(), "a space is missing before this");
            }
            operands.add(operand());
        }
        if (operands.isEmpty()) {
            throw source.refused(at, "a value is missing");
        }
        if (operands.getFirst() instanceof Node.Constant(var value, int where) && value == null) {
            throw source.refused(where, "nil is not a command");
        }
        return new Node.Command(operands, at);
    }

    private static boolean isEndOfCommand(Token.Kind kind) {
        return kind == Token.Kind.RIGHT || kind == Token.Kind.PIPE || kind == Token.Kind.CLOSE;
    }

    private Node.Operand operand() throws Refused {
        Token token = take();
        Node.Operand operand = switch (token.kind()) {
            case DOT -> new Node.Dot(token.at());
            case FIELD -> new Node.Field(path(token.text()), token.at());
            case VARIABLE -> variable(token);
            case STRING, NUMBER, CHARACTER -> new Node.Constant(Literals.value(source, token), token.at());
            case WORD -> word(token);
            case OPEN -> nested(token);
            default -> throw source.refused(token.at(), "\"" + token.text() + "\" is not expected here");
        };
        List<String> path = operand instanceof Node.Field ? List.of() : path(null);
        if (path.isEmpty()) {
            return operand;
        }
        if (operand instanceof Node.Constant) {
            throw source.refused(token.at(), "a constant has no fields");
        }
        return new Node.Chain(operand, path, token.at());
    }

    /** The fields that follow without a space. */
    private List<String> path(@Nullable String first) {
        List<String> path = new ArrayList<>();
        if (first != null) {
            path.add(first);
        }
        while (peek().kind() == Token.Kind.FIELD && !peek().isApart()) {
            path.add(take().text());
        }
        return List.copyOf(path);
    }

    private Node.Operand variable(Token token) throws Refused {
        if (!variables.contains(token.text())) {
            throw source.refused(token.at(), "$" + token.text() + " is not declared");
        }
        return new Node.Variable(token.text(), token.at());
    }

    private Node.Operand word(Token token) throws Refused {
        return switch (token.text()) {
            case "true" -> new Node.Constant(true, token.at());
            case "false" -> new Node.Constant(false, token.at());
            case "nil" -> new Node.Constant(null, token.at());
            default -> {
                if (!functions.contains(token.text())) {
                    throw source.refused(
                            token.at(),
                            "function \""
                                    + token.text()
                                    + "\" is not defined; there are: "
                                    + String.join(", ", new TreeSet<>(functions)));
                }
                yield new Node.Called(token.text(), token.at());
            }
        };
    }

    private Node.Operand nested(Token open) throws Refused {
        if (++depth > DEEPEST) {
            throw source.refused(open.at(), "it is nested deeper than " + DEEPEST);
        }
        Node.Pipe pipe = pipe(0);
        expect(Token.Kind.CLOSE, ")");
        depth--;
        return new Node.Nested(pipe, open.at());
    }

    private Token peek() {
        return tokens.get(next);
    }

    private Token take() {
        Token token = tokens.get(next);
        next = Math.min(next + 1, tokens.size() - 1);
        return token;
    }

    private boolean takeIf(Token.Kind kind) {
        boolean isNext = peek().kind() == kind;
        if (isNext) {
            take();
        }
        return isNext;
    }

    private Token expect(Token.Kind kind, String what) throws Refused {
        Token token = take();
        if (token.kind() != kind) {
            throw source.refused(token.at(), what + " is expected here, not \"" + token.text() + "\"");
        }
        return token;
    }
}
