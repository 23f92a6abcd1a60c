package io.cleat.model;

import io.cleat.base.Ordered;
import java.util.List;
import java.util.Map;

/**
 * A host volume that is made on a node when somebody asks for it.
 *
 * @param id a random one
 * @param name by which jobs ask for it; one of its node
 * @param pluginId which makes it; empty for one whose directory was there before
 * @param nodeId where it is
 * @param nodePool of that node
 * @param constraints by which the node was chosen
 * @param capacityMin bytes; 0 for any
 * @param capacityMax bytes; 0 for any
 * @param parameters for its plugin
 */
public record HostVolumeSpec(
        String id,
        String namespace,
        String name,
        String pluginId,
        String nodeId,
        String nodePool,
        List<Constraint> constraints,
        List<VolumeModes> capabilities,
        long capacityMin,
        long capacityMax,
        Map<String, String> parameters) {
    public HostVolumeSpec {
        constraints = List.copyOf(constraints);
        capabilities = List.copyOf(capabilities);
        parameters = Ordered.copyOf(parameters);
    }

    /** The same, on a node that was chosen. */
    public HostVolumeSpec on(String node, String pool) {
        return new HostVolumeSpec(
                id,
                namespace,
                name,
                pluginId,
                node,
                pool,
                constraints,
                capabilities,
                capacityMin,
                capacityMax,
                parameters);
    }

    /** The same under another id. */
    public HostVolumeSpec withId(String other) {
        return new HostVolumeSpec(
                other,
                namespace,
                name,
                pluginId,
                nodeId,
                nodePool,
                constraints,
                capabilities,
                capacityMin,
                capacityMax,
                parameters);
    }
}
