package io.cleat.agent.alloc;

import io.cleat.agent.check.CheckBoard;
import java.util.List;

/**
 * How the checks of an allocation's services are.
 *
 * @param name of the allocation
 */
public record CheckedAllocation(String name, List<CheckBoard.Shown> checks) {
    public CheckedAllocation {
        checks = List.copyOf(checks);
    }
}
