package io.cleat.server.duty;

import io.cleat.base.Trouble;
import io.cleat.state.TableName;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Small duties on one thread, one after the other: those that look at elapsed time and decide what it has ended. */
record DutyGroup(String name, List<Duty> duties) implements Duty {
    @Override
    public Set<TableName> tables() {
        return duties.stream().flatMap(duty -> duty.tables().stream()).collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public Duration turn() throws Trouble, InterruptedException {
        Duration idle = Duration.ofHours(1);
        for (Duty duty : duties) {
            Duration next = duty.turn();
            idle = next.compareTo(idle) < 0 ? next : idle;
        }
        return idle;
    }
}
