package io.cleat.sim;

import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import io.cleat.csi.CsiCode;
import io.cleat.csi.v1.ControllerExpandVolumeRequest;
import io.cleat.csi.v1.ControllerExpandVolumeResponse;
import io.cleat.csi.v1.ControllerPublishVolumeRequest;
import io.cleat.csi.v1.ControllerPublishVolumeResponse;
import io.cleat.csi.v1.ControllerUnpublishVolumeRequest;
import io.cleat.csi.v1.ControllerUnpublishVolumeResponse;
import io.cleat.csi.v1.CreateSnapshotRequest;
import io.cleat.csi.v1.CreateSnapshotResponse;
import io.cleat.csi.v1.CreateVolumeRequest;
import io.cleat.csi.v1.CreateVolumeResponse;
import io.cleat.csi.v1.DeleteSnapshotRequest;
import io.cleat.csi.v1.DeleteSnapshotResponse;
import io.cleat.csi.v1.DeleteVolumeRequest;
import io.cleat.csi.v1.DeleteVolumeResponse;
import io.cleat.csi.v1.NodeExpandVolumeRequest;
import io.cleat.csi.v1.NodePublishVolumeRequest;
import io.cleat.csi.v1.NodeStageVolumeRequest;
import io.cleat.csi.v1.NodeUnpublishVolumeRequest;
import io.cleat.csi.v1.NodeUnstageVolumeRequest;
import io.cleat.csi.v1.ValidateVolumeCapabilitiesRequest;
import io.cleat.csi.v1.ValidateVolumeCapabilitiesResponse;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The provider behind all plugins, and the judge of what they are asked: volumes, where they are attached, and whether
 * anything is asked that would lose data. Volumes of the plugin {@code disks} are attached and staged, those of
 * {@code shares} only published.
 */
final class SimStorage {
    static final String DISKS = "disks";
    static final String SHARES = "shares";

    /** Answers that leave open whether something was done. */
    private static final List<CsiCode> PASSING = List.of(
            CsiCode.UNAVAILABLE,
            CsiCode.ABORTED,
            CsiCode.INTERNAL,
            CsiCode.UNKNOWN,
            CsiCode.DEADLINE_EXCEEDED,
            CsiCode.RESOURCE_EXHAUSTED);

    /** What creates or attaches says so where there was no room for it: then nothing was done. */
    static List<CsiCode> passing(String call) {
        return call.startsWith("Create") || call.equals("ControllerPublishVolume")
                ? PASSING.stream()
                        .filter(code -> code != CsiCode.RESOURCE_EXHAUSTED)
                        .toList()
                : PASSING;
    }

    /** Answers that say that surely nothing was done. Not NOT_FOUND: it ends an undoing well. */
    static final List<CsiCode> FINAL =
            List.of(CsiCode.INVALID_ARGUMENT, CsiCode.FAILED_PRECONDITION, CsiCode.PERMISSION_DENIED);

    /** The fields that say which volume a call is about, or which snapshot. */
    private static final List<String> ABOUT = List.of("volume_id", "source_volume_id", "snapshot_id", "name");

    private final Verdict verdict;
    private final List<SimMachine> machines = new ArrayList<>();
    private final TreeMap<String, SimVolume> volumes = new TreeMap<>();
    private final Map<String, SimPlugin> busy = new HashMap<>();
    private final TreeMap<String, String> snapshots = new TreeMap<>();
    private final SimNodeCalls node = new SimNodeCalls(this);
    private final Set<String> deadly = new HashSet<>();
    private int minors;
    private boolean haveServersForgotten;

    /** Hears what must never happen. */
    interface Verdict {
        void broken(String what);
    }

    SimStorage(Verdict verdict) {
        this.verdict = verdict;
    }

    void add(SimMachine machine) {
        machines.add(machine);
    }

    Collection<String> volumes() {
        return volumes.keySet();
    }

    /** The snapshots there are. */
    List<String> snapshots() {
        return List.copyOf(snapshots.keySet());
    }

    void broken(String what) {
        verdict.broken(what);
    }

    /** Volumes whose file system is smaller than they are, though a node writes them. */
    List<String> notGrown() {
        return volumes.values().stream()
                .filter(volume -> volume.fileSystem < volume.size)
                .filter(volume -> writers(volume).findAny().isPresent())
                .map(volume -> volume.id + " has grown, and its file system has not")
                .toList();
    }

    /** Whether the provider is at work with a volume. */
    boolean isBusy(String volume) {
        SimPlugin at = busy.get("provider " + volume);
        return at != null && at.process.isAlive();
    }

    /**
     * As a person does who vouches that a machine is off.
     *
     * @return under which ids it was attached there
     */
    Set<String> detachByHand(String volume, SimMachine machine) {
        SimVolume known = volumes.get(volume);
        Set<String> detached = new TreeSet<>();
        if (known != null) {
            known.attachedTo.stream().filter(machine::isNode).forEach(detached::add);
            known.attachedTo.removeAll(detached);
        }
        return detached;
    }

    /** Takes that back. */
    void attachByHand(String volume, Set<String> nodes) {
        SimVolume known = volumes.get(volume);
        if (known != null) {
            known.attachedTo.addAll(nodes);
        }
    }

    /** No device is ready on that machine any more. */
    void rebooted(SimMachine machine) {
        volumes.values().forEach(volume -> volume.readyOn.remove(machine.name));
    }

    /** What is attached to a machine. */
    List<String> attachedTo(SimMachine machine) {
        return volumes.values().stream()
                .filter(volume -> volume.attachedTo.stream().anyMatch(machine::isNode))
                .map(volume -> volume.id)
                .toList();
    }

    /** What is attached, in words. */
    List<String> attached() {
        return volumes.values().stream()
                .filter(volume -> !volume.attachedTo.isEmpty())
                .map(volume -> volume.id + " to " + volume.attachedTo)
                .toList();
    }

    static boolean changes(String call) {
        return switch (call) {
            case "CreateVolume",
                    "DeleteVolume",
                    "CreateSnapshot",
                    "DeleteSnapshot",
                    "ControllerExpandVolume",
                    "NodeExpandVolume",
                    "ControllerPublishVolume",
                    "ControllerUnpublishVolume",
                    "NodeStageVolume",
                    "NodeUnstageVolume",
                    "NodePublishVolume",
                    "NodeUnpublishVolume" -> true;
            default -> false;
        };
    }

    /** What the agent sees in the mount table it can be lied to about. */
    static boolean mayLie(String call) {
        return call.startsWith("Node") && !call.equals("NodeExpandVolume");
    }

    static String volumeOf(Message request) {
        var fields = request.getDescriptorForType();
        for (String name : ABOUT) {
            var field = fields.findFieldByName(name);
            if (field != null) {
                return String.valueOf(request.getField(field));
            }
        }
        return "";
    }

    /**
     * Whether the call ends the plugin that serves it: once, or whoever serves it, until nothing goes wrong any more.
     * What people wait for ends it once.
     */
    boolean isDeadly(String call, String volume, Chaos chaos) {
        if (chaos.isCalm()) {
            return false;
        }
        if (!call.startsWith("Create") && chaos.strikes(3)) {
            deadly.add(call + " " + volume);
        }
        return deadly.contains(call + " " + volume) || chaos.strikes(5);
    }

    /** One thing at a time with a volume: at the provider, and on each machine. */
    void enter(SimPlugin plugin, String call, String volume) throws CsiRefusal {
        SimPlugin at = busy.get(key(plugin, call, volume));
        if (at != null && at.process.isAlive()) {
            throw new CsiRefusal(CsiCode.ABORTED, "an operation on " + volume + " is pending");
        }
        busy.put(key(plugin, call, volume), plugin);
    }

    void leave(SimPlugin plugin, String call, String volume) {
        busy.remove(key(plugin, call, volume));
    }

    private static String key(SimPlugin plugin, String call, String volume) {
        return (call.startsWith("Node") ? plugin.machine.name : "provider") + " " + volume;
    }

    Message handle(SimPlugin plugin, String call, Message request) throws CsiRefusal {
        return switch (request) {
            case CreateVolumeRequest create -> create(plugin, create);
            case DeleteVolumeRequest delete -> delete(delete);
            case ControllerPublishVolumeRequest attach -> attach(attach);
            case ControllerUnpublishVolumeRequest detach -> detach(detach);
            case ValidateVolumeCapabilitiesRequest validate -> validate(validate);
            case ControllerExpandVolumeRequest expand -> expand(plugin, expand);
            case CreateSnapshotRequest create -> snapshot(create);
            case DeleteSnapshotRequest delete -> {
                snapshots.remove(delete.getSnapshotId());
                yield DeleteSnapshotResponse.getDefaultInstance();
            }
            case NodeStageVolumeRequest stage -> node.stage(plugin, stage);
            case NodeUnstageVolumeRequest unstage -> node.unstage(plugin, unstage);
            case NodePublishVolumeRequest publish -> node.publish(plugin, publish);
            case NodeUnpublishVolumeRequest unpublish -> node.unpublish(plugin, unpublish);
            case NodeExpandVolumeRequest expand -> node.expand(plugin, expand);
            default -> plugin.words.answer(call);
        };
    }

    // ---- the controller ----

    private Message create(SimPlugin plugin, CreateVolumeRequest request) {
        String id = plugin.pluginId + "-" + request.getName();
        SimVolume volume = volumes.computeIfAbsent(id, absent -> new SimVolume(absent, ++minors, request));
        CreateVolumeResponse.Builder reply = CreateVolumeResponse.newBuilder();
        reply.getVolumeBuilder().setVolumeId(id).setCapacityBytes(volume.size);
        return reply.build();
    }

    private Message expand(SimPlugin plugin, ControllerExpandVolumeRequest request) throws CsiRefusal {
        SimVolume volume = known(request.getVolumeId());
        volume.size = Math.max(volume.size, request.getCapacityRange().getRequiredBytes());
        if (!plugin.isDisks()) {
            volume.fileSystem = volume.size;
        }
        return ControllerExpandVolumeResponse.newBuilder()
                .setCapacityBytes(volume.size)
                .setNodeExpansionRequired(plugin.isDisks())
                .build();
    }

    private Message snapshot(CreateSnapshotRequest request) throws CsiRefusal {
        SimVolume volume = known(request.getSourceVolumeId());
        String id = "snap-" + request.getName();
        String of = snapshots.putIfAbsent(id, volume.id);
        if (of != null && !of.equals(volume.id)) {
            throw new CsiRefusal(CsiCode.ALREADY_EXISTS, id + " is of " + of);
        }
        CreateSnapshotResponse.Builder reply = CreateSnapshotResponse.newBuilder();
        reply.getSnapshotBuilder()
                .setSnapshotId(id)
                .setSourceVolumeId(volume.id)
                .setCreationTime(Timestamp.newBuilder().setSeconds(1))
                .setReadyToUse(true);
        return reply.build();
    }

    private Message delete(DeleteVolumeRequest request) {
        SimVolume volume = volumes.remove(request.getVolumeId());
        if (volume != null) {
            if (!volume.attachedTo.isEmpty()) {
                verdict.broken(volume.id + " is deleted while attached to " + volume.attachedTo);
            }
            for (SimMachine machine : machines) {
                if (!machine.mounts.of(volume).isEmpty()) {
                    verdict.broken(volume.id + " is deleted while mounted on " + machine.name);
                }
            }
        }
        return DeleteVolumeResponse.getDefaultInstance();
    }

    private Message attach(ControllerPublishVolumeRequest request) throws CsiRefusal {
        SimVolume volume = known(request.getVolumeId());
        String node = request.getNodeId();
        SimMachine machine = machines.stream()
                .filter(each -> each.nodeId().equals(node))
                .findFirst()
                .orElseThrow(() -> new CsiRefusal(CsiCode.NOT_FOUND, "no node " + node));
        boolean elsewhere = volume.attachedTo.stream().anyMatch(other -> !machine.isNode(other));
        if (volume.isSingleNode && elsewhere && haveServersForgotten) {
            throw new CsiRefusal(CsiCode.FAILED_PRECONDITION, "it is attached to " + volume.attachedTo);
        }
        if (volume.isSingleNode && elsewhere) {
            verdict.broken(volume.id + " is attached to " + node + " while on " + volume.attachedTo);
        }
        volume.attachedTo.add(node);
        return ControllerPublishVolumeResponse.newBuilder()
                .putPublishContext("device", "disk" + volume.minor)
                .build();
    }

    private Message detach(ControllerUnpublishVolumeRequest request) {
        SimVolume volume = volumes.get(request.getVolumeId());
        if (volume != null && volume.attachedTo.remove(request.getNodeId())) {
            for (SimMachine machine : machines) {
                if (machine.isNode(request.getNodeId())
                        && volume.attachedTo.stream().noneMatch(machine::isNode)
                        && !machine.mounts.of(volume).isEmpty()) {
                    verdict.broken(volume.id + " is detached while mounted on " + machine.name);
                }
            }
        }
        return ControllerUnpublishVolumeResponse.getDefaultInstance();
    }

    private Message validate(ValidateVolumeCapabilitiesRequest request) throws CsiRefusal {
        known(request.getVolumeId());
        ValidateVolumeCapabilitiesResponse.Builder reply = ValidateVolumeCapabilitiesResponse.newBuilder();
        reply.getConfirmedBuilder()
                .putAllVolumeContext(request.getVolumeContextMap())
                .addAllVolumeCapabilities(request.getVolumeCapabilitiesList())
                .putAllParameters(request.getParametersMap());
        return reply.build();
    }

    SimVolume known(String id) throws CsiRefusal {
        SimVolume volume = volumes.get(id);
        if (volume == null) {
            throw new CsiRefusal(CsiCode.NOT_FOUND, "no volume " + id);
        }
        return volume;
    }

    /**
     * From now on the servers may not know what is attached: then it is the provider who refuses to attach it
     * elsewhere, or to use it where it is not attached, as the CSI specification asks.
     */
    void serversForget() {
        haveServersForgotten = true;
    }

    boolean haveServersForgotten() {
        return haveServersForgotten;
    }

    /** Two who write to a single writer's volume, wherever they are, lose data. */
    void requireOneWriter(SimVolume volume) {
        List<String> writers = writers(volume).toList();
        if (volume.isSingleWriter && writers.size() > 1) {
            verdict.broken(volume.id + " has two writers: " + writers);
        }
    }

    private Stream<String> writers(SimVolume volume) {
        return machines.stream()
                .flatMap(machine -> machine.mounts.published(volume).stream()
                        .filter(mount -> mount.options().contains("rw"))
                        .map(mount -> machine.name + ":" + mount.target()));
    }
}
