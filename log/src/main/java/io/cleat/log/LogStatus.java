package io.cleat.log;

import io.cleat.base.Refusal;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How the log stands.
 *
 * @param alive it runs, or is about to run again by itself
 * @param leading this member leads, and the library says that it is ready
 * @param term the term in which it leads or follows; 0 before the first
 * @param lastApplied index of the last applied entry; -1 before the first
 * @param snapshotIndex index of the last entry in the newest durable snapshot; -1 without one
 * @param flushes how often the log's file was flushed to disk since it was opened
 * @param directory where it is stored
 * @param refusing why it takes no entries from anybody now, if that is so
 */
public record LogStatus(
        boolean alive,
        boolean leading,
        long term,
        long lastApplied,
        long snapshotIndex,
        long flushes,
        Path directory,
        Optional<Refusal> refusing) {}
