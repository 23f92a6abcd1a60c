package io.cleat.server.commit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;

/**
 * Entries of ended reigns of which it is not known whether they are applied. That is known once a later reign is open.
 *
 * <p>Guarded by the lock of its {@link Ledger}.
 */
final class Limbo<S, C> {
    private final List<Flight<S, C>> flights = new ArrayList<>();

    void addAll(Collection<Flight<S, C>> ended) {
        flights.addAll(ended);
    }

    boolean remove(Flight<S, C> flight) {
        return flights.remove(flight);
    }

    void clear() {
        flights.clear();
    }

    boolean isEmpty() {
        return flights.isEmpty();
    }

    int size() {
        return flights.size();
    }

    /** The one that is here longest. */
    Flight<S, C> first() {
        return flights.getFirst();
    }

    List<Flight<S, C>> all() {
        return List.copyOf(flights);
    }

    /**
     * Lets go of those whose fate {@code now} tells, and of those of a reign that is forgotten, whose waiters are
     * abandoned.
     *
     * @param applied to which those are added that are applied
     * @return the waiters of entries that never will be, to be asked again
     */
    List<Waiter<S, C, ?>> settle(Applied<S> now, List<Flight<S, C>> applied) {
        List<Waiter<S, C, ?>> again = new ArrayList<>();
        for (Iterator<Flight<S, C>> each = flights.iterator(); each.hasNext(); ) {
            Flight<S, C> flight = each.next();
            if (isApplied(flight, now)) {
                applied.add(flight);
                each.remove();
            } else if (!now.reign().equals(flight.reign())) {
                // A later reign is open, so what is not applied by now never will be.
                each.remove();
                if (now.appliedOf(flight.reign()).isPresent()) {
                    again.addAll(flight.waiters());
                } else {
                    flight.waiters().forEach(Waiter::abandon);
                }
            }
        }
        return again;
    }

    /** Whether an entry is known to be applied. */
    static boolean isApplied(Flight<?, ?> flight, Applied<?> now) {
        OptionalLong applied = now.appliedOf(flight.reign());
        return applied.isPresent() && flight.number() < applied.getAsLong();
    }
}
