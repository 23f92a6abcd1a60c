package io.cleat.model;

import io.cleat.base.Ordered;
import io.cleat.base.Since;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;

/**
 * Between which counts a group may be scaled, and what an autoscaler reads to do so.
 *
 * @param enabled whether autoscalers are to act on it; the bounds hold in any case
 * @param min the smallest count that is taken; 0 or more
 * @param max the largest one; not below {@code min}
 * @param policy what the autoscaler reads, and nobody here; strings, longs, doubles, booleans, lists and maps of them
 */
@Since(17)
public record Scaling(boolean enabled, int min, int max, Map<String, Object> policy) {
    public Scaling {
        policy = Ordered.copyOf(policy);
    }

    /** The id of a group's policy, a UUID: it stays when the job changes. */
    public static String idOf(JobId job, String group) {
        String named = job.namespace() + "/" + job.id() + "/" + group;
        return UUID.nameUUIDFromBytes(named.getBytes(StandardCharsets.UTF_8)).toString();
    }

    /** Whether a group of this policy may have so many allocations. */
    public boolean allows(int count) {
        return count >= min && count <= max;
    }
}
