package io.cleat.http;

import io.cleat.api.Json;
import io.cleat.base.LinearPattern;
import io.cleat.base.Meter;
import io.cleat.base.Refused;
import io.cleat.base.TextRule;
import io.cleat.http.FilterLexer.Kind;
import io.cleat.http.FilterLexer.Token;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads filter expressions:
 *
 * <pre>
 * or      = and { "or" and }
 * and     = not { "and" not }
 * not     = [ "not" ] ( "(" or ")" | match )
 * match   = selector ( "==" | "!=" | ["not"] "contains" | ["not"] "matches" ) value
 *         | selector "is" ["not"] ( "empty" | "nil" )
 *         | value ["not"] "in" selector
 *         | ( "any" | "all" ) selector "as" name [ "," name ] "{" or "}"
 * selector= name { "." name | "[" quoted "]" } | quoted "/a/b"
 * </pre>
 */
final class FilterParser {
    /** Characters of an expression. */
    static final int LONGEST = 4 * 1024;

    /** Parentheses and nots inside each other. */
    static final int DEEPEST = 100;

    /** Comparisons of one expression. */
    static final int TERMS = 100;

    /** What the filter of one list may take: a million objects by twenty terms, some ten seconds at the longest. */
    private static final Meter.Limits LIMITS = new Meter.Limits(20_000_000, 0, DEEPEST);

    private static final Set<String> AFTER_SELECTOR = Set.of("not", "in", "contains", "matches", "is");

    private final List<Token> tokens;
    private final Meter meter = new Meter(LIMITS);
    private final List<List<String>> selectors = new ArrayList<>();
    private final Set<String> bound = new HashSet<>();
    private int terms;
    private int at;
    private @Nullable Class<?> checked;

    private FilterParser(List<Token> tokens) {
        this.tokens = tokens;
    }

    /** @throws Refused {@link io.cleat.base.Refusal.Malformed} with the column */
    static Filter parse(String expression) throws Refused {
        if (expression.length() > LONGEST) {
            throw FilterLexer.fault(LONGEST + 1, "the expression is longer than " + LONGEST + " characters");
        }
        FilterParser parser = new FilterParser(FilterLexer.tokens(expression));
        FilterNode node = parser.or();
        if (parser.peek().kind() != Kind.END) {
            throw parser.fault("expected \"and\", \"or\" or the end");
        }
        return object -> parser.matches(node, object.get());
    }

    private boolean matches(FilterNode node, Object object) {
        requireFields(object.getClass());
        try {
            meter.step(terms);
            return node.matches(FilterNode.Scope.of(Json.toTree(object)));
        } catch (Refused spent) {
            throw new FilterFault(spent.refusal().message() + " (or ask for pages with per_page, or for a prefix)");
        }
    }

    private void requireFields(Class<?> type) {
        if (type.equals(checked)) {
            return;
        }
        for (List<String> path : selectors) {
            if (!ApiFields.has(type, path)) {
                throw new FilterFault(
                        TextRule.quoted(String.join(".", path)) + " is no field of what is listed, such as \"ID\"");
            }
        }
        checked = type;
    }

    private FilterNode or() throws Refused {
        FilterNode left = and();
        while (takeWord("or")) {
            left = new FilterNode.Or(left, and());
        }
        return left;
    }

    private FilterNode and() throws Refused {
        FilterNode left = not();
        while (takeWord("and")) {
            left = new FilterNode.And(left, not());
        }
        return left;
    }

    private FilterNode not() throws Refused {
        int column = peek().column();
        if (takeWord("not")) {
            enter(column);
            FilterNode inner = not();
            meter.leave();
            return new FilterNode.Not(inner);
        }
        if (peek().is("(")) {
            enter(column);
            at++;
            FilterNode inner = or();
            take(")");
            meter.leave();
            return inner;
        }
        if (++terms > TERMS) {
            throw FilterLexer.fault(column, "there are more than " + TERMS + " comparisons");
        }
        return match();
    }

    private void enter(int column) throws Refused {
        try {
            meter.enter();
        } catch (Refused tooDeep) {
            throw FilterLexer.fault(column, tooDeep.refusal().message());
        }
    }

    /** All elements or one, each under its names; {@code at} is behind the first word. */
    private FilterNode each(boolean every, int column) throws Refused {
        List<String> path = used(selector());
        requireWord("as");
        List<String> names = new ArrayList<>(List.of(name()));
        if (peek().is(",")) {
            at++;
            names.add(name());
        }
        take("{");
        enter(column);
        List<String> fresh = names.stream().filter(bound::add).toList();
        int before = terms;
        FilterNode inner = or();
        fresh.forEach(bound::remove);
        meter.leave();
        take("}");
        return new FilterNode.Each(every, path, names, inner, terms - before, meter);
    }

    private String name() throws Refused {
        Token token = next();
        if (token.kind() != Kind.WORD) {
            throw FilterLexer.fault(token.column(), "expected a name");
        }
        return token.text();
    }

    /** A path that objects are asked for, which they have to have. */
    private List<String> used(List<String> path) {
        if (!bound.contains(path.getFirst())) {
            selectors.add(path);
        }
        return path;
    }

    private FilterNode match() throws Refused {
        Token first = peek();
        List<String> path = selector();
        boolean isCollection = first.isWord("any") || first.isWord("all");
        if (isCollection && path.size() == 1 && beginsSelector(peek())) {
            return each(first.isWord("all"), first.column());
        }
        boolean isNegated = takeWord("not");
        if (takeWord("in")) {
            String value = path.size() == 1 ? path.getFirst() : String.join(".", path);
            return negated(isNegated, first.kind() == Kind.QUOTED ? first.text() : value, used(selector()));
        }
        used(path);
        if (takeWord("contains")) {
            return negated(isNegated, new FilterNode.Test(path, containing(value())));
        }
        if (takeWord("matches")) {
            return negated(isNegated, new FilterNode.Test(path, matching()));
        }
        if (isNegated) {
            throw fault("expected \"in\", \"contains\" or \"matches\"");
        }
        if (takeWord("is")) {
            boolean isFilled = takeWord("not");
            if (takeWord("nil")) {
                return negated(isFilled, new FilterNode.Test(path, FilterNode::isNil));
            }
            requireWord("empty");
            return negated(isFilled, new FilterNode.Test(path, FilterNode::isEmpty));
        }
        if (peek().is("==") || peek().is("!=")) {
            boolean isUnequal = next().is("!=");
            return negated(isUnequal, new FilterNode.Test(path, equal(value())));
        }
        throw fault("expected ==, !=, in, contains, matches or is");
    }

    private FilterNode negated(boolean isNegated, String value, List<String> path) {
        return negated(isNegated, new FilterNode.Test(path, containing(value)));
    }

    private static FilterNode negated(boolean isNegated, FilterNode node) {
        return isNegated ? new FilterNode.Not(node) : node;
    }

    private static FilterNode.Check equal(String value) {
        return found -> FilterNode.isEqual(found, value);
    }

    private FilterNode.Check containing(String value) {
        return found -> FilterNode.contains(found, value, meter);
    }

    private FilterNode.Check matching() throws Refused {
        Token expression = peek();
        String text = value();
        try {
            LinearPattern pattern = LinearPattern.compile(text);
            return found -> (found.isString() || found.isMissingNode()) && pattern.isFoundIn(found.asString(""), meter);
        } catch (Refused bad) {
            throw FilterLexer.fault(expression.column(), bad.refusal().message());
        }
    }

    private List<String> selector() throws Refused {
        Token first = next();
        List<String> path = new ArrayList<>();
        if (first.kind() == Kind.QUOTED) {
            if (first.text().startsWith("/")) {
                path.addAll(List.of(first.text().substring(1).split("/", -1)));
            } else {
                path.add(first.text());
            }
            return path;
        }
        if (first.kind() != Kind.WORD) {
            throw FilterLexer.fault(first.column(), "expected the name of a field");
        }
        path.add(first.text());
        while (peek().is(".") || peek().is("[")) {
            boolean isKey = next().is("[");
            Token part = next();
            if (part.kind() != (isKey ? Kind.QUOTED : Kind.WORD)) {
                throw FilterLexer.fault(part.column(), isKey ? "expected a quoted key" : "expected a name");
            }
            path.add(part.text());
            if (isKey) {
                take("]");
            }
        }
        return path;
    }

    /** Not so the signs and words that go on after a field, which may be called so. */
    private static boolean beginsSelector(Token token) {
        return token.kind() == Kind.QUOTED || (token.kind() == Kind.WORD && !AFTER_SELECTOR.contains(token.text()));
    }

    private String value() throws Refused {
        Token token = next();
        if (token.kind() != Kind.WORD && token.kind() != Kind.QUOTED) {
            throw FilterLexer.fault(token.column(), "expected a value");
        }
        return token.text();
    }

    private Token peek() {
        return tokens.get(at);
    }

    private Token next() {
        Token token = tokens.get(at);
        if (token.kind() != Kind.END) {
            at++;
        }
        return token;
    }

    private boolean takeWord(String word) {
        if (!peek().isWord(word)) {
            return false;
        }
        at++;
        return true;
    }

    private void requireWord(String word) throws Refused {
        if (!takeWord(word)) {
            throw fault("expected \"" + word + "\"");
        }
    }

    private void take(String sign) throws Refused {
        if (!next().is(sign)) {
            throw fault("expected \"" + sign + "\"");
        }
    }

    private Refused fault(String expected) {
        return FilterLexer.fault(peek().column(), expected);
    }
}
