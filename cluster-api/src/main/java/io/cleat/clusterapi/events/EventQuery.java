package io.cleat.clusterapi.events;

import io.cleat.api.EventHeader;
import io.cleat.base.Refused;
import io.cleat.http.QueryParams;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which events are asked for.
 *
 * @param keys by topic, {@link #ALL} among both for every one; not empty
 * @param index the version to begin with; 0 for the oldest that is kept
 * @param namespace whose; {@link #ALL} for everybody's. What belongs to no namespace is always shown
 */
record EventQuery(Map<String, Set<String>> keys, long index, String namespace) {
    /** Every topic, key, or namespace. */
    public static final String ALL = "*";

    /**
     * @param topics as given: such as {@code Job}, or {@code Job:web}; none for all
     * @throws Refused {@link io.cleat.base.Refusal.Malformed} for a topic with more than one colon
     */
    public static EventQuery of(List<String> topics, long index, String namespace) throws Refused {
        Map<String, Set<String>> keys = new TreeMap<>();
        for (String topic : topics.isEmpty() ? List.of(ALL) : topics) {
            String[] parts = topic.split(":", -1);
            if (parts.length > 2 || parts[0].isEmpty()) {
                throw QueryParams.malformed("Invalid topic query: \""
                        + topic
                        + "\" is neither a topic, such as CSIVolume, nor topic:key, such as CSIVolume:data");
            }
            keys.computeIfAbsent(parts[0], each -> new TreeSet<>()).add(parts.length == 1 ? ALL : parts[1]);
        }
        return new EventQuery(keys, index, namespace);
    }

    /** Whether the event is asked for; its payload is not looked at. */
    public boolean wants(EventHeader event) {
        return isVisible(event.namespace()) && (has(event.topic(), event) || has(ALL, event));
    }

    private boolean isVisible(String owner) {
        return owner.isEmpty() || namespace.equals(ALL) || namespace.equals(owner);
    }

    private boolean has(String topic, EventHeader event) {
        Set<String> wanted = keys.getOrDefault(topic, Set.of());
        return wanted.contains(ALL)
                || wanted.contains(event.key())
                || event.filterKeys().stream().anyMatch(wanted::contains);
    }
}
