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
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The variables that a node was told on one link, for its tasks that read some. A node is told nothing but what a task
 * of an allocation that runs on it may read.
 *
 * <p>{@link #tell} belongs to one thread; the rest is any thread's.
 */
final class SentVariables {
    private static final Logger LOG = LoggerFactory.getLogger(SentVariables.class);

    /** A task of an allocation. */
    private record Reader(String allocId, String task) {}

    private final String nodeId;
    private final Vault vault;

    /** By the versions of what each may read. */
    private final Subscriptions<Reader, List<Long>> subscriptions = new Subscriptions<>();

    SentVariables(String nodeId, Vault vault) {
        this.nodeId = nodeId;
        this.vault = vault;
    }

    boolean areWanted() {
        return subscriptions.count() > 0;
    }

    /**
     * A task reads its variables, or does no more.
     *
     * @return whether the node is to be told something
     */
    boolean want(ClusterState state, ToServer.VariablesWanted message) {
        Reader reader = new Reader(message.allocId(), message.task());
        if (!message.wanted()) {
            subscriptions.forget(reader);
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
        subscriptions.want(reader);
        return true;
    }

    /** Where the variables are that a task of this node may read; none of what is none, or over. */
    private List<VariableId> readable(ClusterState state, Reader reader) {
        Optional<AllocationRow> allocation = state.allocation(reader.allocId())
                .filter(row -> row.nodeId().equals(nodeId))
                .filter(row -> !row.isEnded());
        Optional<JobVersionRow> jobVersion = allocation.flatMap(row -> state.jobVersion(row.jobVersion()));
        return jobVersion
                .flatMap(row -> row.spec().group(allocation.orElseThrow().group()))
                .filter(group ->
                        group.tasks().stream().anyMatch(task -> task.name().equals(reader.task())))
                .map(group -> OwnVariables.of(jobVersion.orElseThrow().spec(), group.name(), reader.task()))
                .orElse(List.of());
    }

    /** Says what is different. */
    void tell(ClusterState state, SentAssignments.Out out) throws LinkTrouble, InterruptedException {
        subscriptions.tell(
                reader -> versions(state, readable(state, reader)),
                (reader, versions) -> out.send(message(state, reader, readable(state, reader))));
    }

    /** Of what a task may read; empty if it may read nothing. */
    private static Optional<List<Long>> versions(ClusterState state, List<VariableId> readable) {
        return readable.isEmpty()
                ? Optional.empty()
                : Optional.of(readable.stream()
                        .map(id -> state.variables()
                                .find(id)
                                .map(VariableRow::modifyVersion)
                                .orElse(0L))
                        .toList());
    }

    private ToNode.TaskVariables message(ClusterState state, Reader reader, List<VariableId> readable) {
        List<ToNode.TaskVariable> variables = new ArrayList<>();
        String fault = "";
        for (VariableId id : readable) {
            Optional<VariableRow> row = state.variables().find(id);
            try {
                if (row.isPresent()) {
                    variables.add(new ToNode.TaskVariable(
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
