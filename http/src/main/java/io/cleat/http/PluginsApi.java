package io.cleat.http;

import io.cleat.api.Answer;
import io.cleat.api.CsiPlugin;
import io.cleat.api.CsiPluginStub;
import io.cleat.api.PluginLane;
import io.cleat.api.Rows;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import java.util.List;
import java.util.Optional;

/** Storage plugins. They belong to no namespace; the query's limits the allocations shown. */
public interface PluginsApi {
    /** Plugins in the order of their ids, which are their tokens. */
    Answer<Rows<CsiPluginStub>> list(ListQuery query) throws Refused, Trouble, InterruptedException;

    Answer<Optional<CsiPlugin>> get(ReadQuery query, String id)
            throws Refused, Trouble, InterruptedException;

    /** The plugin's lanes, each of them, the empty ones too. */
    Answer<Optional<List<PluginLane>>> lanes(ReadQuery query, String id)
            throws Refused, Trouble, InterruptedException;
}
