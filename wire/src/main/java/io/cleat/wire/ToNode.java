package io.cleat.wire;

import io.cleat.base.Ordered;
import io.cleat.base.Secrets;
import io.cleat.base.Since;
import io.cleat.model.AllocatedPort;
import io.cleat.model.BlockedBy;
import io.cleat.model.DesiredStatus;
import io.cleat.model.JobSpec;
import io.cleat.model.MountOptions;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeModes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a server says to a node. Secrets in it are plain: a link is readable by its ends only. */
public sealed interface ToNode {
    /**
     * The answer to {@link ToServer.Hello}; nothing comes before it.
     *
     * @param heartbeat how often the node must be heard
     * @param reign the reign of the server's leader; orders of an older one are refused
     * @param anew whether a person has decided that this cluster's past is the node's, though the node has acted on
     *     another: it obeys from the beginning, also lower versions
     */
    record Welcome(String clusterId, Duration heartbeat, long reign, boolean anew) implements ToNode {}

    /**
     * The node says what it holds, by {@link ToServer.Holds}, and changes nothing. Also before {@link Welcome}: in a
     * recovery a node is asked this, and then not let in.
     */
    record Tell() implements ToNode {}

    /** The node is not let in; the link closes after this. */
    record Rejected(String reason) implements ToNode {}

    /** Answers {@link ToServer.Heartbeat} with its number. */
    record HeartbeatSeen(long number) implements ToNode {}

    /**
     * All that the node is to make true: an allocation that is not in it is to be destroyed, with its directory. An
     * allocation is left out only once the server needs nothing more of it. Said once on each link, in as many parts of
     * one version as it takes; then come {@link AssignmentChanges}.
     *
     * @param version of the image it was read from; a lower one than the last seen is ignored
     * @param lineage the random id of the reign that was open with it: see {@link ToServer.Obeyed#lineage}
     * @param more whether another part follows, and what is not in this one may be in that
     */
    record Assignments(
            long version,
            String lineage,
            List<Assignment> allocations,
            @Since(wire = 6) boolean more) implements ToNode {
        public Assignments {
            lineage = lineage == null ? "" : lineage;
            allocations = List.copyOf(allocations);
        }
    }

    /**
     * What is to be true in another way than the node was told before, on this link. What is not named stays as it was.
     *
     * @param since the version that the node was told last: one that has not acted on it ends the link, and is told all
     *     anew on its next
     * @param version of the image it was read from; not lower than {@code since}
     * @param lineage as in {@link Assignments}
     * @param allocations those that are new, or not as they were
     * @param gone the ids of those that are to be destroyed, with their directories
     */
    @Since(wire = 6)
    record AssignmentChanges(long since, long version, String lineage, List<Assignment> allocations, List<String> gone)
            implements ToNode {
        public AssignmentChanges {
            allocations = List.copyOf(allocations);
            gone = List.copyOf(gone);
        }
    }

    /**
     * One allocation of the node.
     *
     * @param name {@code job.group[index]}
     * @param volumes by alias
     * @param noShutdownDelay whether its tasks end without their shutdown delay
     * @param deploymentId that asks for its health; null for none
     * @param ports of the node that it was given
     */
    record Assignment(
            String allocId,
            String name,
            int index,
            String evalId,
            JobSpec job,
            long jobVersion,
            String group,
            DesiredStatus desired,
            Map<String, AssignedVolume> volumes,
            boolean noShutdownDelay,
            @Nullable String deploymentId,
            @Since(wire = 12) List<AllocatedPort> ports) {
        public Assignment {
            volumes = Ordered.copyOf(volumes);
            ports = List.copyOf(ports);
        }

        /** One that was given no ports. */
        public Assignment(
                String allocId,
                String name,
                int index,
                String evalId,
                JobSpec job,
                long jobVersion,
                String group,
                DesiredStatus desired,
                Map<String, AssignedVolume> volumes,
                boolean noShutdownDelay,
                @Nullable String deploymentId) {
            this(
                    allocId,
                    name,
                    index,
                    evalId,
                    job,
                    jobVersion,
                    group,
                    desired,
                    volumes,
                    noShutdownDelay,
                    deploymentId,
                    List.of());
        }
    }

    /**
     * A volume that an allocation claims.
     *
     * @param modes the claim's effective modes, fixed at its grant
     * @param mountOptions the volume's options overlaid by the request's
     * @param context what the provider wants to hear again with each call
     * @param grant absent while the claim waits or its attachment is not there yet: the node then does no step of the
     *     volume
     * @param waitingFor why there is no grant yet
     */
    record AssignedVolume(
            VolumeId volume,
            String pluginId,
            String externalId,
            boolean readOnly,
            VolumeModes modes,
            MountOptions mountOptions,
            Map<String, String> context,
            @Nullable Grant grant,
            @Nullable BlockedBy waitingFor) {
        public AssignedVolume {
            context = Ordered.copyOf(context);
        }
    }

    /**
     * Leave to stage and publish.
     *
     * @param epoch version of the claim's grant
     * @param publishContext what the controller's publish call answered, byte for byte
     * @param secrets of the volume
     * @param expandTo bytes that the volume has at its provider and this node is to know of (NodeExpandVolume), once it
     *     is published and at any time later; 0 if nodes have no part in it
     * @param compareOnly whether the plugin says that nodes have no part in it: a device is compared with it, and
     *     nothing is called
     */
    record Grant(
            long epoch,
            Secrets publishContext,
            Secrets secrets,
            long expandTo,
            @Since(wire = 7) boolean compareOnly) {}

    /**
     * All variables that a task may read. The node keeps them in memory, and nowhere else.
     *
     * @param fault why they cannot be read, for people; empty if they can
     */
    @Since(wire = 10)
    record TaskVariables(String allocId, String task, List<TaskVariable> variables, String fault) implements ToNode {
        public TaskVariables {
            variables = List.copyOf(variables);
        }
    }

    /**
     * A variable.
     *
     * @param version that last changed it
     */
    @Since(wire = 10)
    record TaskVariable(String namespace, String path, long version, Secrets items) {}

    /**
     * Where a service is, in the namespace of the allocation that asked. The node keeps it in memory, and nowhere else.
     *
     * @param name of the service; empty for a list of all, one place for each name
     * @param fault why it cannot be told, for people; empty if it can
     */
    @Since(wire = 13)
    record ServicePlaces(String allocId, String name, List<ServicePlace> places, String fault) implements ToNode {
        public ServicePlaces {
            places = List.copyOf(places);
        }
    }

    /**
     * One allocation's service; in a list of all, what all places of a name have in common.
     *
     * @param id empty in a list
     * @param tags in a list those of any place
     */
    @Since(wire = 13)
    record ServicePlace(
            String id,
            String name,
            String nodeId,
            String datacenter,
            String jobId,
            String allocId,
            List<String> tags,
            String address,
            int port) {
        public ServicePlace {
            tags = List.copyOf(tags);
        }
    }

    /**
     * An order to call a controller plugin that the node runs. The operation was logged before.
     *
     * @param allocId the plugin instance that is to be called
     */
    record Order(String operationId, long reign, String pluginId, String allocId, ControllerCall call)
            implements ToNode {}

    /** Is that operation still running? Answered by {@link ToServer.OrderState}. */
    record AskOrder(String operationId) implements ToNode {}
}
