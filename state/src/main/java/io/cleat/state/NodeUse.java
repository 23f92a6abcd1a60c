package io.cleat.state;

import io.cleat.model.Resources;

/**
 * What allocations use of one node together.
 *
 * @param allocations how many they are
 * @param cpuMhz share of the node's processors, in MHz
 * @param memoryMb MiB
 * @param diskMb MiB for their directories
 */
public record NodeUse(int allocations, long cpuMhz, long memoryMb, long diskMb) {
    public static final NodeUse NONE = new NodeUse(0, 0, 0, 0);

    /** With one more. */
    public NodeUse plus(Resources resources, long disk) {
        return new NodeUse(
                allocations + 1, cpuMhz + resources.cpuMhz(), memoryMb + resources.memoryMb(), diskMb + disk);
    }

    public NodeUse plus(NodeUse others) {
        return new NodeUse(
                allocations + others.allocations,
                cpuMhz + others.cpuMhz,
                memoryMb + others.memoryMb,
                diskMb + others.diskMb);
    }

    NodeUse plus(AllocationRow row) {
        return plus(row.totalResources(), row.placed().diskMb());
    }

    /** Without one that is among them. */
    public NodeUse minus(AllocationRow row) {
        Resources resources = row.totalResources();
        return new NodeUse(
                allocations - 1,
                cpuMhz - resources.cpuMhz(),
                memoryMb - resources.memoryMb(),
                diskMb - row.placed().diskMb());
    }
}
