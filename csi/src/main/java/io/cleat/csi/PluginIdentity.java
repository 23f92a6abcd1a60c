package io.cleat.csi;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Who a plugin says it is.
 *
 * @param vendorVersion empty where the plugin tells none, though the specification wants one
 */
public record PluginIdentity(String name, String vendorVersion, SortedMap<String, String> manifest) {
    public PluginIdentity {
        manifest = Collections.unmodifiableSortedMap(new TreeMap<>(manifest));
    }
}
