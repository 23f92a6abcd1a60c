package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.base.TextRule;
import io.cleat.model.HostVolumeNames;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.HostVolumeRow;
import io.cleat.state.StickyClaimRow;
import java.util.Optional;
import java.util.Set;

/** A group keeps a host volume no more: the next allocation of its name may have another one. What runs goes on. */
public record DeleteStickyClaim(String namespace, String id) implements Command<DeleteStickyClaim.Reply> {
    /** @param claim as it was */
    public record Reply(StickyClaimRow claim) {}

    @Override
    public Decision<Change, Reply> decide(ClusterState newest, DecideContext context) {
        Optional<StickyClaimRow> claim = newest.stickyClaims()
                .find(id)
                .filter(row -> row.job().namespace().equals(namespace));
        if (claim.isEmpty()) {
            return Work.refuse(new Refusal.NotFound("no such volume claim: "
                    + TextRule.quoted(id)
                    + " in namespace "
                    + TextRule.quoted(namespace)
                    + "; list them with: cleat volume claim list"));
        }
        Work work = new Work(newest, context);
        work.add(new Change.StickyClaimRemoved(id));
        Wakes.volumes(
                work, Set.of(HostVolumeRow.key(HostVolumeNames.id(claim.get().volume()))));
        return work.accept(new Reply(claim.get()));
    }
}
