package io.cleat.csi;

import io.cleat.base.Secret;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a controller's publish hands to the node's calls about the same publication: opaque, kept as it came, and never
 * printed, since plugins put credentials in it.
 */
public final class PublishContext {
    private static final PublishContext NONE = new PublishContext(new TreeMap<>());

    private final SortedMap<String, String> values;

    private PublishContext(SortedMap<String, String> values) {
        this.values = Collections.unmodifiableSortedMap(values);
    }

    public static PublishContext none() {
        return NONE;
    }

    public static PublishContext of(Map<String, String> values) {
        return values.isEmpty() ? NONE : new PublishContext(new TreeMap<>(values));
    }

    public boolean isEmpty() {
        return values.isEmpty();
    }

    /** The values themselves, for the plugin's call and for storing. */
    public SortedMap<String, String> reveal() {
        return values;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PublishContext that && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return values.isEmpty() ? "{}" : Secret.REDACTED;
    }
}
