package io.cleat.api;

/**
 * A lane of a plugin: controller calls of one kind.
 *
 * @param Depth calls that are not settled, waiting or in flight
 * @param OldestAge for how long the oldest of them has been in its state; ns
 * @param Width how many are made at once
 */
public record PluginLane(int Depth, int InFlight, String Name, long OldestAge, int Width) {}
