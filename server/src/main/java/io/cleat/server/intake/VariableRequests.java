package io.cleat.server.intake;

import io.cleat.base.DiskTrouble;
import io.cleat.base.LogTrouble;
import io.cleat.base.Refused;
import io.cleat.base.Secrets;
import io.cleat.codec.RecordCodec;
import io.cleat.model.VariableId;
import io.cleat.server.decide.DeleteVariable;
import io.cleat.server.decide.LockVariable;
import io.cleat.server.decide.PutVariable;
import io.cleat.server.decide.ReleaseLock;
import io.cleat.server.decide.RenewLock;
import io.cleat.server.decide.VariableReply;
import io.cleat.server.session.LockTimes;
import io.cleat.server.vault.Purpose;
import io.cleat.server.vault.Vault;
import io.cleat.state.Encrypted;
import io.cleat.state.VariableLock;
import io.cleat.state.VariableRow;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Requests about variables. Any thread. */
public final class VariableRequests {
    static final RecordCodec<VariableReply> REPLY = RecordCodec.stored("rvar", 1, VariableReply.class);

    private final Commits commits;
    private final Vault vault;
    private final LockTimes times;

    VariableRequests(Commits commits, Vault vault, LockTimes times) {
        this.commits = commits;
        this.vault = vault;
        this.times = times;
    }

    /** Its items, which are stored so that only the holder of the key reads them. */
    public Secrets items(VariableRow row) throws DiskTrouble {
        return vault.decrypt(row.items(), Purpose.variable(row.id()));
    }

    /**
     * Makes a variable, or gives it other items.
     *
     * @param id valid
     * @param ifModifyVersion what last changed it; 0 if it must not be there; null for whatever it is
     * @param lockId of the lock that the writer holds; empty for none
     */
    public Done<VariableReply> put(
            VariableId id, Secrets items, @Nullable Long ifModifyVersion, String lockId, Asked asked)
            throws Refused, LogTrouble, InterruptedException {
        return commits.once(
                new PutVariable(id, encrypted(id, items), ifModifyVersion, lockId),
                () -> List.of(id, names(items), Optional.ofNullable(ifModifyVersion), lockId),
                REPLY,
                asked);
    }

    /**
     * Forgets a variable; one that is not there is gone.
     *
     * @param ifModifyVersion as of {@link #put}
     */
    public Done<VariableReply> delete(VariableId id, @Nullable Long ifModifyVersion, Asked asked)
            throws Refused, LogTrouble, InterruptedException {
        return commits.once(
                new DeleteVariable(id, ifModifyVersion),
                () -> List.of(id, Optional.ofNullable(ifModifyVersion)),
                REPLY,
                asked);
    }

    /**
     * Takes the lock of a variable, which is made if it is not there. The reply has the lock's id.
     *
     * @param items what it holds from now on; none to leave it as it is
     */
    public Done<VariableReply> lock(VariableId id, Secrets items, Duration ttl, Duration delay, Asked asked)
            throws Refused, LogTrouble, InterruptedException {
        return commits.once(
                new LockVariable(id, encrypted(id, items), VariableLock.taken(commits.seed(), ttl, delay)),
                () -> List.of(id, names(items), ttl, delay),
                REPLY,
                asked);
    }

    /** Whoever holds a lock has its time begin anew. */
    public Done<VariableReply> renew(VariableId id, String lockId, Asked asked)
            throws Refused, LogTrouble, InterruptedException {
        if (!times.renew(lockId)) {
            return new Done<>(new VariableReply.Conflicting(), commits.newest().version());
        }
        return commits.commit(new RenewLock(id, lockId), asked.deadline());
    }

    /** Whoever holds a lock gives it back. */
    public Done<VariableReply> release(VariableId id, String lockId, Asked asked)
            throws Refused, LogTrouble, InterruptedException {
        return commits.once(new ReleaseLock(id, lockId), () -> List.of(id, lockId), REPLY, asked);
    }

    private Encrypted encrypted(VariableId id, Secrets items) throws Refused {
        return vault.encrypt(items, Purpose.variable(id));
    }

    /** Values are left out: what is kept of a request must not tell them. */
    private static String names(Secrets items) {
        return items.byName().keySet().toString();
    }
}
