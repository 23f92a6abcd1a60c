package io.cleat.server.duty;

import io.cleat.base.LogTrouble;
import io.cleat.server.commit.Answer;
import io.cleat.server.decide.Detach;
import io.cleat.state.AttachmentId;
import io.cleat.state.AttachmentRow;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClusterState;
import io.cleat.state.OperationCall;
import io.cleat.state.TableName;
import java.time.Duration;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detaches what no claim needs on a node any more. A claim goes once its node has said that nothing
 * of it is left there; only then is this duty's turn.
 */
final class ReleaseDuty implements Duty {
    private static final Logger LOG = LoggerFactory.getLogger(ReleaseDuty.class);
    private static final Duration IDLE = Duration.ofHours(1);
    private static final Duration AGAIN = Duration.ofSeconds(5);

    private final Deciding deciding;

    ReleaseDuty(Deciding deciding) {
        this.deciding = deciding;
    }

    @Override
    public String name() {
        return "release";
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
        for (AttachmentRow row : state.attachments()) {
            if (!isNeeded(state, row.id()) && !isBeingDetached(state, row)) {
                Answer<Detach.Reply> answer =
                        deciding.commit(new Detach(row.id(), deciding.seed()));
                if (answer instanceof Answer.Rejected<Detach.Reply> rejected) {
                    LOG.debug("{} is not detached yet: {}", row.id(), rejected.refusal().message());
                    idle = AGAIN;
                }
            }
        }
        return idle;
    }

    private static boolean isNeeded(ClusterState state, AttachmentId id) {
        return state.claimsOf(id.key()).stream()
                .filter(ClaimRow::holds)
                .anyMatch(claim -> claim.nodeId().equals(id.nodeId()));
    }

    private static boolean isBeingDetached(ClusterState state, AttachmentRow row) {
        return state.operationsOf(row.volume()).stream()
                .anyMatch(
                        operation ->
                                !operation.isDone()
                                        && operation.call()
                                                instanceof OperationCall.Unpublish unpublish
                                        && unpublish.attachment().equals(row.id()));
    }
}
