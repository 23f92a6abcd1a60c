package io.cleat.agent.report;

import io.cleat.model.NodeEvent;
import io.cleat.model.VolumeEvent;
import io.cleat.model.VolumeId;
import io.cleat.wire.ToServer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Events that wait to be said, of the node and of each volume in their order. They are bounded in number and
 * characters: beyond it the oldest go. Not safe for several threads.
 */
final class WaitingEvents {
    /** How many events are kept of the node, and of each volume. */
    static final int KEPT = 1000;

    /** How many characters the node's events have together, at two bytes each. */
    static final long NODE_CHARS = 512 * 1024;

    /** How many characters the events of all volumes have together. */
    static final long VOLUME_CHARS = 4 * 1024 * 1024;

    /** What an event takes beside its texts. */
    private static final int OVERHEAD = 64;

    private final ArrayDeque<NodeEvent> node = new ArrayDeque<>();

    /** The volume first whose events began to wait first; none has an empty queue. */
    private final Map<VolumeId, ArrayDeque<VolumeEvent>> volumes = new LinkedHashMap<>();

    private long nodeChars;
    private long volumeChars;

    void add(NodeEvent event) {
        node.add(event);
        nodeChars += chars(event);
        while (node.size() > KEPT || nodeChars > NODE_CHARS) {
            nodeChars -= chars(node.remove());
        }
    }

    void add(VolumeId volume, VolumeEvent event) {
        ArrayDeque<VolumeEvent> events = volumes.computeIfAbsent(volume, v -> new ArrayDeque<>());
        events.add(event);
        volumeChars += chars(event);
        if (events.size() > KEPT) {
            volumeChars -= chars(events.remove());
        }
        while (volumeChars > VOLUME_CHARS) {
            dropOldest();
        }
    }

    private void dropOldest() {
        Map.Entry<VolumeId, ArrayDeque<VolumeEvent>> first =
                volumes.entrySet().iterator().next();
        volumeChars -= chars(first.getValue().remove());
        if (first.getValue().isEmpty()) {
            volumes.remove(first.getKey());
        }
    }

    boolean isEmpty() {
        return node.isEmpty() && volumes.isEmpty();
    }

    /** All, which then wait no more. */
    List<ToServer> take() {
        List<ToServer> messages = new ArrayList<>();
        if (!node.isEmpty()) {
            messages.add(new ToServer.NodeEvents(List.copyOf(node)));
        }
        volumes.forEach((volume, events) -> messages.add(new ToServer.VolumeEvents(volume, List.copyOf(events))));
        node.clear();
        volumes.clear();
        nodeChars = 0;
        volumeChars = 0;
        return messages;
    }

    private static long chars(NodeEvent event) {
        long sum =
                OVERHEAD + (long) event.subsystem().length() + event.message().length();
        for (Map.Entry<String, String> detail : event.details().entrySet()) {
            sum += OVERHEAD
                    + (long) detail.getKey().length()
                    + detail.getValue().length();
        }
        return sum;
    }

    private static long chars(VolumeEvent event) {
        return OVERHEAD
                + (long) event.nodeId().length()
                + event.call().length()
                + event.code().length()
                + event.message().length();
    }
}
