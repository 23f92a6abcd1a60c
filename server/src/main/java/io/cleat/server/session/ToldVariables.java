package io.cleat.server.session;

import io.cleat.base.DiskTrouble;
import io.cleat.base.LinkTrouble;
import io.cleat.model.OwnVariables;
import io.cleat.model.VariableId;
import io.cleat.server.vault.Purpose;
import io.cleat.server.vault.Vault;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClusterState;
import io.cleat.state.JobVersionRow;
import io.cleat.state.VariableRow;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The variables that a node was told on one link, for its tasks that read some. A node is told
 * nothing but what a task of an allocation that runs on it may read.
 *
 * <p>{@link #tell} belongs to one thread; the rest is any thread's.
 */
final class ToldVariables {
    private static final Logger LOG = LoggerFactory.getLogger(ToldVariables.class);

    /** A task of an allocation. */
    private record Reader(String allocId, String task) {}

    private final String nodeId;
    private final Vault vault;
    private final AtomicLong asked = new AtomicLong();

    /** Each with the number of the last time that it was asked for. */
    private final Map<Reader, Long> wanted = new ConcurrentHashMap<>();

    /** What each was told last. */
    private final Map<Reader, Told> told = new HashMap<>();

    /**
     * What a task was told.
     *
     * @param asked the number of the time that it was asked for
     * @param versions of what it may read
     */
    private record Told(long asked, List<Long> versions) {}

    ToldVariables(String nodeId, Vault vault) {
        this.nodeId = nodeId;
        this.vault = vault;
    }

    boolean areWanted() {
        return !wanted.isEmpty();
    }

    /**
     * A task reads its variables, or does no more.
     *
     * @return whether the node is to be told something
     */
    boolean want(ClusterState state, ToServer.VariablesWanted message) {
        Reader reader = new Reader(message.allocId(), message.task());
        if (!message.wanted()) {
            wanted.remove(reader);
            return false;
        }
        if (readable(state, reader).isEmpty()) {
            LOG.warn(
                    "node {} asks for the variables of task {} of allocation {}, which does not run"
                            + " there: it is not told",
                    nodeId,
                    message.task(),
                    message.allocId());
            return false;
        }
        wanted.put(reader, asked.incrementAndGet());
        return true;
    }

    /** Where the variables are that a task of this node may read; none of what is none, or over. */
    private List<VariableId> readable(ClusterState state, Reader reader) {
        Optional<AllocationRow> allocation =
                state.allocation(reader.allocId())
                        .filter(row -> row.nodeId().equals(nodeId))
                        .filter(row -> !row.isEnded());
        Optional<JobVersionRow> text =
                allocation.flatMap(row -> state.jobVersion(row.jobVersion()));
        return text.flatMap(row -> row.spec().group(allocation.orElseThrow().group()))
                .filter(
                        group ->
                                group.tasks().stream()
                                        .anyMatch(task -> task.name().equals(reader.task())))
                .map(
                        group ->
                                OwnVariables.of(
                                        text.orElseThrow().spec(), group.name(), reader.task()))
                .orElse(List.of());
    }

    /** Says what is different. */
    void tell(ClusterState state, ToldAssignments.Out out)
            throws LinkTrouble, InterruptedException {
        told.keySet().retainAll(wanted.keySet());
        for (Map.Entry<Reader, Long> each : Map.copyOf(wanted).entrySet()) {
            Reader reader = each.getKey();
            List<VariableId> readable = readable(state, reader);
            if (readable.isEmpty()) {
                wanted.remove(reader);
                told.remove(reader);
                continue;
            }
            List<Long> versions =
                    readable.stream()
                            .map(
                                    id ->
                                            state.variables()
                                                    .find(id)
                                                    .map(VariableRow::modifyVersion)
                                                    .orElse(0L))
                            .toList();
            Told now = new Told(each.getValue(), versions);
            if (!now.equals(told.put(reader, now))) {
                out.send(message(state, reader, readable));
            }
        }
    }

    private ToNode.TaskVariables message(
            ClusterState state, Reader reader, List<VariableId> readable) {
        List<ToNode.TaskVariable> variables = new ArrayList<>();
        String fault = "";
        for (VariableId id : readable) {
            Optional<VariableRow> row = state.variables().find(id);
            try {
                if (row.isPresent()) {
                    variables.add(
                            new ToNode.TaskVariable(
                                    id.namespace(),
                                    id.path(),
                                    row.get().modifyVersion(),
                                    vault.decrypt(row.get().items(), Purpose.variable(id))));
                }
            } catch (DiskTrouble unreadable) {
                fault = unreadable.reason();
            }
        }
        return new ToNode.TaskVariables(reader.allocId(), reader.task(), variables, fault);
    }
}
