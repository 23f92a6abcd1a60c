package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.base.TextRule;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.NamespaceRow;
import io.cleat.state.Namespaces;
import java.util.Optional;

/** Forgets a namespace that nothing is in. */
public record DeregisterNamespace(String name) implements Command<DeregisterNamespace.Reply> {
    /** It is gone. */
    public record Reply() {}

    @Override
    public Decision<Change, Reply> decide(ClusterState newest, DecideContext context) {
        if (name.equals(NamespaceRow.DEFAULT)) {
            return Work.refuse(new Refusal.Invalid("default namespace can not be deleted"));
        }
        if (!Namespaces.exists(newest, name)) {
            return Work.refuse(new Refusal.NotFound("namespace not found: " + TextRule.quoted(name)));
        }
        Optional<Refusal> inUse = NamespaceRules.inUse(newest, name);
        if (inUse.isPresent()) {
            return Work.refuse(inUse.get());
        }
        Work work = new Work(newest, context);
        work.add(new Change.NamespaceRemoved(name));
        return work.accept(new Reply());
    }
}
