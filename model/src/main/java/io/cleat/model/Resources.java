package io.cleat.model;

import io.cleat.base.Since;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a task may use, or a node has.
 *
 * @param cpuMhz share of the node's processors, in MHz
 * @param memoryMb MiB
 * @param memoryMaxMb MiB; 0 for no more than {@code memoryMb}
 * @param cores how many whole cores no other task may have; of a node, how many there are to give
 * @param coreIds which cores of the node these are, by the kernel's numbers, in their order; none while it is not known
 *     on which node the task runs
 */
public record Resources(
        long cpuMhz,
        long memoryMb,
        long memoryMaxMb,
        @Since(17) int cores,
        @Since(17) List<Integer> coreIds) {
    public static final Resources NONE = new Resources(0, 0, 0);

    public Resources {
        coreIds = List.copyOf(coreIds);
    }

    /** Without cores of its own. */
    public Resources(long cpuMhz, long memoryMb, long memoryMaxMb) {
        this(cpuMhz, memoryMb, memoryMaxMb, 0, List.of());
    }

    /** The most memory it may have, in MiB; 0 for as much as there is. */
    public long memoryLimitMb() {
        return Math.max(memoryMb, memoryMaxMb);
    }

    /** Which cores these are, as the kernel's lists have them, such as {@code 0,2}. */
    public String coreList() {
        return coreIds.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    public Resources plus(Resources other) {
        List<Integer> ids = coreIds;
        if (!other.coreIds.isEmpty()) {
            ids = new ArrayList<>(coreIds);
            ids.addAll(other.coreIds);
            ids.sort(Integer::compare);
        }
        return new Resources(
                cpuMhz + other.cpuMhz,
                memoryMb + other.memoryMb,
                memoryMaxMb + other.memoryMaxMb,
                cores + other.cores,
                ids);
    }

    /**
     * With these cores, and the share of the processors that they are.
     *
     * @param mhzOfAll MHz of them together
     */
    public Resources on(List<Integer> ids, long mhzOfAll) {
        return new Resources(mhzOfAll, memoryMb, memoryMaxMb, ids.size(), ids);
    }
}
