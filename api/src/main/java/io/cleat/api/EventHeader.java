package io.cleat.api;

import java.util.List;
import java.util.Map;

/**
 * What is told of an event before its object is looked at.
 *
 * @param filterKeys none of them empty
 */
public record EventHeader(String topic, String type, String key, String namespace, List<String> filterKeys) {
    public EventHeader {
        filterKeys = List.copyOf(filterKeys);
    }

    /** The whole event. */
    public Event with(long index, Map<String, Object> payload) {
        return new Event(filterKeys.isEmpty() ? null : filterKeys, index, key, namespace, payload, topic, type);
    }
}
