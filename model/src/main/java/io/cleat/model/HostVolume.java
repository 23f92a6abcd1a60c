package io.cleat.model;

import java.util.Map;

/**
 * A directory of a node that its operator lets jobs use.
 *
 * @param id of one that was made for somebody; empty for one that the operator names
 * @param path absolute
 * @param readOnly whether nobody may write in it
 */
public record HostVolume(String id, String path, boolean readOnly) {
    /** What a node says that has none. */
    public static final Map<String, HostVolume> NONE = Map.of();
}
