package io.cleat.server.duty;

import io.cleat.base.LogTrouble;
import io.cleat.base.Time;
import io.cleat.model.BlockedBy;
import io.cleat.server.commit.Answer;
import io.cleat.server.decide.Attach;
import io.cleat.server.decide.GiveUpAttaching;
import io.cleat.server.session.AttachNeed;
import io.cleat.state.AttachmentId;
import io.cleat.state.AttachmentRow;
import io.cleat.state.AttachmentState;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClaimState;
import io.cleat.state.ClusterState;
import io.cleat.state.TableName;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Attaches the volumes of granted claims to their nodes where the plugin attaches at all, and gives
 * up what has not come after {@link #TIMEOUT}.
 */
final class AttachDuty implements Duty {
    /** How long attaching may take before its allocations fail. */
    static final Duration TIMEOUT = Duration.ofMinutes(5);

    private static final Logger LOG = LoggerFactory.getLogger(AttachDuty.class);
    private static final Duration IDLE = Duration.ofHours(1);
    private static final Duration AGAIN = Duration.ofSeconds(5);

    private final Deciding deciding;
    private final Time time;

    AttachDuty(Deciding deciding, Time time) {
        this.deciding = deciding;
        this.time = time;
    }

    @Override
    public String name() {
        return "attach";
    }

    @Override
    public Set<TableName> tables() {
        return Set.of(
                TableName.CLAIMS, TableName.ATTACHMENTS, TableName.OPERATIONS, TableName.NODES);
    }

    @Override
    public Duration turn() throws LogTrouble, InterruptedException {
        ClusterState state = deciding.newest();
        Duration idle = IDLE;
        for (ClaimRow claim : state.claims(ClaimState.GRANTED)) {
            if (isToAttach(state, claim) && !attach(claim)) {
                idle = AGAIN;
            }
        }
        Instant now = time.now();
        for (AttachmentRow row : state.attachments()) {
            if (row.state() == AttachmentState.ATTACHING) {
                Duration left = Duration.between(now, row.since().plus(TIMEOUT));
                if (left.isNegative() || left.isZero()) {
                    giveUp(row);
                } else if (left.compareTo(idle) < 0) {
                    idle = left;
                }
            }
        }
        return idle;
    }

    private static boolean isToAttach(ClusterState state, ClaimRow claim) {
        boolean isThere =
                state.attachment(new AttachmentId(claim.key(), claim.nodeId()))
                        .map(row -> row.state() != AttachmentState.DETACHING)
                        .orElse(false);
        return !isThere && AttachNeed.of(state, claim.key().pluginId()) == AttachNeed.NEEDED;
    }

    private boolean attach(ClaimRow claim) throws LogTrouble, InterruptedException {
        Answer<Attach.Reply> answer = deciding.commit(new Attach(claim.id(), deciding.seed()));
        if (answer instanceof Answer.Rejected<Attach.Reply> rejected) {
            LOG.debug(
                    "claim {} waits to be attached: {}", claim.id(), rejected.refusal().message());
            return false;
        }
        return true;
    }

    private void giveUp(AttachmentRow row) throws LogTrouble, InterruptedException {
        BlockedBy last = row.blockedBy();
        String why =
                "controller attach volume: not attached within "
                        + TIMEOUT.toMinutes()
                        + " min"
                        + (last == null ? "" : "; last: " + last.holder());
        deciding.commit(new GiveUpAttaching(row.id(), why, deciding.seed()));
    }
}
