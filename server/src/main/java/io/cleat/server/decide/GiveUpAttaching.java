package io.cleat.server.decide;

import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.AttachmentId;
import io.cleat.state.AttachmentState;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;

/**
 * Attaching has taken too long: the allocations that wait for it fail, and it is detached.
 *
 * @param why with the plugin's last words, if it said any
 * @param seed a fresh id
 */
public record GiveUpAttaching(AttachmentId attachment, String why, String seed)
        implements Command<GiveUpAttaching.Reply> {
    /** Given up, or there was nothing to give up. */
    public record Reply() {}

    @Override
    public Decision<Change, Reply> decide(ClusterState newest, DecideContext context) {
        Work work = new Work(newest, context);
        newest.attachments()
                .get(attachment)
                .filter(row -> row.state() == AttachmentState.ATTACHING)
                .ifPresent(row -> Attachments.giveUp(work, row, why, new NewIds(seed)));
        return work.accept(new Reply());
    }
}
