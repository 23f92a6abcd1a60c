package io.cleat.agent.alloc;

import io.cleat.agent.check.CheckResults;
import java.util.List;

/**
 * How the checks of an allocation's services are.
 *
 * @param name of the allocation
 */
public record CheckedAllocation(String name, List<CheckResults.Shown> checks) {
    public CheckedAllocation {
        checks = List.copyOf(checks);
    }
}
