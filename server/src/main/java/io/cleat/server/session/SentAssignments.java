package io.cleat.server.session;

import io.cleat.base.LinkTrouble;
import io.cleat.server.commit.Applied;
import io.cleat.server.vault.Vault;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClusterState;
import io.cleat.wire.ToNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a node was told on one link that it is to make true: all of it once, then what is different, in messages of some
 * {@link #PART} bytes. What is kept of each is what its assignment is made of.
 *
 * <p>One thread.
 */
final class SentAssignments {
    /** A message is full with so many bytes; its last assignment may go beyond. */
    static final long PART = 1 << 20;

    private final String nodeId;
    private final Vault vault;
    private final Out out;

    /** By allocation; null until the node was told. */
    private @Nullable Map<String, AssignmentView.Source> told;

    /** Of the image that the node was told of last. */
    private long version;

    SentAssignments(String nodeId, Vault vault, Out out) {
        this.nodeId = nodeId;
        this.vault = vault;
        this.out = out;
    }

    /** Where messages go, in order. */
    @FunctionalInterface
    interface Out {
        void send(ToNode message) throws LinkTrouble, InterruptedException;
    }

    /** Says all, or all that is different. */
    void tell(Applied<ClusterState> seen) throws LinkTrouble, InterruptedException {
        if (told == null) {
            told = new HashMap<>();
            whole(told, seen);
            return;
        }
        AssignmentView view = new AssignmentView(seen.image(), nodeId);
        Set<String> ids = new HashSet<>(told.keySet());
        view.allocations().forEach(row -> ids.add(row.id()));
        changes(told, seen, view, ids);
    }

    /**
     * Says what is different of these.
     *
     * @param ids of allocations; any
     */
    void tell(Applied<ClusterState> seen, Collection<String> ids) throws LinkTrouble, InterruptedException {
        if (told == null) {
            tell(seen);
        } else {
            changes(told, seen, new AssignmentView(seen.image(), nodeId), ids);
        }
    }

    private void whole(Map<String, AssignmentView.Source> now, Applied<ClusterState> seen)
            throws LinkTrouble, InterruptedException {
        AssignmentView view = new AssignmentView(seen.image(), nodeId);
        version = seen.image().version();
        List<ToNode.Assignment> part = new ArrayList<>();
        long bytes = 0;
        for (AllocationRow row : view.allocations()) {
            if (bytes >= PART) {
                out.send(new ToNode.Assignments(version, seen.reign(), part, true));
                part = new ArrayList<>();
                bytes = 0;
            }
            ToNode.Assignment assignment = view.assignment(row, vault);
            now.put(row.id(), view.source(row));
            part.add(assignment);
            bytes += bytes(assignment);
        }
        out.send(new ToNode.Assignments(version, seen.reign(), part, false));
    }

    private void changes(
            Map<String, AssignmentView.Source> before,
            Applied<ClusterState> seen,
            AssignmentView view,
            Collection<String> ids)
            throws LinkTrouble, InterruptedException {
        List<ToNode.Assignment> part = new ArrayList<>();
        List<String> gone = new ArrayList<>();
        long bytes = 0;
        for (String id : ids) {
            Optional<AllocationRow> row = view.allocation(id);
            if (row.isEmpty()) {
                if (before.remove(id) != null) {
                    gone.add(id);
                    bytes += id.length();
                }
            } else {
                AssignmentView.Source source = view.source(row.get());
                if (!source.equals(before.put(id, source))) {
                    ToNode.Assignment assignment = view.assignment(row.get(), vault);
                    part.add(assignment);
                    bytes += bytes(assignment);
                }
            }
            if (bytes >= PART) {
                say(seen, part, gone);
                part = new ArrayList<>();
                gone = new ArrayList<>();
                bytes = 0;
            }
        }
        if (!part.isEmpty() || !gone.isEmpty()) {
            say(seen, part, gone);
        }
    }

    private void say(Applied<ClusterState> seen, List<ToNode.Assignment> part, List<String> gone)
            throws LinkTrouble, InterruptedException {
        long since = version;
        version = seen.image().version();
        out.send(new ToNode.AssignmentChanges(since, version, seen.reign(), part, gone));
    }

    private static long bytes(ToNode.Assignment assignment) {
        return Outgoing.bytes(new ToNode.AssignmentChanges(0, 0, "", List.of(assignment), List.of()));
    }
}
