package io.cleat.state;

import io.cleat.base.InvariantBroken;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;

/**
 * The life of a kind of row as a table: the states it may begin in, the states that may follow each, and those in which
 * the row may go.
 */
public final class LifeCycle<S extends Enum<S>> {
    private final String name;
    private final EnumSet<S> begin;
    private final EnumSet<S> end;
    private final EnumMap<S, EnumSet<S>> next;

    private LifeCycle(String name, Class<S> states) {
        this.name = name;
        this.begin = EnumSet.noneOf(states);
        this.end = EnumSet.noneOf(states);
        this.next = new EnumMap<>(states);
        for (S state : states.getEnumConstants()) {
            next.put(state, EnumSet.noneOf(states));
        }
    }

    static <S extends Enum<S>> Builder<S> of(String name, Class<S> states) {
        return new Builder<>(new LifeCycle<>(name, states));
    }

    public boolean mayBegin(S state) {
        return begin.contains(state);
    }

    /** Whether {@code to} may follow {@code from}; staying is always allowed. */
    public boolean allows(S from, S to) {
        return from == to || nextOf(from).contains(to);
    }

    public boolean mayEnd(S state) {
        return end.contains(state);
    }

    /** {@code to}, having checked that it may follow {@code from}. */
    public S move(S from, S to) {
        if (!allows(from, to)) {
            throw new InvariantBroken("a " + name + " moves as its table says", from + " -> " + to);
        }
        return to;
    }

    /** The table as a Mermaid state diagram. */
    public String diagram() {
        StringBuilder text = new StringBuilder("stateDiagram-v2\n");
        begin.forEach(s -> text.append("    [*] --> ").append(word(s)).append('\n'));
        for (Map.Entry<S, EnumSet<S>> row : next.entrySet()) {
            for (S to : row.getValue()) {
                text.append("    ").append(word(row.getKey())).append(" --> ");
                text.append(word(to)).append('\n');
            }
        }
        end.forEach(s -> text.append("    ").append(word(s)).append(" --> [*]\n"));
        return text.toString();
    }

    private EnumSet<S> nextOf(S from) {
        EnumSet<S> states = next.get(from);
        if (states == null) {
            throw new InvariantBroken("the table of a " + name + " has every state", from);
        }
        return states;
    }

    private static String word(Enum<?> state) {
        return state.name().toLowerCase(Locale.ROOT);
    }

    /** Fills a table in. */
    static final class Builder<S extends Enum<S>> {
        private final LifeCycle<S> table;

        private Builder(LifeCycle<S> table) {
            this.table = table;
        }

        @SafeVarargs
        final Builder<S> begin(S... states) {
            for (S state : states) {
                table.begin.add(state);
            }
            return this;
        }

        @SafeVarargs
        final Builder<S> move(S from, S... to) {
            for (S state : to) {
                table.nextOf(from).add(state);
            }
            return this;
        }

        @SafeVarargs
        final Builder<S> end(S... states) {
            for (S state : states) {
                table.end.add(state);
            }
            return this;
        }

        LifeCycle<S> done() {
            return table;
        }
    }
}
