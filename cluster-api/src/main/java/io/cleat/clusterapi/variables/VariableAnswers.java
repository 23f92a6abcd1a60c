package io.cleat.clusterapi.variables;

import io.cleat.api.Answer;
import io.cleat.api.Nanos;
import io.cleat.api.Rows;
import io.cleat.api.Variable;
import io.cleat.api.VariableLock;
import io.cleat.api.VariableMetadata;
import io.cleat.api.VariableValidation;
import io.cleat.base.Durations;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.Secrets;
import io.cleat.base.Trouble;
import io.cleat.clusterapi.query.OrNull;
import io.cleat.clusterapi.query.Ranges;
import io.cleat.clusterapi.query.Reading;
import io.cleat.clusterapi.query.Readings;
import io.cleat.http.ListQuery;
import io.cleat.http.ReadQuery;
import io.cleat.http.WriteQuery;
import io.cleat.model.VariableId;
import io.cleat.server.decide.VariableReply;
import io.cleat.server.intake.Done;
import io.cleat.server.intake.Requests;
import io.cleat.server.intake.Versions;
import io.cleat.state.ClusterState;
import io.cleat.state.RowId;
import io.cleat.state.TableName;
import io.cleat.state.VariableRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Variables over the server. The id of a lock is shown to nobody but its holder. */
public final class VariableAnswers {
    /**
     * A write of a variable was done, or conflicts with what is there.
     *
     * @param variable as it is now; if it conflicts, what stands in the way
     * @param index the version of the cluster with it
     */
    public record Written(Variable variable, boolean conflicts, long index) {}

    private final Readings readings;
    private final Requests requests;

    public VariableAnswers(Readings readings, Requests requests) {
        this.readings = readings;
        this.requests = requests;
    }

    /** By namespace and path, which are their token; without their items. */
    public Answer<Rows<VariableMetadata>> list(ListQuery query) throws Refused, Trouble, InterruptedException {
        Reading reading = readings.read(query.read(), Versions.of(TableName.VARIABLES));
        ClusterState state = reading.state();
        return query.page(
                Ranges.named(
                        query,
                        Ranges.ordered(
                                from -> state.variables().from(id(from)),
                                before -> state.variables().before(id(before))),
                        VariableAnswers::name),
                row -> name(row).token(),
                VariableAnswers::metadata,
                VariableAnswers::metadata,
                reading.meta());
    }

    private static Ranges.Name name(VariableRow row) {
        return new Ranges.Name(row.id().namespace(), row.id().path());
    }

    private static VariableId id(Ranges.Name name) {
        return new VariableId(name.namespace(), name.id());
    }

    public Answer<Optional<Variable>> get(ReadQuery query, String path) throws Refused, Trouble, InterruptedException {
        VariableId id = new VariableId(query.namespace(), path);
        Reading reading = readings.read(
                query,
                Versions.row(RowId.variable(id), state -> state.variables().find(id)));
        Optional<VariableRow> row = reading.state().variables().find(id);
        return new Answer<>(row.isEmpty() ? Optional.empty() : Optional.of(shown(row.get())), reading.meta());
    }

    /**
     * Makes a variable, or gives it other items.
     *
     * @param query its namespace is the variable's
     * @param cas the index it must have, 0 for none; empty for whatever it has
     */
    public Written put(WriteQuery query, String path, Variable wanted, OptionalLong cas)
            throws Refused, Trouble, InterruptedException {
        VariableId id = writable(query, path);
        Secrets items = items(wanted);
        if (items.isEmpty()) {
            throw malformed("variable has no items: give at least one in Items");
        }
        String lockId = wanted.Lock() == null ? "" : wanted.Lock().ID();
        if (wanted.Lock() != null && lockId.isEmpty()) {
            throw malformed(
                    "Lock has no ID: show the one of the lock that you hold, or take the lock with lock-acquire");
        }
        if (wanted.Lock() != null) {
            requireSameTimes(id, wanted.Lock());
        }
        return written(
                id,
                requests.variables().put(id, items, OrNull.of(cas), lockId, requests.asked(query.requestId())),
                items,
                true);
    }

    /** The times of a lock stay as they were when it was taken. */
    private void requireSameTimes(VariableId id, VariableLock shown) throws Refused, Trouble, InterruptedException {
        Optional<io.cleat.state.VariableLock> held = readings.images()
                .read(true)
                .variables()
                .find(id)
                .flatMap(VariableRow::held)
                .filter(lock -> lock.id().equals(shown.ID()));
        if (held.isPresent()
                && (isOther(shown.TTL(), held.get().ttl())
                        || isOther(shown.LockDelay(), held.get().delay()))) {
            throw malformed("TTL and LockDelay of a lock cannot be changed while it is held: leave them"
                    + " out, or release the lock and take it anew");
        }
    }

    private static boolean isOther(String said, Duration time) {
        return !said.isEmpty()
                && !VariableValidation.lockTime(said).filter(time::equals).isPresent();
    }

    /**
     * Forgets a variable; one that is not there is gone.
     *
     * @param cas as of {@link #put}
     */
    public Written delete(WriteQuery query, String path, OptionalLong cas)
            throws Refused, Trouble, InterruptedException {
        VariableId id = new VariableId(query.namespace(), path);
        return written(
                id, requests.variables().delete(id, OrNull.of(cas), requests.asked(query.requestId())), null, false);
    }

    /** Takes the lock of a variable, which is made if it is not there. */
    public Written lock(WriteQuery query, String path, Variable wanted) throws Refused, Trouble, InterruptedException {
        VariableId id = writable(query, path);
        Secrets items = items(wanted);
        VariableLock asked = Objects.requireNonNullElse(wanted.Lock(), new VariableLock("", "", ""));
        if (!asked.ID().isEmpty()) {
            throw malformed("Lock has an ID: it is the server's to give; to go on holding a lock, use lock-renew");
        }
        Duration ttl = time("TTL", asked.TTL());
        Duration delay = time("LockDelay", asked.LockDelay());
        return written(
                id,
                requests.variables().lock(id, items, ttl, delay, requests.asked(query.requestId())),
                items,
                !items.isEmpty());
    }

    private static Duration time(String what, String text) throws Refused {
        Optional<Duration> time = VariableValidation.lockTime(text);
        if (time.isEmpty()) {
            throw malformed(VariableValidation.lockTimeFault(what, text));
        }
        return time.get();
    }

    /** Has the time of a lock that somebody holds begin anew. */
    public Written renew(WriteQuery query, String path, Variable held) throws Refused, Trouble, InterruptedException {
        VariableId id = new VariableId(query.namespace(), path);
        String lockId = heldLock(held);
        return written(id, requests.variables().renew(id, lockId, requests.asked(query.requestId())), null, false);
    }

    /** Gives a lock back. */
    public Written release(WriteQuery query, String path, Variable held) throws Refused, Trouble, InterruptedException {
        VariableId id = new VariableId(query.namespace(), path);
        String lockId = heldLock(held);
        return written(id, requests.variables().release(id, lockId, requests.asked(query.requestId())), null, false);
    }

    /** The lock of who changes nothing but that. */
    private static String heldLock(Variable held) throws Refused {
        if (held.Lock() == null || held.Lock().ID().isEmpty()) {
            throw malformed("Lock.ID is missing: show the one that lock-acquire answered");
        }
        if (held.Items() != null && !held.Items().isEmpty()) {
            throw malformed("Items are not changed here: leave them out, and write them with the lock's ID beforehand");
        }
        return held.Lock().ID();
    }

    private static VariableId writable(WriteQuery query, String path) throws Refused {
        Optional<String> fault = VariableValidation.pathFault(path);
        if (fault.isPresent()) {
            throw malformed(fault.get());
        }
        return new VariableId(query.namespace(), path);
    }

    private static Secrets items(Variable wanted) throws Refused {
        Secrets items = Objects.requireNonNullElse(wanted.Items(), Secrets.none());
        List<String> faults = new ArrayList<>(VariableValidation.itemFaults(items));
        if (!faults.isEmpty()) {
            throw malformed(String.join("\n", faults));
        }
        return items;
    }

    private static Refused malformed(String message) {
        return new Refused(new Refusal.Malformed(message));
    }

    /**
     * @param items as they were written, to be shown
     * @param isShown whether they are, once they were
     */
    private Written written(VariableId id, Done<VariableReply> written, @Nullable Secrets items, boolean isShown)
            throws Trouble {
        Variable none = Variable.wanted(id.namespace(), id.path(), null, null);
        return switch (written.reply()) {
            case VariableReply.Done stored ->
                new Written(stored(stored.row(id), isShown ? items : null), false, written.version());
            case VariableReply.Gone _ -> new Written(none, false, written.version());
            case VariableReply.Conflicting _ -> {
                // It may have changed once more: then that stands in the way.
                Optional<VariableRow> row = requests.reads().known().variables().find(id);
                yield new Written(row.isPresent() ? shown(row.get()) : none, true, written.version());
            }
        };
    }

    /** To its writer, who is told the id of its lock. */
    private static Variable stored(VariableRow row, @Nullable Secrets items) {
        return new Variable(
                row.createVersion(),
                Nanos.of(row.createdAt()),
                items,
                row.held().map(lock -> lock(lock, lock.id())).orElse(null),
                row.modifyVersion(),
                Nanos.of(row.modifiedAt()),
                row.id().namespace(),
                row.id().path());
    }

    private Variable shown(VariableRow row) throws Trouble {
        return new Variable(
                row.createVersion(),
                Nanos.of(row.createdAt()),
                requests.variables().items(row),
                row.held().map(lock -> lock(lock, "")).orElse(null),
                row.modifyVersion(),
                Nanos.of(row.modifiedAt()),
                row.id().namespace(),
                row.id().path());
    }

    private static VariableMetadata metadata(VariableRow row) {
        return new VariableMetadata(
                row.createVersion(),
                Nanos.of(row.createdAt()),
                row.held().map(lock -> lock(lock, "")).orElse(null),
                row.modifyVersion(),
                Nanos.of(row.modifiedAt()),
                row.id().namespace(),
                row.id().path());
    }

    private static VariableLock lock(io.cleat.state.VariableLock lock, String id) {
        return new VariableLock(
                id,
                Durations.format(lock.delay().toNanos()),
                Durations.format(lock.ttl().toNanos()));
    }
}
