package io.cleat.launch;

import io.cleat.base.Chance;
import io.cleat.base.FaultHandler;
import io.cleat.base.Ids;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.base.Time;

/** Time, chance, ids and threads, as the whole program uses them. */
record Ports(Time time, Chance chance, Ids ids, Threads threads, FaultHandler faults) {
    /** The machine's own. */
    static Ports system(FaultHandler faults) {
        return new Ports(
                new SystemTime(), Chance.system(), Ids.random(), Threads.virtual(faults), faults);
    }
}
