package io.cleat.agent.report;

import io.cleat.wire.OrderOutcome;
import io.cleat.wire.ToNode;
import java.util.Optional;

/** Who makes the controller calls that a server orders. */
public interface Orders {
    /**
     * Begins the call and returns; its end is said as {@link News#orderDone}. The same operation given twice is one
     * call, and its end is said again.
     */
    void begin(ToNode.Order order);

    /** What the servers know is the past from now on: a reign of theirs may be an earlier one. */
    void beginAnew();

    /** Whether the call of that operation is under way here. */
    boolean isRunning(String operationId);

    /** The end of that operation, if it ended here not long ago. */
    Optional<OrderOutcome> outcome(String operationId);
}
