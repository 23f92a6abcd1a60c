package io.cleat.agent.volumes;

import io.cleat.base.DiskTrouble;
import io.cleat.base.KernelTrouble;
import io.cleat.csi.CsiTrouble;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The node's part of making a volume larger, once for each size. It is not written down before: asked again it does no
 * harm, and there is nothing to undo. Called with the volume's turn.
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
     * Makes the volume that a claim has published as large, if it is not.
     *
     * @return false if the claim has not published it
     * @throws StepBlocked if it was not done: the same again
     */
    boolean expand(GrantedClaim claim, Expansion expansion) throws StepBlocked, InterruptedException {
        long bytes = expansion.bytes();
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
        try {
            if (expansion.compareOnly()) {
                requireGrown(claim, use.get(), bytes);
            } else {
                call(claim, record, use.get(), bytes);
            }
            parts.journal().keep(record.expanded(bytes));
            return true;
        } catch (KernelTrouble unread) {
            throw StepBlocked.unread("expand", unread);
        } catch (CsiTrouble trouble) {
            throw StepBlocked.after("expand", trouble);
        } catch (DiskTrouble trouble) {
            throw StepBlocked.again("expand", trouble.reason(), "it is written down again");
        }
    }

    private void call(GrantedClaim claim, VolumeRecord record, Use use, long bytes)
            throws StepBlocked, CsiTrouble, KernelTrouble, InterruptedException {
        NodePlugin plugin = parts.plugin("expand", claim.pluginId());
        Staging staging = record.staging();
        OptionalLong before = targets.size(claim.pluginId(), use);
        calls.expand(plugin, claim, staging == null ? "" : staging.pluginPath(), use, bytes);
        OptionalLong after = targets.size(claim.pluginId(), use);
        boolean isAsBefore = before.isPresent() && before.equals(after);
        calls.requireTrue(claim, "NodeExpandVolume", isAsBefore ? tooSmall(use, after, bytes) : Optional.empty());
    }

    private void requireGrown(GrantedClaim claim, Use use, long bytes)
            throws StepBlocked, KernelTrouble, InterruptedException {
        Optional<String> fault = tooSmall(use, targets.size(claim.pluginId(), use), bytes);
        if (fault.isPresent()) {
            throw StepBlocked.again(
                    "expand",
                    "plugin "
                            + claim.pluginId()
                            + ", whose controller said that the volume has grown and that its nodes have nothing to "
                            + "do: "
                            + fault.get(),
                    "the device is looked at again; if it stays so, restart the task, or see what"
                            + " the driver needs for a device to grow");
        }
    }

    /** What lies before a volume on its device, such as the head of an encrypted one, is no lie. */
    private static Optional<String> tooSmall(Use use, OptionalLong size, long bytes) {
        long least = bytes - Math.min(LARGEST_HEAD, bytes / 16);
        return size.isPresent() && size.getAsLong() < least
                ? Optional.of("the device at "
                        + use.hostPath()
                        + " has "
                        + size.getAsLong()
                        + " bytes as before, expected "
                        + bytes)
                : Optional.empty();
    }
}
