package io.cleat.csi;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** A place, such as {@code {zone=a, rack=3}}. Two are equal when their segments are. */
public record Topology(SortedMap<String, String> segments) {
    public Topology {
        segments = Collections.unmodifiableSortedMap(new TreeMap<>(segments));
    }

    public static Topology of(Map<String, String> segments) {
        return new Topology(new TreeMap<>(segments));
    }
}
