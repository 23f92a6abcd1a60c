package io.cleat.server.duty;

import io.cleat.base.FaultHandler;
import io.cleat.base.Ids;
import io.cleat.model.BlockedBy;
import io.cleat.schedule.AttachNeed;
import io.cleat.schedule.PluginHealth;
import io.cleat.server.decide.Attach;
import io.cleat.server.decide.Command;
import io.cleat.server.decide.GiveUpAttaching;
import io.cleat.state.AttachmentId;
import io.cleat.state.AttachmentRow;
import io.cleat.state.AttachmentState;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClaimState;
import io.cleat.state.ClusterState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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
        Map<String, AttachNeed> needs = new HashMap<>();
        Duration idle = AttachmentDuty.IDLE;
        for (ClaimRow claim : state.claims(ClaimState.GRANTED)) {
            try {
                boolean isNeeded = needs.computeIfAbsent(
                                claim.key().pluginId(),
                                id -> PluginHealth.of(state, id).attachNeed())
                        == AttachNeed.NEEDED;
                if (isNeeded && !isThere(state, claim)) {
                    commands.add(new Attach(claim.id(), ids.next()));
                }
            } catch (RuntimeException | Error fault) {
                faults.contain("duty/attach, claim " + claim.id(), fault);
                idle = Duty.AFTER_FAULT;
            }
        }
        for (AttachmentRow row : state.attachments()) {
            if (row.state() == AttachmentState.ATTACHING) {
                Duration left = Duration.between(now, row.since().plus(TIMEOUT));
                if (left.isNegative() || left.isZero()) {
                    commands.add(new GiveUpAttaching(row.id(), why(row), ids.next()));
                } else if (left.compareTo(idle) < 0) {
                    idle = left;
                }
            }
        }
        return new AttachmentDuty.Owed(commands, idle);
    }

    private static boolean isThere(ClusterState state, ClaimRow claim) {
        return state.attachment(new AttachmentId(claim.key(), claim.nodeId()))
                .map(row -> row.state() != AttachmentState.DETACHING && row.covers(claim))
                .orElse(false);
    }

    private static String why(AttachmentRow row) {
        BlockedBy last = row.blockedBy();
        return "controller attach volume: not attached within "
                + TIMEOUT.toMinutes()
                + " min"
                + (last == null ? "" : "; last: " + last.holder());
    }
}
