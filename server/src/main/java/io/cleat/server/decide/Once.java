package io.cleat.server.decide;

import io.cleat.base.DiskTrouble;
import io.cleat.base.InvariantBroken;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.codec.RecordCodec;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.RequestRow;
import io.cleat.state.TableName;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * A command under a request id of its caller: repeating it has no second effect and gives the first reply. Only a
 * command that is accepted is remembered; a refusal changes nothing, so asking again may be answered otherwise. What
 * has no id is nothing that somebody could repeat.
 *
 * @param digest of what was asked, so that an id used for something else is noticed
 * @param replies how replies are stored
 */
public record Once<R>(Command<R> command, String digest, RecordCodec<R> replies) implements Command<R> {
    /** So many are remembered, the newest, and each for an hour at most. */
    static final int MOST = 20_000;

    @Override
    public Decision<Change, R> decide(ClusterState newest, DecideContext context) {
        Optional<String> id = context.requestId();
        if (id.isEmpty()) {
            return command.decide(newest, context);
        }
        Optional<RequestRow> known = newest.requests().get(id.get());
        if (known.isPresent()) {
            return repeated(known.get());
        }
        return switch (command.decide(newest, context)) {
            case Decision.Reject<Change, R> no -> no;
            case Decision.Accept<Change, R>(List<Change> changes, R reply) -> {
                if (changes.isEmpty()) {
                    yield new Decision.Accept<>(changes, reply);
                }
                yield kept(newest, id.get(), changes, reply, context);
            }
        };
    }

    @Override
    public boolean goesOnInRecovery() {
        return command.goesOnInRecovery();
    }

    @Override
    public boolean bringsMore() {
        return command.bringsMore();
    }

    @Override
    public String kind() {
        return command.kind();
    }

    private Decision<Change, R> repeated(RequestRow row) {
        if (!row.digest().equals(digest)) {
            return Work.refuse(new Refusal.Conflict("request id "
                    + row.id()
                    + " was used for another request at "
                    + row.decidedAt()
                    + "; give each request an id of its own"));
        }
        try {
            return new Decision.Accept<>(
                    List.of(), replies.decode(Base64.getDecoder().decode(row.reply())));
        } catch (DiskTrouble unreadable) {
            throw new InvariantBroken("a stored reply is readable", unreadable.reason());
        }
    }

    /** With the reply kept; a reply that cannot be kept could not be repeated. */
    private Decision<Change, R> kept(
            ClusterState newest, String id, List<Change> changes, R reply, DecideContext context) {
        String stored;
        try {
            stored = Base64.getEncoder().encodeToString(replies.encode(reply));
        } catch (Refused unfit) {
            return Work.refuse(unfit.refusal());
        }
        List<Change> all = new ArrayList<>(changes);
        all.add(new Change.RequestKept(new RequestRow(id, digest, stored, context.decidedAt(), 0, 0)));
        if (newest.count(TableName.REQUESTS) >= MOST) {
            // Two for each that comes, so that more of them, as others kept, become fewer.
            newest.requests().oldest().limit(2).forEach(row -> all.add(new Change.RequestExpired(row.id())));
        }
        return new Decision.Accept<>(all, reply);
    }
}
