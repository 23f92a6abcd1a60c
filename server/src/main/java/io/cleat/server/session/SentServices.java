package io.cleat.server.session;

import io.cleat.base.LinkTrouble;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClusterState;
import io.cleat.state.Registration;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The services that a node was told on one link, for its tasks that read some. It is told of the namespaces of
 * allocations that run on it, and of no other.
 *
 * <p>{@link #tell} belongs to one thread; the rest is any thread's.
 */
final class SentServices {
    private static final Logger LOG = LoggerFactory.getLogger(SentServices.class);

    /** Places, or names, that are told at once. */
    static final int MOST = 5_000;

    /** How many names a node may ask for. */
    static final int MOST_WANTED = 10_000;

    /** @param name empty for a list of all */
    private record Reader(String allocId, String name) {}

    private final String nodeId;
    private final Subscriptions<Reader, ToNode.ServicePlaces> subscriptions = new Subscriptions<>();

    SentServices(String nodeId) {
        this.nodeId = nodeId;
    }

    boolean areWanted() {
        return subscriptions.count() > 0;
    }

    /**
     * A task reads a service, or none does any more.
     *
     * @return whether the node is to be told something
     */
    boolean want(ClusterState state, ToServer.ServicesWanted message) {
        Reader reader = new Reader(message.allocId(), message.name());
        if (!message.wanted()) {
            subscriptions.forget(reader);
            return false;
        }
        if (namespace(state, reader).isEmpty() || subscriptions.count() >= MOST_WANTED) {
            LOG.warn(
                    "node {} asks for service {} for allocation {}, which does not run there, or it"
                            + " asks for too many: it is not told",
                    nodeId,
                    message.name(),
                    message.allocId());
            return false;
        }
        subscriptions.want(reader);
        return true;
    }

    private Optional<String> namespace(ClusterState state, Reader reader) {
        return state.allocation(reader.allocId())
                .filter(row -> row.nodeId().equals(nodeId))
                .filter(row -> !row.isEnded())
                .map(AllocationRow::job)
                .map(job -> job.namespace());
    }

    /** Says what is different. */
    void tell(ClusterState state, SentAssignments.Out out) throws LinkTrouble, InterruptedException {
        subscriptions.tell(
                reader -> namespace(state, reader).map(space -> message(state, reader, space)),
                (reader, message) -> out.send(message));
    }

    private static ToNode.ServicePlaces message(ClusterState state, Reader reader, String namespace) {
        List<ToNode.ServicePlace> places = reader.name().isEmpty()
                ? names(state, namespace)
                : state.registrations().named(namespace, reader.name()).stream()
                        .map(SentServices::place)
                        .toList();
        return places.size() > MOST
                ? new ToNode.ServicePlaces(
                        reader.allocId(),
                        reader.name(),
                        List.of(),
                        "there are " + places.size() + ", and at most " + MOST + " are told")
                : new ToNode.ServicePlaces(reader.allocId(), reader.name(), places, "");
    }

    private static ToNode.ServicePlace place(Registration each) {
        return new ToNode.ServicePlace(
                each.id(),
                each.name(),
                each.allocation().nodeId(),
                each.datacenter(),
                each.allocation().job().id(),
                each.allocation().id(),
                each.place().tags(),
                each.place().address(),
                each.place().port());
    }

    /** One for each name, with the tags of all its places. */
    private static List<ToNode.ServicePlace> names(ClusterState state, String namespace) {
        Map<String, TreeSet<String>> names = new TreeMap<>();
        for (Registration each : state.registrations().all()) {
            if (each.namespace().equals(namespace)) {
                names.computeIfAbsent(each.name(), name -> new TreeSet<>())
                        .addAll(each.place().tags());
            }
        }
        List<ToNode.ServicePlace> places = new ArrayList<>();
        names.forEach((name, tags) ->
                places.add(new ToNode.ServicePlace("", name, "", "", "", "", List.copyOf(tags), "", 0)));
        return places;
    }
}
