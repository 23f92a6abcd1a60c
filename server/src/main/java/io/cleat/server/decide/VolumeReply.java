package io.cleat.server.decide;

/** What became of a command about a volume. */
public sealed interface VolumeReply {
    /** It is done. */
    record Done() implements VolumeReply {}

    /** The plugin is to be called first; how that ends is told by the operation's row. */
    record Started(String operationId) implements VolumeReply {}
}
