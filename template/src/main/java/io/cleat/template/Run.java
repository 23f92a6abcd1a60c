package io.cleat.template;

import io.cleat.base.Refused;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One rendering of a template. For one thread. */
final class Run {
    private static final int DEEPEST_INCLUDE = 100;

    private final Source source;
    private final Map<String, List<Node>> named;
    private final Map<String, Function> functions;
    private final Template.Options options;
    private final StringBuilder out = new StringBuilder();
    private List<Variable> variables = new ArrayList<>();
    private int includes;

    /** A variable that is in sight. */
    private static final class Variable {
        final String name;
        @Nullable Object value;

        Variable(String name, @Nullable Object value) {
            this.name = name;
            this.value = value;
        }
    }

    /** How a list of nodes ended. */
    private enum Flow {
        ON,
        BREAK,
        CONTINUE
    }

    Run(
            Source source,
            Map<String, List<Node>> named,
            Map<String, Function> functions,
            Template.Options options,
            @Nullable Object data) {
        this.source = source;
        this.named = named;
        this.functions = functions;
        this.options = options;
        variables.add(new Variable("", data));
    }

    String render(List<Node> nodes) throws Refused {
        walk(nodes, variables.getFirst().value);
        return out.toString();
    }

    private Flow walk(List<Node> nodes, @Nullable Object dot) throws Refused {
        int scope = variables.size();
        Flow flow = Flow.ON;
        for (Node node : nodes) {
            flow = walk(node, dot);
            if (flow != Flow.ON) {
                break;
            }
        }
        forget(scope);
        return flow;
    }

    private void forget(int scope) {
        variables.subList(scope, variables.size()).clear();
    }

    private Flow walk(Node node, @Nullable Object dot) throws Refused {
        switch (node) {
            case Node.Text(String text) -> print(text, 0);
            case Node.Action(Node.Pipe pipe) -> {
                Object value = value(pipe, dot);
                if (pipe.variables().isEmpty()) {
                    print(shown(value), pipe.at());
                }
            }
            case Node.If(Node.Pipe pipe, List<Node> then, List<Node> otherwise) -> {
                return scoped(() -> walk(Values.isTrue(value(pipe, dot)) ? then : otherwise, dot));
            }
            case Node.With(Node.Pipe pipe, List<Node> body, List<Node> otherwise) -> {
                return scoped(
                        () -> {
                            Object value = value(pipe, dot);
                            return Values.isTrue(value) ? walk(body, value) : walk(otherwise, dot);
                        });
            }
            case Node.Range range -> {
                return scoped(() -> range(range, dot));
            }
            case Node.Break _ -> {
                return Flow.BREAK;
            }
            case Node.Continue _ -> {
                return Flow.CONTINUE;
            }
            case Node.Include include -> include(include, dot);
        }
        return Flow.ON;
    }

    /** Something that walks. */
    private interface Walk {
        Flow walk() throws Refused;
    }

    /** What is declared in it is forgotten after it. */
    private Flow scoped(Walk walk) throws Refused {
        int scope = variables.size();
        Flow flow = walk.walk();
        forget(scope);
        return flow;
    }

    private void print(String text, int at) throws Refused {
        if (out.length() + (long) text.length() > options.largest()) {
            throw source.refused(at, "it gives more than " + options.largest() + " characters");
        }
        out.append(text);
    }

    private String shown(@Nullable Object value) {
        return value == null && options.missing() == Template.Missing.NOTHING
                ? "<no value>"
                : Values.text(value);
    }

    private Flow range(Node.Range range, @Nullable Object dot) throws Refused {
        Node.Pipe pipe = range.pipe();
        Object over = pipeValue(pipe, dot);
        List<Map.Entry<Object, @Nullable Object>> items = items(over, pipe.at());
        if (items.isEmpty()) {
            return walk(range.otherwise(), dot);
        }
        int scope = variables.size();
        for (Map.Entry<Object, @Nullable Object> item : items) {
            bind(pipe, item, over instanceof Long);
            Flow flow = walk(range.body(), item.getValue());
            forget(scope);
            if (flow == Flow.BREAK) {
                break;
            }
        }
        return Flow.ON;
    }

    private void bind(Node.Pipe pipe, Map.Entry<Object, @Nullable Object> item, boolean counts) {
        List<String> names = pipe.variables();
        if (names.size() == 2) {
            set(names.getFirst(), item.getKey(), pipe.declares());
            set(names.getLast(), item.getValue(), pipe.declares());
        } else if (names.size() == 1) {
            set(names.getFirst(), counts ? item.getKey() : item.getValue(), pipe.declares());
        }
    }

    private List<Map.Entry<Object, @Nullable Object>> items(@Nullable Object over, int at)
            throws Refused {
        List<Map.Entry<Object, @Nullable Object>> items = new ArrayList<>();
        switch (over) {
            case null -> {
                // Nothing to range over.
            }
            case List<?> list ->
                    list.forEach(each -> items.add(new Item((long) items.size(), each)));
            case Map<?, ?> map ->
                    new TreeMap<Object, @Nullable Object>(map)
                            .forEach((key, each) -> items.add(new Item(key, each)));
            case Long count -> {
                if (count > options.largest()) {
                    throw source.refused(
                            at,
                            "range over "
                                    + count
                                    + " is more than "
                                    + options.largest()
                                    + " times");
                }
                for (long i = 0; i < count; i++) {
                    items.add(new Item(i, i));
                }
            }
            default -> throw source.refused(at, "range can't iterate over " + Values.kind(over));
        }
        return items;
    }

    /** One of what is ranged over. */
    private record Item(Object getKey, @Nullable Object getValue)
            implements Map.Entry<Object, @Nullable Object> {
        @Override
        public @Nullable Object setValue(@Nullable Object value) {
            throw new UnsupportedOperationException("an item is as it is");
        }
    }

    private void include(Node.Include include, @Nullable Object dot) throws Refused {
        List<Node> body = named.get(include.name());
        if (body == null) {
            throw source.refused(
                    include.at(), "template \"" + include.name() + "\" is not defined");
        }
        if (++includes > DEEPEST_INCLUDE) {
            throw source.refused(
                    include.at(), "templates include each other deeper than " + DEEPEST_INCLUDE);
        }
        Node.Pipe pipe = include.pipe();
        Object data = pipe == null ? null : value(pipe, dot);
        List<Variable> outer = variables;
        variables = new ArrayList<>(List.of(new Variable("", data)));
        walk(body, data);
        variables = outer;
        includes--;
    }

    /** With its variables set. */
    private @Nullable Object value(Node.Pipe pipe, @Nullable Object dot) throws Refused {
        Object value = pipeValue(pipe, dot);
        pipe.variables().forEach(name -> set(name, value, pipe.declares()));
        return value;
    }

    private void set(String name, @Nullable Object value, boolean declares) {
        if (declares) {
            variables.add(new Variable(name, value));
        } else {
            find(name).value = value;
        }
    }

    private Variable find(String name) {
        return variables.reversed().stream()
                .filter(variable -> variable.name.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the parser let $" + name + " in"));
    }

    private @Nullable Object pipeValue(Node.Pipe pipe, @Nullable Object dot) throws Refused {
        Object value = null;
        boolean isPiped = false;
        for (Node.Command command : pipe.commands()) {
            value = value(command, dot, value, isPiped);
            isPiped = true;
        }
        return value;
    }

    private @Nullable Object value(
            Node.Command command, @Nullable Object dot, @Nullable Object piped, boolean isPiped)
            throws Refused {
        Node.Operand first = command.operands().getFirst();
        if (first instanceof Node.Called(String function, int at)) {
            return call(function, at, command, dot, piped, isPiped);
        }
        if (command.operands().size() > 1 || isPiped) {
            throw source.refused(first.at(), "can't give an argument to what is no function");
        }
        return value(first, dot);
    }

    private @Nullable Object value(Node.Operand operand, @Nullable Object dot) throws Refused {
        return switch (operand) {
            case Node.Constant(var value, _) -> value;
            case Node.Dot _ -> dot;
            case Node.Field(List<String> path, int at) -> follow(dot, path, at);
            case Node.Variable(String name, _) -> find(name).value;
            case Node.Nested(Node.Pipe pipe, _) -> value(pipe, dot);
            case Node.Chain(Node.Operand of, List<String> path, int at) ->
                    follow(value(of, dot), path, at);
            case Node.Called(String function, int at) ->
                    call(function, at, new Node.Command(List.of(operand), at), dot, null, false);
        };
    }

    private @Nullable Object follow(@Nullable Object from, List<String> path, int at)
            throws Refused {
        Object found = from;
        for (String name : path) {
            if (!(found instanceof Map<?, ?> map)) {
                if (found == null && options.missing() == Template.Missing.NOTHING) {
                    throw source.refused(at, "nil has no field " + name);
                }
                throw source.refused(
                        at, "." + name + " is asked of " + Values.kind(found) + ", without fields");
            }
            if (!map.containsKey(name) && options.missing() == Template.Missing.REFUSED) {
                throw source.refused(at, "there is no field " + name);
            }
            found = map.get(name);
        }
        return found;
    }

    private @Nullable Object call(
            String function,
            int at,
            Node.Command command,
            @Nullable Object dot,
            @Nullable Object piped,
            boolean isPiped)
            throws Refused {
        List<Node.Operand> given = command.operands().subList(1, command.operands().size());
        if ((function.equals("and") || function.equals("or")) && !functions.containsKey(function)) {
            return firstThat(function.equals("or"), given, at, dot, piped, isPiped);
        }
        List<@Nullable Object> arguments = new ArrayList<>();
        for (Node.Operand operand : given) {
            arguments.add(value(operand, dot));
        }
        if (isPiped) {
            arguments.add(piped);
        }
        Function own = functions.get(function);
        try {
            return own == null ? Builtins.call(function, arguments) : own.call(arguments);
        } catch (Refused refused) {
            throw source.refused(at, function + ": " + refused.refusal().message());
        }
    }

    /** {@code and} and {@code or}: what comes after the one that decides is not looked at. */
    private @Nullable Object firstThat(
            boolean isTrue,
            List<Node.Operand> given,
            int at,
            @Nullable Object dot,
            @Nullable Object piped,
            boolean isPiped)
            throws Refused {
        if (given.isEmpty() && !isPiped) {
            throw source.refused(at, (isTrue ? "or" : "and") + ": at least one value is expected");
        }
        Object value = null;
        for (Node.Operand operand : given) {
            value = value(operand, dot);
            if (Values.isTrue(value) == isTrue) {
                return value;
            }
        }
        return isPiped ? piped : value;
    }
}
