package io.cleat.localplugin;

import io.cleat.base.DiskTrouble;
import io.cleat.base.KernelTrouble;
import io.cleat.csi.v1.VolumeCapability;
import io.cleat.csi.v1.VolumeCapability.AccessMode.Mode;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** ControllerPublishVolume and back: which nodes may use a volume, and how. */
final class Attaching {
    private final Pool pool;
    private final Mounting mounting;
    private final Lifecycle lifecycle;
    private final String node;

    Attaching(Pool pool, Mounting mounting, Lifecycle lifecycle, String node) {
        this.pool = pool;
        this.mounting = mounting;
        this.lifecycle = lifecycle;
        this.node = node;
    }

    /** Attaches a volume to a node; answers with the publish context. */
    Map<String, String> attach(String id, String node, VolumeCapability capability, boolean readOnly)
            throws CallRefused, DiskTrouble, InterruptedException {
        try (KeyLocks.Held _ = pool.hold(id)) {
            Volume volume = pool.volumes().require(id);
            if (!pool.hasNode(node)) {
                throw CallRefused.notFound("no plugin of a node '"
                        + node
                        + "' has ever served the pool "
                        + pool.root()
                        + "; NodeGetInfo names the right id");
            }
            Access.check(volume.type(), capability);
            Uses.Attachment wish =
                    new Uses.Attachment(node, capability.getAccessMode().getMode(), readOnly);
            Optional<Uses.Attachment> before = volume.uses().attachmentTo(node);
            if (before.isPresent()) {
                requireCovered(volume, before.get(), wish);
            } else {
                requireRoom(volume, wish);
                pool.volumes().save(volume.used(uses -> uses.attached(wish)));
            }
            return readOnly ? Map.of(Lifecycle.READ_ONLY, "true") : Map.of();
        }
    }

    /** A node attached to write may also read; all else is another attachment. */
    private static void requireCovered(Volume volume, Uses.Attachment before, Uses.Attachment wish) throws CallRefused {
        Mode wished = wish.mode();
        boolean covered = wished == before.mode() || Access.isReader(wished);
        if (before.readOnly() != wish.readOnly() || !covered) {
            throw CallRefused.different("volume "
                    + volume.id()
                    + " is attached to node "
                    + before.node()
                    + " with "
                    + words(before)
                    + ", and "
                    + words(wish)
                    + " was asked for; detach it first");
        }
    }

    private static void requireRoom(Volume volume, Uses.Attachment wish) throws CallRefused {
        for (Uses.Attachment other : volume.uses().attachments()) {
            if (!Access.isMultiNode(wish.mode()) || !Access.isMultiNode(other.mode())) {
                throw CallRefused.tooSoon("volume "
                        + volume.id()
                        + " is attached to node "
                        + other.node()
                        + " with "
                        + words(other)
                        + ", and node "
                        + wish.node()
                        + " asks for "
                        + words(wish)
                        + "; detach it from "
                        + other.node()
                        + " first");
            }
            if (isSoleWriter(wish) && isSoleWriter(other)) {
                throw CallRefused.tooSoon("volume "
                        + volume.id()
                        + " has its one writer on node "
                        + other.node()
                        + "; attach it read-only to node "
                        + wish.node()
                        + ", or detach it there first");
            }
        }
    }

    private static boolean isSoleWriter(Uses.Attachment attachment) {
        return attachment.mode() == Mode.MULTI_NODE_SINGLE_WRITER && !attachment.readOnly();
    }

    private static String words(Uses.Attachment attachment) {
        return attachment.mode() + (attachment.readOnly() ? " read-only" : "");
    }

    /**
     * Detaches a volume from the node {@code from}, or from all when that is empty. A volume that is not there is not
     * attached either.
     *
     * <p>This is the orchestrator's word that the node is off the volume, which for another node nothing here could
     * tell: what is on file of its uses goes too, or a node that never comes back would keep the volume for ever.
     */
    void detach(String id, String from) throws CallRefused, DiskTrouble, KernelTrouble, InterruptedException {
        try (KeyLocks.Held _ = pool.hold(id)) {
            Optional<Volume> found = pool.volumes().find(id);
            if (found.isEmpty()) {
                return;
            }
            Volume volume = found.get();
            List<Uses.Attachment> leaving = volume.uses().attachments().stream()
                    .filter(a -> from.isEmpty() || a.node().equals(from))
                    .toList();
            if (leaving.isEmpty()) {
                return;
            }
            Seen seen = mounting.look(volume);
            for (Uses.Attachment attachment : leaving) {
                lifecycle.requireUnstaged(volume, attachment.node(), seen);
            }
            Uses left = volume.uses();
            for (Uses.Attachment attachment : leaving) {
                left = left.detached(attachment.node());
                if (!attachment.node().equals(node)) {
                    left = left.unusedBy(attachment.node());
                }
            }
            Uses now = left;
            pool.volumes().save(volume.used(_ -> now));
        }
    }
}
