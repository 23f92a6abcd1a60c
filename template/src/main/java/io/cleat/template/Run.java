package io.cleat.template;

import io.cleat.base.Meter;
import io.cleat.base.Refused;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** One rendering of a template. For one thread. */
final class Run {
    private static final int DEEPEST_INCLUDE = 100;

    private final Source source;
    private final Map<String, List<Node>> named;
    private final Map<String, Function> functions;
    private final Template.Options options;
    private final Meter meter;
    private final StringBuilder out = new StringBuilder();
    private List<Variable> variables = new ArrayList<>();
    private int includes;

    /** A variable that is in sight. */
    private static final class Variable {
        final String name;

        @Nullable
        Object value;

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
            @Nullable Object data,
            Meter meter) {
        this.source = source;
        this.named = named;
        this.functions = functions;
        this.options = options;
        this.meter = meter;
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

    /** Something that costs. */
    private interface Cost {
        void spend() throws Refused;
    }

    /** Says where it became too much. */
    private void spend(int at, Cost cost) throws Refused {
        try {
            cost.spend();
        } catch (Refused tooMuch) {
            throw source.refused(at, tooMuch.refusal().message());
        }
    }

    private Flow walk(Node node, @Nullable Object dot) throws Refused {
        int at = node.at();
        spend(at, () -> meter.step(1));
        switch (node) {
            case Node.Text(String text, var _) -> print(text, at);
            case Node.Action(Node.Pipe pipe) -> {
                Object value = value(pipe, dot);
                if (pipe.variables().isEmpty()) {
                    print(shown(value, at), at);
                }
            }
            case Node.If(Node.Pipe pipe, List<Node> then, List<Node> otherwise) -> {
                return scoped(at, () -> walk(Values.isTrue(value(pipe, dot)) ? then : otherwise, dot));
            }
            case Node.With(Node.Pipe pipe, List<Node> body, List<Node> otherwise) -> {
                return scoped(at, () -> {
                    Object value = value(pipe, dot);
                    return Values.isTrue(value) ? walk(body, value) : walk(otherwise, dot);
                });
            }
            case Node.Range range -> {
                return scoped(at, () -> range(range, dot));
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
    private Flow scoped(int at, Walk walk) throws Refused {
        int scope = variables.size();
        spend(at, meter::enter);
        Flow flow = walk.walk();
        meter.leave();
        forget(scope);
        return flow;
    }

    private void print(String text, int at) throws Refused {
        if (out.length() + (long) text.length() > options.largest()) {
            throw source.refused(at, "it gives more than " + options.largest() + " characters");
        }
        spend(at, () -> meter.read(text.length()));
        out.append(text);
    }

    private String shown(@Nullable Object value, int at) throws Refused {
        if (value == null && options.missing() == Template.Missing.NOTHING) {
            return "<no value>";
        }
        try {
            return Values.text(value, meter);
        } catch (Refused tooMuch) {
            throw source.refused(at, tooMuch.refusal().message());
        }
    }

    private Flow range(Node.Range range, @Nullable Object dot) throws Refused {
        Node.Pipe pipe = range.pipe();
        Object over = pipeValue(pipe, dot);
        Iterator<Item> items = items(over, pipe.at());
        if (!items.hasNext()) {
            return walk(range.otherwise(), dot);
        }
        int scope = variables.size();
        while (items.hasNext()) {
            Item item = items.next();
            spend(pipe.at(), () -> meter.step(1));
            bind(pipe, item, over instanceof Long);
            Flow flow = walk(range.body(), item.value());
            forget(scope);
            if (flow == Flow.BREAK) {
                break;
            }
        }
        return Flow.ON;
    }

    private void bind(Node.Pipe pipe, Item item, boolean counts) {
        List<String> names = pipe.variables();
        if (names.size() == 2) {
            set(names.getFirst(), item.key(), pipe.declares());
            set(names.getLast(), item.value(), pipe.declares());
        } else if (names.size() == 1) {
            set(names.getFirst(), counts ? item.key() : item.value(), pipe.declares());
        }
    }

    /** One after the other: a range over a number makes no list. */
    private Iterator<Item> items(@Nullable Object over, int at) throws Refused {
        return switch (over) {
            case null -> Collections.emptyIterator();
            case List<?> list ->
                IntStream.range(0, list.size())
                        .mapToObj(i -> new Item((long) i, list.get(i)))
                        .iterator();
            case Map<?, ?> map -> {
                spend(at, () -> meter.makeElements(map.size()));
                yield new TreeMap<Object, @Nullable Object>(map)
                        .entrySet().stream()
                                .map(each -> new Item(each.getKey(), each.getValue()))
                                .iterator();
            }
            case Long count -> {
                if (count > options.largest()) {
                    throw source.refused(at, "range over " + count + " is more than " + options.largest() + " times");
                }
                yield LongStream.range(0, count).mapToObj(i -> new Item(i, i)).iterator();
            }
            default -> throw source.refused(at, "range can't iterate over " + Values.kind(over));
        };
    }

    /** One of what is ranged over. */
    private record Item(Object key, @Nullable Object value) {}

    private void include(Node.Include include, @Nullable Object dot) throws Refused {
        List<Node> body = named.get(include.name());
        if (body == null) {
            throw source.refused(include.at(), "template \"" + include.name() + "\" is not defined");
        }
        if (++includes > DEEPEST_INCLUDE) {
            throw source.refused(include.at(), "templates include each other deeper than " + DEEPEST_INCLUDE);
        }
        spend(include.at(), meter::enter);
        Node.Pipe pipe = include.pipe();
        Object data = pipe == null ? null : value(pipe, dot);
        List<Variable> outer = variables;
        variables = new ArrayList<>(List.of(new Variable("", data)));
        walk(body, data);
        variables = outer;
        meter.leave();
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
        for (int i = variables.size() - 1; i >= 0; i--) {
            if (variables.get(i).name.equals(name)) {
                return variables.get(i);
            }
        }
        throw new IllegalStateException("the parser let $" + name + " in");
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

    private @Nullable Object value(Node.Command command, @Nullable Object dot, @Nullable Object piped, boolean isPiped)
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
            case Node.Constant(var value, var _) -> value;
            case Node.Dot _ -> dot;
            case Node.Field(List<String> path, int at) -> follow(dot, path, at);
            case Node.Variable(String name, int at) -> {
                spend(at, () -> meter.step(1 + variables.size() / 32));
                yield find(name).value;
            }
            case Node.Nested(Node.Pipe pipe, int at) -> {
                spend(at, meter::enter);
                Object value = value(pipe, dot);
                meter.leave();
                yield value;
            }
            case Node.Chain(Node.Operand of, List<String> path, int at) -> follow(value(of, dot), path, at);
            case Node.Called(String function, int at) ->
                call(function, at, new Node.Command(List.of(operand), at), dot, null, false);
        };
    }

    private @Nullable Object follow(@Nullable Object from, List<String> path, int at) throws Refused {
        Object found = from;
        for (String name : path) {
            if (!(found instanceof Map<?, ?> map)) {
                if (found == null && options.missing() == Template.Missing.NOTHING) {
                    throw source.refused(at, "nil has no field " + name);
                }
                throw source.refused(at, "." + name + " is asked of " + Values.kind(found) + ", without fields");
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
        List<Node.Operand> given =
                command.operands().subList(1, command.operands().size());
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
            long chars = 0;
            for (Object argument : arguments) {
                chars += argument instanceof String text ? text.length() : 0;
            }
            meter.read(chars);
            return own == null ? Builtins.call(function, arguments, meter) : own.call(arguments, meter);
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
