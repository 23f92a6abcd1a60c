package io.cleat.api;

import java.time.Instant;

/**
 * A file of an allocation.
 *
 * @param ContentType of a regular file that was asked about alone
 * @param FileMode as {@code ls} shows it, with Go's letters for what is no plain file: {@code drwxr-xr-x}
 * @param Size bytes
 */
public record FileEntry(
        @OmitEmpty String ContentType, String FileMode, boolean IsDir, Instant ModTime, String Name, long Size) {}
