package io.cleat.clusterapi.nodes;

import io.cleat.api.Answer;
import io.cleat.api.NodePool;
import io.cleat.api.NodeStub;
import io.cleat.api.Rows;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.clusterapi.query.Reading;
import io.cleat.clusterapi.query.Readings;
import io.cleat.http.ListQuery;
import io.cleat.http.ReadQuery;
import io.cleat.server.intake.Versions;
import io.cleat.state.ClusterState;
import io.cleat.state.TableName;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** Node pools over the server: what its nodes say that they are in. */
public final class NodePoolAnswers {
    private static final String ALL = "all";
    private static final String DEFAULT = "default";
    private static final Versions VERSION = Versions.of(TableName.NODES);

    private final Readings readings;
    private final NodeAnswers nodes;

    public NodePoolAnswers(Readings readings, NodeAnswers nodes) {
        this.readings = readings;
        this.nodes = nodes;
    }

    /** By name, which is their token. */
    public Answer<Rows<NodePool>> list(ListQuery query) throws Refused, Trouble, InterruptedException {
        Reading reading = readings.read(query.read(), VERSION);
        List<NodePool> all = names(reading.state()).stream()
                .filter(name -> name.startsWith(query.prefix()))
                .map(NodePoolAnswers::pool)
                .toList();
        Collection<NodePool> ordered = query.reverse() ? all.reversed() : all;
        return query.page(ordered::stream, NodePool::Name, each -> each, each -> each, reading.meta());
    }

    public Answer<Optional<NodePool>> get(ReadQuery query, String name) throws Refused, Trouble, InterruptedException {
        Reading reading = readings.read(query, VERSION);
        return new Answer<>(
                Optional.of(name).filter(names(reading.state())::contains).map(NodePoolAnswers::pool), reading.meta());
    }

    /** The nodes in one, by id; empty if there is no such pool. */
    public Answer<Rows<NodeStub>> nodes(ListQuery query, String name) throws Refused, Trouble, InterruptedException {
        return nodes.list(
                query, false, row -> name.equals(ALL) || row.facts().nodePool().equals(name));
    }

    /** Whether no node needs to be asked. */
    public static boolean isAlwaysThere(String name) {
        return name.equals(ALL) || name.equals(DEFAULT);
    }

    /** Those that are always there, and those of nodes. */
    public static SortedSet<String> names(ClusterState state) {
        SortedSet<String> names = new TreeSet<>(List.of(ALL, DEFAULT));
        state.nodes().forEach(node -> names.add(node.facts().nodePool()));
        return names;
    }

    private static NodePool pool(String name) {
        String description = switch (name) {
            case ALL -> "Node pool with all nodes in the cluster.";
            case DEFAULT -> "Default node pool.";
            default -> "";
        };
        return new NodePool(1, description, null, 1, name, null);
    }
}
