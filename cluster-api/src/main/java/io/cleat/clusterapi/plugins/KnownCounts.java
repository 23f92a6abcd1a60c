package io.cleat.clusterapi.plugins;

import io.cleat.schedule.PluginCounts;
import io.cleat.schedule.PluginHealth;
import io.cleat.state.ClusterState;
import io.cleat.state.TableName;
import java.util.Arrays;
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

    /** Of some versions of the sources, in their order. */
    private static final class Kept {
        private final long[] versions;

        /** By the plugin's id: as many as there are plugins. */
        private final Map<String, PluginCounts> counts = new ConcurrentHashMap<>();

        Kept(long[] versions) {
            this.versions = versions;
        }
    }

    private volatile Kept kept = new Kept(new long[0]);

    /** The counts of a plugin by its id, in this image. */
    public Function<String, PluginCounts> in(ClusterState state) {
        long[] versions = new long[SOURCES.size()];
        for (int i = 0; i < versions.length; i++) {
            versions[i] = state.version(SOURCES.get(i));
        }
        Kept here = kept;
        if (!Arrays.equals(here.versions, versions)) {
            here = new Kept(versions);
            kept = here;
        }
        Map<String, PluginCounts> counts = here.counts;
        return id -> {
            // Asked for each row of a list: without a lock, which computing may take.
            PluginCounts known = counts.get(id);
            return known != null
                    ? known
                    : counts.computeIfAbsent(id, each -> PluginCounts.of(PluginHealth.of(state, each)));
        };
    }
}
