package io.cleat.sim;

import com.google.protobuf.BoolValue;
import com.google.protobuf.Message;
import io.cleat.csi.CsiCode;
import io.cleat.csi.v1.ControllerGetCapabilitiesResponse;
import io.cleat.csi.v1.ControllerPublishVolumeRequest;
import io.cleat.csi.v1.ControllerPublishVolumeResponse;
import io.cleat.csi.v1.ControllerServiceCapability;
import io.cleat.csi.v1.ControllerUnpublishVolumeRequest;
import io.cleat.csi.v1.ControllerUnpublishVolumeResponse;
import io.cleat.csi.v1.CreateVolumeRequest;
import io.cleat.csi.v1.CreateVolumeResponse;
import io.cleat.csi.v1.DeleteVolumeRequest;
import io.cleat.csi.v1.DeleteVolumeResponse;
import io.cleat.csi.v1.GetPluginCapabilitiesResponse;
import io.cleat.csi.v1.GetPluginInfoResponse;
import io.cleat.csi.v1.NodeGetCapabilitiesResponse;
import io.cleat.csi.v1.NodeGetInfoResponse;
import io.cleat.csi.v1.NodePublishVolumeRequest;
import io.cleat.csi.v1.NodePublishVolumeResponse;
import io.cleat.csi.v1.NodeServiceCapability;
import io.cleat.csi.v1.NodeStageVolumeRequest;
import io.cleat.csi.v1.NodeStageVolumeResponse;
import io.cleat.csi.v1.NodeUnpublishVolumeRequest;
import io.cleat.csi.v1.NodeUnpublishVolumeResponse;
import io.cleat.csi.v1.NodeUnstageVolumeRequest;
import io.cleat.csi.v1.NodeUnstageVolumeResponse;
import io.cleat.csi.v1.PluginCapability;
import io.cleat.csi.v1.ProbeResponse;
import io.cleat.csi.v1.ValidateVolumeCapabilitiesRequest;
import io.cleat.csi.v1.ValidateVolumeCapabilitiesResponse;
import io.cleat.csi.v1.VolumeCapability;
import io.cleat.kernel.Mount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The provider behind all plugins, and the judge of what they are asked: volumes, where they are
 * attached, and whether anything is asked that would lose data. Volumes of the plugin {@code disks}
 * are attached and staged, those of {@code shares} only published.
 */
final class SimStorage {
    static final String DISKS = "disks";
    static final String SHARES = "shares";

    /** Answers that leave open whether something was done. */
    static final List<CsiCode> PASSING =
            List.of(
                    CsiCode.UNAVAILABLE,
                    CsiCode.ABORTED,
                    CsiCode.INTERNAL,
                    CsiCode.UNKNOWN,
                    CsiCode.DEADLINE_EXCEEDED,
                    CsiCode.RESOURCE_EXHAUSTED);

    /** Answers that say that surely nothing was done. Not NOT_FOUND: it ends an undoing well. */
    static final List<CsiCode> FINAL =
            List.of(
                    CsiCode.INVALID_ARGUMENT,
                    CsiCode.FAILED_PRECONDITION,
                    CsiCode.PERMISSION_DENIED);

    private final Verdict verdict;
    private final List<SimMachine> machines = new ArrayList<>();
    private final TreeMap<String, Volume> volumes = new TreeMap<>();
    private final Map<String, SimPlugin> busy = new HashMap<>();
    private int minors;

    /** Hears what must never happen. */
    interface Verdict {
        void broken(String what);
    }

    /** A volume of the provider. */
    private static final class Volume {
        private final String id;
        private final int minor;
        private final boolean isSingleWriter;
        private final boolean isSingleNode;
        private final TreeSet<String> attachedTo = new TreeSet<>();

        private Volume(String id, int minor, boolean isSingleWriter, boolean isSingleNode) {
            this.id = id;
            this.minor = minor;
            this.isSingleWriter = isSingleWriter;
            this.isSingleNode = isSingleNode;
        }
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
                    "ControllerPublishVolume",
                    "ControllerUnpublishVolume",
                    "NodeStageVolume",
                    "NodeUnstageVolume",
                    "NodePublishVolume",
                    "NodeUnpublishVolume" ->
                    true;
            default -> false;
        };
    }

    /** What the agent sees in the mount table it can be lied to about. */
    static boolean mayLie(String call) {
        return call.startsWith("Node");
    }

    static String volumeOf(Message request) {
        var fields = request.getDescriptorForType();
        var id = fields.findFieldByName("volume_id");
        var field = id == null ? fields.findFieldByName("name") : id;
        return field == null ? "" : String.valueOf(request.getField(field));
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

    static String externalNode(SimMachine machine) {
        return "ext-" + machine.name;
    }

    Message emptyReply(String call) {
        return switch (call) {
            case "NodeStageVolume" -> NodeStageVolumeResponse.getDefaultInstance();
            case "NodeUnstageVolume" -> NodeUnstageVolumeResponse.getDefaultInstance();
            case "NodePublishVolume" -> NodePublishVolumeResponse.getDefaultInstance();
            case "NodeUnpublishVolume" -> NodeUnpublishVolumeResponse.getDefaultInstance();
            default -> throw new IllegalArgumentException(call);
        };
    }

    Message handle(SimPlugin plugin, String call, Message request) throws CsiRefusal {
        return switch (request) {
            case CreateVolumeRequest create -> create(plugin, create);
            case DeleteVolumeRequest delete -> delete(delete);
            case ControllerPublishVolumeRequest attach -> attach(attach);
            case ControllerUnpublishVolumeRequest detach -> detach(detach);
            case ValidateVolumeCapabilitiesRequest validate -> validate(validate);
            case NodeStageVolumeRequest stage -> stage(plugin, stage);
            case NodeUnstageVolumeRequest unstage -> unstage(plugin, unstage);
            case NodePublishVolumeRequest publish -> publish(plugin, publish);
            case NodeUnpublishVolumeRequest unpublish -> unpublish(plugin, unpublish);
            default -> said(plugin, call);
        };
    }

    private static Message said(SimPlugin plugin, String call) throws CsiRefusal {
        boolean disks = plugin.pluginId.equals(DISKS);
        return switch (call) {
            case "Probe" -> ProbeResponse.newBuilder().setReady(BoolValue.of(true)).build();
            case "GetPluginInfo" ->
                    GetPluginInfoResponse.newBuilder()
                            .setName(plugin.pluginId + ".example")
                            .setVendorVersion("1")
                            .build();
            case "GetPluginCapabilities" -> {
                GetPluginCapabilitiesResponse.Builder reply =
                        GetPluginCapabilitiesResponse.newBuilder();
                reply.addCapabilitiesBuilder()
                        .getServiceBuilder()
                        .setType(PluginCapability.Service.Type.CONTROLLER_SERVICE);
                yield reply.build();
            }
            case "ControllerGetCapabilities" -> {
                ControllerGetCapabilitiesResponse.Builder reply =
                        ControllerGetCapabilitiesResponse.newBuilder();
                reply.addCapabilitiesBuilder()
                        .getRpcBuilder()
                        .setType(ControllerServiceCapability.RPC.Type.CREATE_DELETE_VOLUME);
                if (disks) {
                    reply.addCapabilitiesBuilder()
                            .getRpcBuilder()
                            .setType(ControllerServiceCapability.RPC.Type.PUBLISH_UNPUBLISH_VOLUME);
                }
                yield reply.build();
            }
            case "NodeGetCapabilities" -> {
                NodeGetCapabilitiesResponse.Builder reply =
                        NodeGetCapabilitiesResponse.newBuilder();
                if (disks) {
                    reply.addCapabilitiesBuilder()
                            .getRpcBuilder()
                            .setType(NodeServiceCapability.RPC.Type.STAGE_UNSTAGE_VOLUME);
                }
                yield reply.build();
            }
            case "NodeGetInfo" ->
                    NodeGetInfoResponse.newBuilder()
                            .setNodeId(externalNode(plugin.machine))
                            .build();
            default -> throw new CsiRefusal(CsiCode.UNIMPLEMENTED, call);
        };
    }

    // ---- the controller ----

    private Message create(SimPlugin plugin, CreateVolumeRequest request) {
        String id = plugin.pluginId + "-" + request.getName();
        volumes.computeIfAbsent(
                id,
                absent ->
                        new Volume(
                                absent,
                                ++minors,
                                all(request, SimStorage::isSingleWriter),
                                all(request, SimStorage::isSingleNode)));
        CreateVolumeResponse.Builder reply = CreateVolumeResponse.newBuilder();
        reply.getVolumeBuilder().setVolumeId(id).setCapacityBytes(1 << 20);
        return reply.build();
    }

    private static boolean all(
            CreateVolumeRequest request,
            java.util.function.Predicate<VolumeCapability.AccessMode.Mode> what) {
        return request.getVolumeCapabilitiesList().stream()
                .allMatch(capability -> what.test(capability.getAccessMode().getMode()));
    }

    private static boolean isSingleWriter(VolumeCapability.AccessMode.Mode mode) {
        return mode == VolumeCapability.AccessMode.Mode.SINGLE_NODE_WRITER
                || mode == VolumeCapability.AccessMode.Mode.MULTI_NODE_SINGLE_WRITER;
    }

    private static boolean isSingleNode(VolumeCapability.AccessMode.Mode mode) {
        return mode == VolumeCapability.AccessMode.Mode.SINGLE_NODE_WRITER
                || mode == VolumeCapability.AccessMode.Mode.SINGLE_NODE_READER_ONLY;
    }

    private Message delete(DeleteVolumeRequest request) {
        Volume volume = volumes.remove(request.getVolumeId());
        if (volume != null) {
            if (!volume.attachedTo.isEmpty()) {
                verdict.broken(volume.id + " is deleted while attached to " + volume.attachedTo);
            }
            for (SimMachine machine : machines) {
                if (!mountsOf(volume, machine).isEmpty()) {
                    verdict.broken(volume.id + " is deleted while mounted on " + machine.name);
                }
            }
        }
        return DeleteVolumeResponse.getDefaultInstance();
    }

    private Message attach(ControllerPublishVolumeRequest request) throws CsiRefusal {
        Volume volume = known(request.getVolumeId());
        String node = request.getNodeId();
        boolean elsewhere = volume.attachedTo.stream().anyMatch(other -> !other.equals(node));
        if (volume.isSingleNode && elsewhere) {
            verdict.broken(
                    volume.id + " is attached to " + node + " while on " + volume.attachedTo);
        }
        volume.attachedTo.add(node);
        return ControllerPublishVolumeResponse.newBuilder()
                .putPublishContext("device", "disk" + volume.minor)
                .build();
    }

    private Message detach(ControllerUnpublishVolumeRequest request) {
        Volume volume = volumes.get(request.getVolumeId());
        if (volume != null && volume.attachedTo.remove(request.getNodeId())) {
            for (SimMachine machine : machines) {
                if (externalNode(machine).equals(request.getNodeId())
                        && !mountsOf(volume, machine).isEmpty()) {
                    verdict.broken(volume.id + " is detached while mounted on " + machine.name);
                }
            }
        }
        return ControllerUnpublishVolumeResponse.getDefaultInstance();
    }

    private Message validate(ValidateVolumeCapabilitiesRequest request) throws CsiRefusal {
        known(request.getVolumeId());
        ValidateVolumeCapabilitiesResponse.Builder reply =
                ValidateVolumeCapabilitiesResponse.newBuilder();
        reply.getConfirmedBuilder()
                .putAllVolumeContext(request.getVolumeContextMap())
                .addAllVolumeCapabilities(request.getVolumeCapabilitiesList())
                .putAllParameters(request.getParametersMap());
        return reply.build();
    }

    // ---- the node ----

    private Message stage(SimPlugin plugin, NodeStageVolumeRequest request) throws CsiRefusal {
        Volume volume = known(request.getVolumeId());
        Path path = Path.of(request.getStagingTargetPath());
        requireAttached(plugin, volume);
        if (!Files.isDirectory(path)) {
            throw new CsiRefusal(CsiCode.INTERNAL, "no directory " + path);
        }
        if (!plugin.machine.mounts.isMounted(path)) {
            plugin.machine.mounts.mountDevice(volume.minor, volume.id, path, false);
        }
        return NodeStageVolumeResponse.getDefaultInstance();
    }

    private Message unstage(SimPlugin plugin, NodeUnstageVolumeRequest request) throws CsiRefusal {
        Volume volume = known(request.getVolumeId());
        if (!published(volume, plugin.machine).isEmpty()) {
            verdict.broken(
                    volume.id
                            + " is to be unstaged on "
                            + plugin.machine.name
                            + " while published at "
                            + published(volume, plugin.machine));
        }
        unmount(plugin.machine, Path.of(request.getStagingTargetPath()));
        return NodeUnstageVolumeResponse.getDefaultInstance();
    }

    private Message publish(SimPlugin plugin, NodePublishVolumeRequest request) throws CsiRefusal {
        Volume volume = known(request.getVolumeId());
        SimMounts mounts = plugin.machine.mounts;
        Path target = Path.of(request.getTargetPath());
        boolean stages = plugin.pluginId.equals(DISKS);
        if (stages) {
            requireAttached(plugin, volume);
            if (!mounts.isMounted(Path.of(request.getStagingTargetPath()))) {
                throw new CsiRefusal(CsiCode.FAILED_PRECONDITION, "it is not staged");
            }
        }
        try {
            if (!Files.isDirectory(target)) {
                Files.createDirectory(target);
            }
        } catch (IOException failed) {
            throw new CsiRefusal(CsiCode.INTERNAL, "mkdir: " + failed);
        }
        if (!mounts.isMounted(target)) {
            if (stages) {
                mounts.bind(Path.of(request.getStagingTargetPath()), target, request.getReadonly());
            } else {
                mounts.mountDevice(volume.minor, volume.id, target, request.getReadonly());
            }
            requireOneWriter(volume);
        }
        return NodePublishVolumeResponse.getDefaultInstance();
    }

    private Message unpublish(SimPlugin plugin, NodeUnpublishVolumeRequest request)
            throws CsiRefusal {
        known(request.getVolumeId());
        Path target = Path.of(request.getTargetPath());
        unmount(plugin.machine, target);
        try {
            Files.deleteIfExists(target);
        } catch (IOException failed) {
            throw new CsiRefusal(CsiCode.INTERNAL, "rmdir: " + failed);
        }
        return NodeUnpublishVolumeResponse.getDefaultInstance();
    }

    private static void unmount(SimMachine machine, Path path) throws CsiRefusal {
        try {
            machine.mounts.unmount(path);
        } catch (io.cleat.base.KernelTrouble busy) {
            throw new CsiRefusal(CsiCode.INTERNAL, busy.reason());
        }
    }

    private Volume known(String id) throws CsiRefusal {
        Volume volume = volumes.get(id);
        if (volume == null) {
            throw new CsiRefusal(CsiCode.NOT_FOUND, "no volume " + id);
        }
        return volume;
    }

    private void requireAttached(SimPlugin plugin, Volume volume) throws CsiRefusal {
        if (plugin.pluginId.equals(DISKS)
                && !volume.attachedTo.contains(externalNode(plugin.machine))) {
            verdict.broken(volume.id + " is used on " + plugin.machine.name + ", not attached");
            throw new CsiRefusal(CsiCode.FAILED_PRECONDITION, "it is not attached here");
        }
    }

    /** Two who write to a single writer's volume, wherever they are, lose data. */
    private void requireOneWriter(Volume volume) {
        List<String> writers = new ArrayList<>();
        for (SimMachine machine : machines) {
            published(volume, machine).stream()
                    .filter(mount -> mount.options().contains("rw"))
                    .forEach(mount -> writers.add(machine.name + ":" + mount.target()));
        }
        if (volume.isSingleWriter && writers.size() > 1) {
            verdict.broken(volume.id + " has two writers: " + writers);
        }
    }

    private static List<Mount> published(Volume volume, SimMachine machine) {
        return mountsOf(volume, machine).stream()
                .filter(mount -> mount.target().contains("/per-alloc/"))
                .toList();
    }

    private static List<Mount> mountsOf(Volume volume, SimMachine machine) {
        return machine.mounts.all().stream()
                .filter(mount -> mount.device().major() == SimMounts.VOLUMES)
                .filter(mount -> mount.device().minor() == volume.minor)
                .toList();
    }
}
