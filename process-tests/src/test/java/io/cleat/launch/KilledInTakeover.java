package io.cleat.launch;

import io.cleat.base.Chance;
import io.cleat.base.FaultHandler;
import io.cleat.base.Ids;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * A process with an agent that ends, as by SIGKILL, where it takes over a task of one allocation: arguments are the
 * allocation's id, the data directory, then other flags of {@code cleat agent}.
 */
public final class KilledInTakeover {
    /** As what kills it is told. */
    public static final int KILLED = 137;

    private KilledInTakeover() {}

    private record Killer(Threads threads, String prefix) implements Threads {
        @Override
        public Thread start(Kind kind, String name, Body body) {
            if (name.startsWith(prefix)) {
                Runtime.getRuntime().halt(KILLED);
            }
            return threads.start(kind, name, body);
        }

        @Override
        public FaultHandler faults() {
            return threads.faults();
        }
    }

    /** Returns never: the process is killed. */
    public static void main(String[] arguments) throws Exception {
        List<String> all = List.of(arguments);
        ProcessFaults faults = ProcessFaults.ofThisProcess();
        Ports ports = new Ports(
                new SystemTime(),
                Chance.system(),
                Ids.random(),
                new Killer(Threads.virtual(faults), "task/" + all.getFirst() + "/"),
                faults);
        Logging.begin();
        try (DataDirectory data = DataDirectory.take(Path.of(all.get(1)))) {
            Starts starts = new Starts(data.root());
            starts.begin(System.err);
            Arrangement arrangement = AgentRole.arrangement(AgentRole.PROGRAM.read(all.subList(2, all.size())));
            Agent.start(data, arrangement, starts.work(), ports);
            System.out.println("Ready.");
            new CountDownLatch(1).await();
        }
    }
}
