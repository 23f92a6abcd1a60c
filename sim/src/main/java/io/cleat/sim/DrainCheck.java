package io.cleat.sim;

import io.cleat.kernel.Mount;
import io.cleat.state.ClusterState;
import io.cleat.state.NodeDrain;
import io.cleat.state.NodeRow;
import io.cleat.state.TableName;
import java.util.List;

/** What must be true of a machine whose node is said to be drained, by its own mounts. */
final class DrainCheck {
    private DrainCheck() {}

    /**
     * @param before the image that was checked last
     * @throws AssertionError if a drain is complete and volumes are there
     */
    static void check(ClusterState before, ClusterState state, List<SimMachine> machines, SimStorage storage) {
        if (before.version(TableName.NODES) == state.version(TableName.NODES)) {
            return;
        }
        for (NodeRow node : state.nodes()) {
            // One that was collected has its last drain again when it comes.
            boolean ends = isDrained(node)
                    && before.node(node.id()).filter(row -> !isDrained(row)).isPresent();
            if (!ends) {
                continue;
            }
            for (SimMachine machine : machines) {
                if (machine.name.equals(node.name())) {
                    List<String> mounted =
                            machine.mounts.volumes().stream().map(Mount::target).toList();
                    if (!mounted.isEmpty() || !storage.attachedTo(machine).isEmpty()) {
                        throw new AssertionError(node.name()
                                + " is drained, and has mounts "
                                + mounted
                                + ", attached "
                                + storage.attachedTo(machine));
                    }
                }
            }
        }
    }

    private static boolean isDrained(NodeRow node) {
        NodeDrain drain = node.drain();
        return drain != null && drain.status() == NodeDrain.Status.COMPLETE;
    }
}
