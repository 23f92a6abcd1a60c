package io.cleat.clusterapi.plugins;

import io.cleat.api.Answer;
import io.cleat.api.CsiPlugin;
import io.cleat.api.CsiPluginStub;
import io.cleat.api.PluginLane;
import io.cleat.api.Rows;
import io.cleat.base.Refused;
import io.cleat.base.Time;
import io.cleat.base.Trouble;
import io.cleat.clusterapi.query.Ranges;
import io.cleat.clusterapi.query.Reading;
import io.cleat.clusterapi.query.Readings;
import io.cleat.http.ListQuery;
import io.cleat.http.ReadQuery;
import io.cleat.schedule.PluginCounts;
import io.cleat.schedule.PluginLanes;
import io.cleat.server.intake.Versions;
import io.cleat.state.ClusterState;
import io.cleat.state.PluginRow;
import io.cleat.state.TableName;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Plugins over the server. Reads wait on the table of plugins. */
public final class PluginAnswers {
    private static final Versions VERSION = Versions.of(TableName.PLUGINS);

    private static final Versions LANES = Versions.of(TableName.PLUGINS, TableName.OPERATIONS);

    private final Readings readings;
    private final Time time;
    private final KnownCounts counts;

    public PluginAnswers(Readings readings, Time time, KnownCounts counts) {
        this.readings = readings;
        this.time = time;
        this.counts = counts;
    }

    /** Plugins in the order of their ids, which are their tokens. */
    public Answer<Rows<CsiPluginStub>> list(ListQuery query) throws Refused, Trouble, InterruptedException {
        Reading reading = readings.read(query.read(), VERSION);
        ClusterState state = reading.state();
        Function<String, PluginCounts> known = counts.in(state);
        return query.page(
                Ranges.byId(
                        query,
                        Ranges.ordered(state::pluginsFrom, state.scans()::pluginsBefore),
                        PluginRow::id,
                        row -> true),
                PluginRow::id,
                row -> PluginView.whole(state, row, query.read().shown()),
                row -> PluginView.stub(known.apply(row.id()), row),
                reading.meta());
    }

    /** The plugin's lanes, each of them, the empty ones too. */
    public Answer<Optional<List<PluginLane>>> lanes(ReadQuery query, String id)
            throws Refused, Trouble, InterruptedException {
        Reading reading = readings.read(query, LANES);
        PluginLanes lanes = PluginLanes.of(reading.state(), time.now());
        return new Answer<>(reading.state().plugin(id).map(row -> lanes(lanes.loads(row.id()))), reading.meta());
    }

    private static List<PluginLane> lanes(List<PluginLanes.Load> loads) {
        return loads.stream()
                .map(load -> new PluginLane(
                        load.depth(),
                        load.inFlight(),
                        load.lane().wire(),
                        load.oldest().toNanos(),
                        load.width()))
                .toList();
    }

    public Answer<Optional<CsiPlugin>> get(ReadQuery query, String id) throws Refused, Trouble, InterruptedException {
        Reading reading = readings.read(query, VERSION);
        return new Answer<>(
                reading.state().plugin(id).map(row -> PluginView.whole(reading.state(), row, query.shown())),
                reading.meta());
    }
}
