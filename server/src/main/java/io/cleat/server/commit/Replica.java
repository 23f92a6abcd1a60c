package io.cleat.server.commit;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.InvariantBroken;
import io.cleat.base.Retry;
import io.cleat.log.LogApplier;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;

/** Applies the log, and publishes the image as one reference. Owned by the log's applying thread; read by any. */
final class Replica<S, C> implements LogApplier {
    /** What the decider wants to know of it. */
    interface Watcher<S> {
        void advanced(Applied<S> now);

        void leading(long term);

        void following(long term);
    }

    private final StateMachine<S, C> machine;
    private final List<AppliedListener<S>> listeners = new CopyOnWriteArrayList<>();
    private final List<DecisionListener<S, C>> decisionListeners = new CopyOnWriteArrayList<>();
    private final List<Watcher<S>> watchers = new CopyOnWriteArrayList<>();
    private final Foreseen<S, C> foreseen = new Foreseen<>();
    private volatile Applied<S> applied;

    Replica(StateMachine<S, C> machine) {
        this(machine, Applied.nothing(machine.empty()));
    }

    /** One that has applied something before. */
    Replica(StateMachine<S, C> machine, Applied<S> applied) {
        this.machine = machine;
        this.applied = applied;
    }

    Applied<S> applied() {
        return applied;
    }

    /** What the decider of this member knows of the entries that it logs. */
    Foreseen<S, C> foreseen() {
        return foreseen;
    }

    void listen(AppliedListener<S> listener) {
        listeners.add(listener);
    }

    void listenToDecisions(DecisionListener<S, C> listener) {
        decisionListeners.add(listener);
    }

    void watch(Watcher<S> watcher) {
        watchers.add(watcher);
    }

    @Override
    public void apply(long index, byte[] bytes) throws DiskTrouble {
        Applied<S> before = applied;
        List<AppliedDecision<S, C>> decisions = new ArrayList<>();
        Applied<S> after = switch (EntryCodec.decode(bytes)) {
            case Entry.ReignOpened opened -> before.opened(opened.reign());
            case Entry.ChangeSet set ->
                before.expects(set.reign(), set.number()) ? changed(before, set, decisions) : before;
            case Entry.DigestTaken digest ->
                before.expects(digest.reign(), digest.number()) ? before.numbered() : before;
            case Entry.SumTaken taken ->
                before.expects(taken.reign(), taken.number()) ? compared(before, taken) : before;
        };
        applied = after;
        if (after.version() != before.version()) {
            listeners.forEach(listener -> listener.applied(before, after));
        }
        for (AppliedDecision<S, C> decision : decisions) {
            decisionListeners.forEach(listener -> listener.applied(decision));
        }
        watchers.forEach(watcher -> watcher.advanced(after));
    }

    private Applied<S> changed(Applied<S> before, Entry.ChangeSet set, List<AppliedDecision<S, C>> decisions)
            throws DiskTrouble {
        if (set.versionBefore() != before.version()) {
            throw new InvariantBroken(
                    "the entry that comes next was decided on the image before it",
                    "decided on version " + set.versionBefore() + ", applied " + before.version());
        }
        Applied<S> after = before.numbered();
        List<AppliedDecision<S, C>> known = foreseen.take(set, before.image());
        if (!known.isEmpty()) {
            decisions.addAll(known);
            AppliedDecision<S, C> last = known.getLast();
            return after.decided(last.after(), new Stamp(last.version(), set.decidedAt()));
        }
        for (Entry.Decided decided : set.decisions()) {
            Stamp stamp = new Stamp(after.version() + 1, set.decidedAt());
            if (decided.level() > 0) {
                requireReadable(decided.level());
                after = after.raised(decided.level(), stamp);
            } else {
                List<C> changes = machine.decode(decided.changes());
                S image = machine.apply(after.image(), changes, stamp);
                decisions.add(new AppliedDecision<>(
                        after.image(), changes, image, stamp.version(), decided.changes().length));
                after = after.decided(image, stamp);
            }
        }
        return after;
    }

    private void requireReadable(int level) throws DiskTrouble {
        if (level > machine.newestLevel()) {
            throw new DiskTrouble(
                    "the cluster was raised to feature level "
                            + level
                            + "; this program reads up to "
                            + machine.newestLevel()
                            + ": start a newer one",
                    Effect.NONE,
                    Retry.NEVER);
        }
    }

    private Applied<S> compared(Applied<S> before, Entry.SumTaken taken) {
        OptionalLong own = machine.digest(before.image(), before.featureLevel());
        if (own.isPresent() && own.getAsLong() != taken.sum()) {
            throw new InvariantBroken(
                    "all members have the same image",
                    "at version "
                            + taken.version()
                            + " the leader's sum of it is "
                            + Long.toHexString(taken.sum())
                            + ", here it is "
                            + Long.toHexString(own.getAsLong()));
        }
        return before.numbered();
    }

    @Override
    public int newestLevel() {
        return machine.newestLevel();
    }

    @Override
    public Image image() {
        return new Saved<>(applied, machine)::writeTo;
    }

    @Override
    public void readSnapshot(long index, InputStream from) throws IOException, DiskTrouble {
        Applied<S> after = SnapshotCodec.read(from, machine);
        applied = after;
        listeners.forEach(listener -> listener.installed(after));
        decisionListeners.forEach(listener -> listener.installed(after));
        watchers.forEach(watcher -> watcher.advanced(after));
    }

    @Override
    public void leading(long term) {
        watchers.forEach(watcher -> watcher.leading(term));
    }

    @Override
    public void following(long term) {
        watchers.forEach(watcher -> watcher.following(term));
    }
}
