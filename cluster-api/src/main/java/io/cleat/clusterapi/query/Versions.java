package io.cleat.clusterapi.query;

import io.cleat.state.ClusterState;
import io.cleat.state.Row;
import io.cleat.state.TableName;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * What a query waits on: the version of what it shows, and the tables that can change it.
 *
 * @param of the version, which is also what the answer's headers say
 */
public record Versions(Set<TableName> tables, ToLongFunction<ClusterState> of) {
    /** What never changes. */
    static final Versions NEVER = new Versions(Set.of(), state -> 1);

    /** What is made of whole tables. */
    public static Versions of(TableName... tables) {
        List<TableName> all = List.of(tables);
        return new Versions(Set.copyOf(all), state -> newest(all, state));
    }

    /** Each read asks for it. */
    private static long newest(List<TableName> tables, ClusterState state) {
        long newest = 0;
        for (TableName table : tables) {
            newest = Math.max(newest, state.version(table));
        }
        return newest;
    }

    /** One row: its own version, or its table's while there is none. */
    public static Versions row(TableName table, Function<ClusterState, ? extends Optional<? extends Row<?>>> row) {
        return new Versions(Set.of(table), state -> {
            Optional<? extends Row<?>> found = row.apply(state);
            return found.isPresent() ? found.get().modifyVersion() : state.version(table);
        });
    }
}
