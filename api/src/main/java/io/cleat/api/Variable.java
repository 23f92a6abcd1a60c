package io.cleat.api;

import io.cleat.base.Secrets;
import org.jspecify.annotations.Nullable;

/**
 * A variable, as clients send it and as the server shows it. Times in ns since the epoch.
 *
 * @param Items names and values; left out where only what is said about it is asked for
 * @param Lock left out while nobody has locked it
 */
public record Variable(
        long CreateIndex,
        long CreateTime,
        @OmitEmpty @Nullable Secrets Items,
        @OmitEmpty @Nullable VariableLock Lock,
        long ModifyIndex,
        long ModifyTime,
        String Namespace,
        String Path) {
    /** One that is to be written. */
    public static Variable wanted(String namespace, String path, @Nullable Secrets items, @Nullable VariableLock lock) {
        return new Variable(0, 0, items, lock, 0, 0, namespace, path);
    }
}
