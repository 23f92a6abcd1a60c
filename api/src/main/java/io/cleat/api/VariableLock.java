package io.cleat.api;

/**
 * Who alone may change a variable. Durations as Go writes them.
 *
 * @param ID what its holder shows with each change; empty where somebody else looks
 * @param LockDelay for how long nobody may take it once it was not renewed
 * @param TTL for how long it holds after it was taken or renewed
 */
public record VariableLock(@OmitEmpty String ID, String LockDelay, String TTL) {}
