package io.cleat.state;

import io.cleat.base.Effect;
import io.cleat.base.Ordered;
import io.cleat.model.ListedSnapshot;
import io.cleat.model.Topology;
import java.util.List;
import java.util.Map;

/** How an operation ended, over all its tries. */
public sealed interface OperationOutcome {
    record Created(String externalId, long capacity, Map<String, String> context, List<Topology> accessibleFrom)
            implements OperationOutcome {
        public Created {
            context = Ordered.copyOf(context);
            accessibleFrom = List.copyOf(accessibleFrom);
        }
    }

    record Deleted() implements OperationOutcome {}

    record Published(Encrypted publishContext) implements OperationOutcome {}

    record Unpublished() implements OperationOutcome {}

    record Confirmed() implements OperationOutcome {}

    /**
     * @param capacity bytes
     * @param onNodes whether nodes are to expand it as well
     */
    record Expanded(long capacity, boolean onNodes) implements OperationOutcome {}

    record SnapshotCreated(ListedSnapshot snapshot) implements OperationOutcome {}

    /** The snapshot is deleted, or there was none. */
    record SnapshotDeleted() implements OperationOutcome {}

    /**
     * The call failed, or what it made cannot be registered.
     *
     * @param code the gRPC status, such as {@code NotFound}; empty if it was no plugin that refused
     * @param message the plugin's words
     */
    record Failed(Effect effect, String code, String message) implements OperationOutcome {}

    /** An operator vouches that nothing of it is left. */
    record Abandoned(String by) implements OperationOutcome {}
}
