package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.codec.RecordCodec;
import io.cleat.model.VariableId;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ChangeCodec;
import io.cleat.state.Encrypted;
import io.cleat.state.NamespaceRow;
import io.cleat.state.VariableLock;
import io.cleat.state.VariableRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Situation -> answer. */
final class VariablesTest {
    private static final VariableId PATH = new VariableId("default", "nomad/jobs/web");
    private static final Encrypted OLD = new Encrypted("b2xk");
    private static final Encrypted NEW = new Encrypted("bmV3");
    private static final VariableLock LOCK = VariableLock.taken("l1", Duration.ofSeconds(15), Duration.ofSeconds(20));

    private final Cluster cluster = new Cluster();

    @BeforeEach
    void level() {
        cluster.level = Change.VARIABLES_LEVEL;
    }

    private VariableReply put(Encrypted items, @Nullable Long index, String lockId) {
        return cluster.accept(new PutVariable(PATH, items, index, lockId));
    }

    private VariableRow row() {
        return cluster.state().variables().find(PATH).orElseThrow();
    }

    private static VariableReply.Done done(VariableReply reply) {
        return assertInstanceOf(VariableReply.Done.class, reply);
    }

    private void conflicts(Command<VariableReply> command) {
        long before = cluster.state().version();
        assertInstanceOf(VariableReply.Conflicting.class, cluster.accept(command));
        assertEquals(before, cluster.state().version());
    }

    @Test
    void aNewPath_isMade_andAnotherWriteKeepsWhenThatWas() {
        VariableReply.Done made = done(put(OLD, null, ""));
        Instant first = row().createdAt();
        assertEquals(made.createVersion(), made.modifyVersion());
        VariableReply.Done changed = done(put(NEW, null, ""));
        assertEquals(made.createVersion(), changed.createVersion());
        assertTrue(changed.modifyVersion() > made.modifyVersion());
        assertEquals(NEW, row().items());
        assertEquals(first, row().createdAt());
        assertTrue(row().modifiedAt().isAfter(first));
    }

    @Test
    void anIndexThatIsNotTheVariables_conflicts_andChangesNothing() {
        conflicts(new PutVariable(PATH, OLD, 7L, ""));
        long index = done(put(OLD, 0L, "")).modifyVersion();
        conflicts(new PutVariable(PATH, NEW, 0L, ""));
        conflicts(new PutVariable(PATH, NEW, index + 1, ""));
        conflicts(new DeleteVariable(PATH, index + 1));
        assertEquals(OLD, row().items());
        done(put(NEW, index, ""));
        assertEquals(NEW, row().items());
    }

    @Test
    void aVariableThatIsDeleted_isGone_andDeletingItAgainIsFine() {
        put(OLD, null, "");
        assertEquals(new VariableReply.Gone(), cluster.accept(new DeleteVariable(PATH, null)));
        assertTrue(cluster.state().variables().find(PATH).isEmpty());
        assertEquals(new VariableReply.Gone(), cluster.accept(new DeleteVariable(PATH, null)));
    }

    @Test
    void aNamespaceThatIsNotThere_isRefused_andOneWithVariablesStays() {
        VariableId id = new VariableId("team", "a");
        String absent = cluster.refuse(new PutVariable(id, OLD, null, ""));
        assertTrue(absent.contains("nonexistent namespace \"team\""), absent);
        assertEquals(absent, cluster.refuse(new LockVariable(id, OLD, LOCK)));
        cluster.accept(new RegisterNamespace(NamespaceRow.plain("team")));
        cluster.accept(new PutVariable(id, OLD, null, ""));
        String used = cluster.refuse(new DeregisterNamespace("team"));
        assertTrue(used.contains("has variables (\"a\"): purge them first"), used);
        cluster.accept(new DeleteVariable(id, null));
        cluster.accept(new DeregisterNamespace("team"));
    }

    @Test
    void whileAMemberCannotReadVariables_noneIsWritten() {
        cluster.level = Change.VARIABLES_LEVEL - 1;
        Decision<Change, VariableReply> decision = cluster.decide(new PutVariable(PATH, OLD, null, ""));
        if (decision instanceof Decision.Accept<Change, VariableReply> accept) {
            assertFalse(isWritten(accept), "written at a level that does not have it");
        }
    }

    private boolean isWritten(Decision.Accept<Change, VariableReply> accept) {
        try {
            ChangeCodec.encode(accept.changes(), cluster.level);
            return true;
        } catch (Refused newer) {
            assertInstanceOf(Refusal.Conflict.class, newer.refusal());
            return false;
        }
    }

    @Test
    void aLock_keepsOutWhoDoesNotShowIt() {
        put(OLD, null, "");
        VariableReply.Done taken = done(cluster.accept(new LockVariable(PATH, Encrypted.NONE, LOCK)));
        assertEquals(LOCK, taken.lock());
        assertEquals(OLD, row().items());
        conflicts(new PutVariable(PATH, NEW, null, ""));
        conflicts(new PutVariable(PATH, NEW, null, "l2"));
        conflicts(new DeleteVariable(PATH, null));
        conflicts(new LockVariable(PATH, NEW, VariableLock.taken("l2", Duration.ZERO, Duration.ZERO)));
        done(put(NEW, null, "l1"));
        assertEquals(NEW, row().items());
        assertEquals(LOCK, row().lock());
    }

    @Test
    void aLockOfAPathThatIsNotThere_makesIt() {
        done(cluster.accept(new LockVariable(PATH, Encrypted.NONE, LOCK)));
        assertEquals(Encrypted.NONE, row().items());
    }

    @Test
    void whoHoldsALock_renewsItWithoutAChange_andGivesItBack() {
        cluster.accept(new LockVariable(PATH, OLD, LOCK));
        long before = cluster.state().version();
        assertEquals(LOCK, done(cluster.accept(new RenewLock(PATH, "l1"))).lock());
        assertEquals(before, cluster.state().version());
        conflicts(new RenewLock(PATH, "l2"));
        conflicts(new ReleaseLock(PATH, "l2"));
        assertNull(done(cluster.accept(new ReleaseLock(PATH, "l1"))).lock());
        conflicts(new RenewLock(PATH, "l1"));
        done(put(NEW, null, ""));
    }

    /** Else two could hold it: the one that was cut off, and the next. */
    @Test
    void aLockThatWasNotRenewed_keepsEverybodyOutUntilItsDelayIsOver() {
        cluster.accept(new LockVariable(PATH, OLD, LOCK));
        cluster.accept(new EndLock(PATH, LOCK));
        assertEquals(LOCK.lapse(), row().lock());
        assertTrue(row().held().isEmpty());
        conflicts(new RenewLock(PATH, "l1"));
        conflicts(new PutVariable(PATH, NEW, null, "l1"));
        conflicts(new PutVariable(PATH, NEW, null, ""));
        conflicts(new LockVariable(
                PATH, Encrypted.NONE, VariableLock.taken("l2", Duration.ofSeconds(10), Duration.ZERO)));
        cluster.accept(new EndLock(PATH, LOCK.lapse()));
        assertNull(row().lock());
        done(put(NEW, null, ""));
    }

    @Test
    void theEndOfALockThatIsNoMore_leavesTheNextAlone() {
        cluster.accept(new LockVariable(PATH, OLD, LOCK));
        cluster.accept(new ReleaseLock(PATH, "l1"));
        VariableLock next = VariableLock.taken("l2", LOCK.ttl(), LOCK.delay());
        cluster.accept(new LockVariable(PATH, Encrypted.NONE, next));
        cluster.accept(new EndLock(PATH, LOCK));
        assertEquals(next, row().lock());
    }

    /** A caller that was not answered asks again, and holds the lock that it took. */
    @Test
    void aLockThatIsAskedForAgainUnderItsRequestId_isTheSameOne() {
        Once<VariableReply> once = new Once<>(new LockVariable(PATH, OLD, LOCK), "d", REPLIES);
        Optional<String> id = Optional.of("r1");
        cluster.decide(once, id);
        VariableLock other = VariableLock.taken("l2", LOCK.ttl(), LOCK.delay());
        Decision<Change, VariableReply> again =
                cluster.decide(new Once<>(new LockVariable(PATH, OLD, other), "d", REPLIES), id);
        assertEquals(
                LOCK,
                done(((Decision.Accept<Change, VariableReply>) again).reply()).lock());
    }

    private static final RecordCodec<VariableReply> REPLIES = RecordCodec.stored("rvar", 1, VariableReply.class);

    /** 64 KiB of items are 88 KiB as they are stored. */
    @Test
    void theLargestVariable_isOneDecision() {
        Encrypted largest = new Encrypted("A".repeat(170_000));
        done(put(largest, null, ""));
        assertTrue(ChangeCodec.size(List.of(new Change.VariablePut(VariableRow.of(PATH, largest, cluster.now()))))
                < Cluster.MOST);
    }
}
