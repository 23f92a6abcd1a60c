package io.cleat.server.commit;

import java.util.List;

/**
 * An entry on its way, and who is answered by it.
 *
 * @param waiters in the order of their decisions
 */
record Flight<S, C>(String reign, long number, List<Waiter<S, C, ?>> waiters) {}
