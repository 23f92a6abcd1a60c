package io.cleat.state;

import io.cleat.base.Ordered;
import io.cleat.model.NamespaceName;
import java.util.List;
import java.util.Map;

/**
 * A namespace that somebody made, or the default one once it is described. Jobs and volumes are in one.
 *
 * @param enabledDrivers the task drivers that jobs in it may use; empty for any
 * @param disabledDrivers those that they may not use
 */
public record NamespaceRow(
        String name,
        String description,
        Map<String, String> meta,
        List<String> enabledDrivers,
        List<String> disabledDrivers,
        long createVersion,
        long modifyVersion)
        implements Row<NamespaceRow> {
    /** There from the first day, without a row. */
    public static final String DEFAULT = NamespaceName.DEFAULT;

    public NamespaceRow {
        meta = Ordered.copyOf(meta);
        enabledDrivers = List.copyOf(enabledDrivers);
        disabledDrivers = List.copyOf(disabledDrivers);
    }

    /** One of which nobody has said anything. */
    public static NamespaceRow plain(String name) {
        return new NamespaceRow(name, "", Map.of(), List.of(), List.of(), 0, 0);
    }

    /** Whether jobs in it may use that task driver. */
    public boolean lets(String driver) {
        return (enabledDrivers.isEmpty() || enabledDrivers.contains(driver)) && !disabledDrivers.contains(driver);
    }

    @Override
    public NamespaceRow stamped(long newCreate, long newModify) {
        return new NamespaceRow(name, description, meta, enabledDrivers, disabledDrivers, newCreate, newModify);
    }
}
