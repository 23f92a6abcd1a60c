package io.cleat.agent.volumes;

import io.cleat.base.DiskTrouble;
import io.cleat.csi.CsiTrouble;
import java.util.Optional;

/**
 * The node's part of making a volume larger, once for each size. It is not written down before:
 * asked again it does no harm, and there is nothing to undo. Called with the volume's turn.
 */
final class Expanding {
    private final VolumeParts parts;
    private final PluginCalls calls;

    Expanding(VolumeParts parts) {
        this.parts = parts;
        this.calls = new PluginCalls(parts);
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
            calls.expand(
                    plugin, claim, staging == null ? "" : staging.pluginPath(), use.get(), bytes);
            parts.journal().keep(record.expanded(bytes));
            return true;
        } catch (CsiTrouble trouble) {
            throw NotNow.again("expand", trouble.reason(), "the same call is made again");
        } catch (DiskTrouble trouble) {
            throw NotNow.again("expand", trouble.reason(), "it is written down again");
        }
    }
}
