package io.cleat.sim;

import com.google.protobuf.Message;
import io.cleat.base.KernelTrouble;
import io.cleat.csi.CsiCode;
import io.cleat.csi.v1.NodeExpandVolumeRequest;
import io.cleat.csi.v1.NodeExpandVolumeResponse;
import io.cleat.csi.v1.NodePublishVolumeRequest;
import io.cleat.csi.v1.NodePublishVolumeResponse;
import io.cleat.csi.v1.NodeStageVolumeRequest;
import io.cleat.csi.v1.NodeStageVolumeResponse;
import io.cleat.csi.v1.NodeUnpublishVolumeRequest;
import io.cleat.csi.v1.NodeUnpublishVolumeResponse;
import io.cleat.csi.v1.NodeUnstageVolumeRequest;
import io.cleat.csi.v1.NodeUnstageVolumeResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a plugin does on its machine, judged: nothing is used that is not attached there. */
final class SimNodeCalls {
    private final SimStorage storage;

    SimNodeCalls(SimStorage storage) {
        this.storage = storage;
    }

    /** What the node's calls answer when they claim to have done what they were asked. */
    static Message emptyReply(String call) {
        return switch (call) {
            case "NodeStageVolume" -> NodeStageVolumeResponse.getDefaultInstance();
            case "NodeUnstageVolume" -> NodeUnstageVolumeResponse.getDefaultInstance();
            case "NodePublishVolume" -> NodePublishVolumeResponse.getDefaultInstance();
            case "NodeUnpublishVolume" -> NodeUnpublishVolumeResponse.getDefaultInstance();
            default -> throw new IllegalArgumentException(call);
        };
    }

    Message stage(SimPlugin plugin, NodeStageVolumeRequest request) throws CsiRefusal {
        SimVolume volume = storage.known(request.getVolumeId());
        Path path = Path.of(request.getStagingTargetPath());
        requireAttached(plugin, volume);
        if (!Files.isDirectory(path)) {
            throw new CsiRefusal(CsiCode.INTERNAL, "no directory " + path);
        }
        if (request.getVolumeCapability().hasBlock()) {
            volume.readyOn.add(plugin.machine.name);
        } else if (!plugin.machine.mounts.isMounted(path)) {
            plugin.machine.mounts.mountDevice(volume.minor, volume.id, path, false);
        }
        return NodeStageVolumeResponse.getDefaultInstance();
    }

    Message unstage(SimPlugin plugin, NodeUnstageVolumeRequest request) throws CsiRefusal {
        SimVolume volume = storage.known(request.getVolumeId());
        var published = plugin.machine.mounts.published(volume);
        if (!published.isEmpty()) {
            storage.broken(
                    volume.id + " is to be unstaged on " + plugin.machine.name + " while published at " + published);
        }
        volume.readyOn.remove(plugin.machine.name);
        unmount(plugin.machine, Path.of(request.getStagingTargetPath()));
        return NodeUnstageVolumeResponse.getDefaultInstance();
    }

    Message publish(SimPlugin plugin, NodePublishVolumeRequest request) throws CsiRefusal {
        SimVolume volume = storage.known(request.getVolumeId());
        SimMounts mounts = plugin.machine.mounts;
        Path target = Path.of(request.getTargetPath());
        boolean isBlock = request.getVolumeCapability().hasBlock();
        if (plugin.isDisks()) {
            requireAttached(plugin, volume);
            String staging = request.getStagingTargetPath();
            boolean isStaged = isBlock
                    ? volume.readyOn.contains(plugin.machine.name)
                    : !staging.isEmpty() && mounts.isMounted(Path.of(staging));
            // Not all of them look: then what is published is the directory below.
            if (!isStaged && (isBlock || staging.isEmpty() || plugin.looksAtStagings())) {
                throw new CsiRefusal(CsiCode.FAILED_PRECONDITION, "it is not staged");
            }
        }
        makeTarget(target, isBlock);
        if (mounts.isDead(target)) {
            throw new CsiRefusal(CsiCode.INTERNAL, "stat: transport endpoint is not connected");
        }
        if (!mounts.isMounted(target)) {
            boolean readOnly = request.getReadonly();
            if (isBlock) {
                mounts.showDevice(volume.minor, volume.id, target, readOnly);
            } else if (plugin.isDisks()) {
                Path staging = Path.of(request.getStagingTargetPath());
                if (mounts.isMounted(staging)) {
                    mounts.bind(staging, target, readOnly);
                } else {
                    mounts.bindBelow(volume, staging, target, readOnly);
                }
            } else if (plugin.holdsMounts()) {
                mounts.mountHeld(plugin, volume.id, target, readOnly);
            } else {
                mounts.mountDevice(volume.minor, volume.id, target, readOnly);
            }
            storage.requireOneWriter(volume);
        }
        return NodePublishVolumeResponse.getDefaultInstance();
    }

    private static void makeTarget(Path target, boolean isFile) throws CsiRefusal {
        try {
            if (isFile && !Files.exists(target)) {
                Files.createFile(target);
            } else if (!isFile && !Files.isDirectory(target)) {
                Files.createDirectory(target);
            }
        } catch (IOException failed) {
            throw new CsiRefusal(CsiCode.INTERNAL, "making " + target + ": " + failed);
        }
    }

    Message unpublish(SimPlugin plugin, NodeUnpublishVolumeRequest request) throws CsiRefusal {
        storage.known(request.getVolumeId());
        Path target = Path.of(request.getTargetPath());
        unmount(plugin.machine, target);
        try {
            Files.deleteIfExists(target);
        } catch (IOException failed) {
            throw new CsiRefusal(CsiCode.INTERNAL, "rmdir: " + failed);
        }
        return NodeUnpublishVolumeResponse.getDefaultInstance();
    }

    Message expand(SimPlugin plugin, NodeExpandVolumeRequest request) throws CsiRefusal {
        SimVolume volume = storage.known(request.getVolumeId());
        requireAttached(plugin, volume);
        if (!plugin.machine.mounts.isMounted(Path.of(request.getVolumePath()))) {
            throw new CsiRefusal(CsiCode.FAILED_PRECONDITION, "it is not mounted");
        }
        volume.fileSystem = volume.size;
        return NodeExpandVolumeResponse.newBuilder()
                .setCapacityBytes(volume.size)
                .build();
    }

    private static void unmount(SimMachine machine, Path path) throws CsiRefusal {
        try {
            machine.mounts.unmount(path);
        } catch (KernelTrouble busy) {
            throw new CsiRefusal(CsiCode.INTERNAL, busy.reason());
        }
    }

    private void requireAttached(SimPlugin plugin, SimVolume volume) throws CsiRefusal {
        if (plugin.isDisks() && volume.attachedTo.stream().noneMatch(plugin.machine::isNode)) {
            if (!storage.haveServersForgotten()) {
                storage.broken(volume.id + " is used on " + plugin.machine.name + ", not attached");
            }
            throw new CsiRefusal(CsiCode.FAILED_PRECONDITION, "it is not attached here");
        }
    }
}
