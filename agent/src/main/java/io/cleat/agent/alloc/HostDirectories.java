package io.cleat.agent.alloc;

import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.model.HostVolume;
import io.cleat.model.NodeFacts;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The host volumes of an allocation that its node's operator has named: directories which nobody mounts, and of which
 * no claim is made.
 */
final class HostDirectories {
    private final Supplier<NodeFacts> node;

    HostDirectories(Supplier<NodeFacts> node) {
        this.node = node;
    }

    /**
     * Where they are, by alias; without those that the node has not any more.
     *
     * @param allocation whose tasks run, or are to run again
     */
    Map<String, Path> there(KnownAllocation allocation) {
        Map<String, HostVolume> volumes = node.get().hostVolumes();
        Map<String, Path> paths = new TreeMap<>();
        allocation.taskGroup().volumes().forEach((alias, request) -> {
            HostVolume volume = volumes.get(request.volumeFor(allocation.name()));
            if (request.isForHost()
                    && !allocation.volumes().containsKey(alias)
                    && volume != null
                    && volume.id().isEmpty()
                    && (request.readOnly() || !volume.readOnly())) {
                paths.put(alias, Path.of(volume.path()));
            }
        });
        return paths;
    }

    /**
     * As {@link #there}, of an allocation that is to begin.
     *
     * @throws KernelTrouble if the node has one of them not
     */
    Map<String, Path> all(KnownAllocation allocation) throws KernelTrouble {
        Map<String, Path> paths = there(allocation);
        for (var request : new TreeMap<>(allocation.taskGroup().volumes()).entrySet()) {
            if (request.getValue().isForHost()
                    && !allocation.volumes().containsKey(request.getKey())
                    && !paths.containsKey(request.getKey())) {
                throw new KernelTrouble(
                        "this node has no host volume \""
                                + request.getValue().volumeFor(allocation.name())
                                + "\" any more that can be used as volume \""
                                + request.getKey()
                                + "\" asks for it",
                        Effect.NONE,
                        Retry.NEVER);
            }
        }
        return paths;
    }
}
