package io.cleat.model;

/**
 * What a task may use.
 *
 * @param cpuMhz share of the node's processors, in MHz
 * @param memoryMb MiB
 * @param memoryMaxMb MiB; 0 for no more than {@code memoryMb}
 */
public record Resources(long cpuMhz, long memoryMb, long memoryMaxMb) {
    public static final Resources NONE = new Resources(0, 0, 0);

    /** The most memory it may have, in MiB; 0 for as much as there is. */
    public long memoryLimitMb() {
        return Math.max(memoryMb, memoryMaxMb);
    }

    public Resources plus(Resources other) {
        return new Resources(
                cpuMhz + other.cpuMhz, memoryMb + other.memoryMb, memoryMaxMb + other.memoryMaxMb);
    }
}
