package io.cleat.api;

import io.cleat.base.Secrets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot. A request fills in {@code SourceVolumeID}, {@code Name}, {@code Secrets} and {@code Parameters}; an
 * answer fills in the others, and its {@code Secrets} are null.
 *
 * @param CreateTime seconds since the epoch
 * @param PluginID in a list only
 */
public record CsiSnapshot(
        long CreateTime,
        String ExternalSourceVolumeID,
        String ID,
        boolean IsReady,
        String Name,
        @Nullable Map<String, String> Parameters,
        String PluginID,
        @Nullable Secrets Secrets,
        long SizeBytes,
        String SourceVolumeID) {}
