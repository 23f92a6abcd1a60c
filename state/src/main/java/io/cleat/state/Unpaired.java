package io.cleat.state;

import java.util.Collection;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.pcollections.TreePMap;
import org.pcollections.TreePSet;

/**
 * The claims that have no attachment to use, and the attachments that no claim uses. It is kept with each change of
 * either, since it is looked for at each change, and claims and attachments that have each other are many. Immutable.
 *
 * @param byPlugin granted claims whose volume is not attached to their node, or not as they want it, or is being
 *     detached; plugins without any are not there, and those that attach nothing are there with all their claims
 * @param unused attachments that no claim uses, or that are being detached
 */
record Unpaired(TreePMap<String, TreePSet<ClaimId>> byPlugin, TreePSet<AttachmentId> unused) {
    static final Unpaired NONE = new Unpaired(TreePMap.empty(), TreePSet.empty());

    /** Without a claim that is gone, or whose row has changed. */
    Unpaired without(ClaimRow claim) {
        return with(claim, false);
    }

    /**
     * As it is once a claim or an attachment of one volume on one node has changed.
     *
     * @param attachment null if there is none
     * @param claims all that there are of the volume on the node
     */
    Unpaired paired(AttachmentId id, @Nullable AttachmentRow attachment, Collection<ClaimRow> claims) {
        boolean isLeaving = attachment == null || attachment.state() == AttachmentState.DETACHING;
        boolean isUsed = false;
        Unpaired next = this;
        for (ClaimRow claim : claims) {
            boolean isServed = attachment != null && !isLeaving && attachment.covers(claim);
            next = next.with(claim, claim.state() == ClaimState.GRANTED && !isServed);
            isUsed |= attachment != null && attachment.isFor(claim);
        }
        boolean isUnused = attachment != null && (isLeaving || !isUsed);
        return new Unpaired(next.byPlugin, isUnused ? unused.plus(id) : unused.minus(id));
    }

    private Unpaired with(ClaimRow claim, boolean isThere) {
        String plugin = claim.key().pluginId();
        TreePSet<ClaimId> before = byPlugin.getOrDefault(plugin, TreePSet.empty());
        TreePSet<ClaimId> after = isThere ? before.plus(claim.id()) : before.minus(claim.id());
        if (after.size() == before.size()) {
            return this;
        }
        return new Unpaired(after.isEmpty() ? byPlugin.minus(plugin) : byPlugin.plus(plugin, after), unused);
    }

    Set<String> plugins() {
        return byPlugin.keySet();
    }

    Collection<ClaimId> claims(String pluginId) {
        return byPlugin.getOrDefault(pluginId, TreePSet.empty());
    }
}
