package io.cleat.agent.volumes;

import io.cleat.base.DiskTrouble;
import io.cleat.base.KernelTrouble;
import io.cleat.csi.CsiTrouble;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The node's part of making a volume larger, once for each size. It is not written down before:
 * asked again it does no harm, and there is nothing to undo. Called with the volume's turn.
 */
final class Expanding {
    private static final long LARGEST_HEAD = 64 << 20;

    private final VolumeParts parts;
    private final PluginCalls calls;
    private final Targets targets;

    Expanding(VolumeParts parts) {
        this.parts = parts;
        this.calls = new PluginCalls(parts);
        this.targets = new Targets(parts);
    }

    /**
     * Makes the volume that a claim has published as large as {@code bytes}, if it is not.
     *
     * @return false if the claim has not published it
     * @throws NotNow if it was not done: the same again
     */
    boolean expand(GrantedClaim claim, long bytes) throws NotNow, InterruptedException {
        VolumeRecord record = parts.journal().volume(VolumeKey.of(claim));
        Optional<Use> use = record.use(claim.allocId(), claim.alias());
        if (use.isEmpty() || use.get().phase() != Use.Phase.PUBLISHED) {
            return false;
        }
        // A file system grows only where it may be written, at the next claim that writes; a device
        // grows for its readers too.
        boolean mayGrow = use.get().isDevice() || !use.get().readOnly();
        if (record.expandedTo() >= bytes || !mayGrow) {
            return true;
        }
        NodePlugin plugin = parts.plugin("expand", claim.pluginId());
        Staging staging = record.staging();
        try {
            OptionalLong before = targets.size(claim.pluginId(), use.get());
            calls.expand(
                    plugin, claim, staging == null ? "" : staging.pluginPath(), use.get(), bytes);
            OptionalLong after = targets.size(claim.pluginId(), use.get());
            calls.requireTrue(claim, "NodeExpandVolume", notGrown(use.get(), before, after, bytes));
            parts.journal().keep(record.expanded(bytes));
            return true;
        } catch (KernelTrouble unread) {
            throw NotNow.again("expand", unread.reason(), "it is looked at again");
        } catch (CsiTrouble trouble) {
            throw NotNow.after("expand", trouble);
        } catch (DiskTrouble trouble) {
            throw NotNow.again("expand", trouble.reason(), "it is written down again");
        }
    }

    /** What lies before a volume on its device, such as the head of an encrypted one, is no lie. */
    private static Optional<String> notGrown(
            Use use, OptionalLong before, OptionalLong after, long bytes) {
        long least = bytes - Math.min(LARGEST_HEAD, bytes / 16);
        return before.isPresent() && before.equals(after) && after.getAsLong() < least
                ? Optional.of(
                        "the device at "
                                + use.hostPath()
                                + " has "
                                + after.getAsLong()
                                + " bytes as before, expected "
                                + bytes)
                : Optional.empty();
    }
}
