package io.cleat.clusterapi.plugins;

import io.cleat.schedule.PluginCounts;
import io.cleat.schedule.PluginHealth;
import io.cleat.state.ClusterState;
import io.cleat.state.TableName;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * The counts of plugins, kept for as long as no table changes that they are derived from: so each is counted once for
 * many pages of volumes. Of one cluster's images; safe for any number of threads.
 */
public final class KnownCounts {
    /** What {@link PluginHealth} looks at. */
    private static final List<TableName> SOURCES = List.of(
            TableName.NODES, TableName.JOBS, TableName.ALLOCATIONS, TableName.EVALUATIONS, TableName.ATTACHMENTS);

    /**
     * @param versions of the sources, in their order
     * @param counts by the plugin's id: as many as there are plugins
     */
    private record Kept(List<Long> versions, Map<String, PluginCounts> counts) {
        static Kept of(List<Long> versions) {
            return new Kept(versions, new ConcurrentHashMap<>());
        }
    }

    private volatile Kept kept = Kept.of(List.of());

    /** The counts of a plugin by its id, in this image. */
    public Function<String, PluginCounts> in(ClusterState state) {
        List<Long> versions = SOURCES.stream().map(state::version).toList();
        Kept here = kept;
        if (!here.versions().equals(versions)) {
            here = Kept.of(versions);
            kept = here;
        }
        Map<String, PluginCounts> counts = here.counts();
        return id -> counts.computeIfAbsent(id, each -> PluginCounts.of(PluginHealth.of(state, each)));
    }
}
