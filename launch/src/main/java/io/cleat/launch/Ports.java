package io.cleat.launch;

import io.cleat.base.Chance;
import io.cleat.base.Ids;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.base.Time;

/** Time, chance, ids and threads, as the whole program uses them. */
record Ports(Time time, Chance chance, Ids ids, Threads threads, ProcessFaults faults) {
    /** The machine's own. */
    static Ports system() {
        ProcessFaults faults = ProcessFaults.ofThisProcess();
        return new Ports(new SystemTime(), Chance.system(), Ids.random(), Threads.virtual(faults), faults);
    }
}
