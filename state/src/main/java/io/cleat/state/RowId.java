package io.cleat.state;

import io.cleat.model.VariableId;

/**
 * One row, as those name it who wait for it. Only of the tables that are waited for row by row: there is one for each
 * kind of these.
 *
 * @param key under which the table has it
 */
public record RowId(TableName table, Object key) {
    public static RowId node(String id) {
        return new RowId(TableName.NODES, id);
    }

    public static RowId evaluation(String id) {
        return new RowId(TableName.EVALUATIONS, id);
    }

    public static RowId allocation(String id) {
        return new RowId(TableName.ALLOCATIONS, id);
    }

    public static RowId operation(String id) {
        return new RowId(TableName.OPERATIONS, id);
    }

    public static RowId variable(VariableId id) {
        return new RowId(TableName.VARIABLES, id);
    }
}
