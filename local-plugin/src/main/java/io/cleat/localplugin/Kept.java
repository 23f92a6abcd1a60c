package io.cleat.localplugin;

/** What a {@link PoolDirectory} of the pool keeps: a description of its own, and content beside it. */
interface Kept extends Listed {
    String name();

    VolumeType type();

    /** What a new one is to be called. */
    record Label(String id, String name, long order) {}
}
