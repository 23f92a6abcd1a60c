package io.cleat.views;

import io.cleat.api.Answer;
import io.cleat.api.CsiPlugin;
import io.cleat.api.CsiPluginStub;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.http.ListQuery;
import io.cleat.http.PluginsApi;
import io.cleat.http.ReadQuery;
import io.cleat.state.ClusterState;
import io.cleat.state.PluginRow;
import io.cleat.state.TableName;
import java.util.List;
import java.util.Optional;

/** Plugins over the server. Reads wait on the table of plugins. */
final class PluginAnswers implements PluginsApi {
    private static final Versions VERSION = Versions.of(TableName.PLUGINS);

    private final Reading.Desk desk;

    PluginAnswers(Reading.Desk desk) {
        this.desk = desk;
    }

    @Override
    public Answer<List<CsiPluginStub>> list(ListQuery query)
            throws Refused, Trouble, InterruptedException {
        Reading reading = desk.read(query.read(), VERSION);
        ClusterState state = reading.state();
        return query.page(
                Ranges.byId(query, state::pluginsFrom, PluginRow::id, row -> true),
                PluginRow::id,
                row -> PluginView.whole(state, row, query.read().namespace()),
                row -> PluginView.stub(state, row),
                reading.meta());
    }

    @Override
    public Answer<Optional<CsiPlugin>> get(ReadQuery query, String id)
            throws Refused, Trouble, InterruptedException {
        Reading reading = desk.read(query, VERSION);
        return new Answer<>(
                reading.state()
                        .plugin(id)
                        .map(row -> PluginView.whole(reading.state(), row, query.namespace())),
                reading.meta());
    }
}
