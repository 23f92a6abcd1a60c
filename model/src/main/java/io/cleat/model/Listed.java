package io.cleat.model;

import java.util.List;

/**
 * A page of a plugin's own list.
 *
 * @param nextToken the plugin's own, for the page after; empty if this is the last
 */
public record Listed<T>(List<T> entries, String nextToken) {
    public Listed {
        entries = List.copyOf(entries);
    }
}
