package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.base.TextRule;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.AllocationRow;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.Registration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One allocation's service is found no more, until the allocation runs by another version of its job. What it serves
 * goes on.
 *
 * @param id of the place
 */
public record WithdrawService(String namespace, String name, String id) implements Command<WithdrawService.Reply> {
    /** @param allocId whose it was */
    public record Reply(String allocId) {}

    @Override
    public Decision<Change, Reply> decide(ClusterState newest, DecideContext context) {
        Optional<Registration> found = newest.registrations().named(namespace, name).stream()
                .filter(each -> each.id().equals(id))
                .findFirst();
        if (found.isEmpty()) {
            return Work.refuse(new Refusal.NotFound("no such service registration: "
                    + TextRule.quoted(id)
                    + " of service "
                    + TextRule.quoted(name)
                    + " in namespace "
                    + TextRule.quoted(namespace)
                    + "; list them with: cleat service info -verbose NAME"));
        }
        AllocationRow row = found.get().allocation();
        List<String> withdrawn = new ArrayList<>(row.byVersion().withdrawn());
        withdrawn.add(id);
        Work work = new Work(newest, context);
        work.add(new Change.AllocationPut(row.withdrawn(withdrawn).modifiedAt(work.now())));
        return work.accept(new Reply(row.id()));
    }
}
