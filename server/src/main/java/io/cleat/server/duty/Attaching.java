package io.cleat.server.duty;

import io.cleat.base.FaultHandler;
import io.cleat.base.Ids;
import io.cleat.model.BlockedBy;
import io.cleat.schedule.AttachNeed;
import io.cleat.schedule.PluginHealth;
import io.cleat.server.decide.Attach;
import io.cleat.server.decide.Command;
import io.cleat.server.decide.GiveUpAttaching;
import io.cleat.state.AttachmentRow;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClusterState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The volumes of granted claims are attached to their nodes where the plugin attaches at all; what has not come after
 * {@link #TIMEOUT} is given up.
 */
final class Attaching implements AttachmentDuty.Look {
    /** How long attaching may take before its allocations fail. */
    static final Duration TIMEOUT = Duration.ofMinutes(5);

    private final Ids ids;
    private final FaultHandler faults;

    Attaching(Ids ids, FaultHandler faults) {
        this.faults = faults;
        this.ids = ids;
    }

    @Override
    public AttachmentDuty.Owed owed(ClusterState state, Instant now) {
        List<Command<?>> commands = new ArrayList<>();
        Duration idle = AttachmentDuty.IDLE;
        for (ClaimRow claim : unattached(state)) {
            try {
                commands.add(new Attach(claim.id(), ids.next()));
            } catch (RuntimeException | Error fault) {
                faults.contain("duty/attach, claim " + claim.id(), fault);
                idle = Duty.AFTER_FAULT;
            }
        }
        for (AttachmentRow row : state.pairing().attaching()) {
            Duration left = Duration.between(now, row.since().plus(TIMEOUT));
            if (left.isNegative() || left.isZero()) {
                commands.add(new GiveUpAttaching(row.id(), why(row), ids.next()));
            } else if (left.compareTo(idle) < 0) {
                idle = left;
            }
        }
        return new AttachmentDuty.Owed(commands, idle);
    }

    /** Whatever the number of claims that have what they need. */
    private static List<ClaimRow> unattached(ClusterState state) {
        return state.pairing().plugins().stream()
                .filter(id -> PluginHealth.of(state, id).attachNeed() == AttachNeed.NEEDED)
                .flatMap(id -> state.pairing().claims(id).stream())
                .toList();
    }

    private static String why(AttachmentRow row) {
        BlockedBy last = row.blockedBy();
        return "controller attach volume: not attached within "
                + TIMEOUT.toMinutes()
                + " min"
                + (last == null ? "" : "; last: " + last.holder());
    }
}
