package io.cleat.server.intake;

import io.cleat.state.ClusterState;
import io.cleat.state.Row;
import io.cleat.state.RowId;
import io.cleat.state.TableName;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * What a read waits on: the version of what it shows, and what can change it.
 *
 * @param tables those that can
 * @param of the version, which is also what the answer's headers say
 * @param row the only row that can, in an image where that is so; else any of the tables' can
 */
public record Versions(
        Set<TableName> tables, ToLongFunction<ClusterState> of, Function<ClusterState, Optional<RowId>> row) {
    /** What any row of the tables can change. */
    public Versions(Set<TableName> tables, ToLongFunction<ClusterState> of) {
        this(tables, of, state -> Optional.empty());
    }

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
    public static Versions row(RowId id, Function<ClusterState, ? extends Optional<? extends Row<?>>> row) {
        return new Versions(
                Set.of(id.table()),
                state -> {
                    Optional<? extends Row<?>> found = row.apply(state);
                    return found.isPresent() ? found.get().modifyVersion() : state.version(id.table());
                },
                state -> row.apply(state).map(there -> id));
    }
}
