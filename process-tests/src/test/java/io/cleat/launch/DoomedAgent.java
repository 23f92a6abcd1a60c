package io.cleat.launch;

import io.cleat.base.Chance;
import io.cleat.base.Deadline;
import io.cleat.base.Ids;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Condition;

/**
 * A process with an agent whose decider meets an error in the first decision after a file is there: arguments are that
 * file, the data directory, then other flags of {@code cleat agent}.
 */
public final class DoomedAgent {
    private DoomedAgent() {}

    /** What the decider dies of. */
    private static final class Doom extends Error {
        private static final long serialVersionUID = 1;

        Doom() {
            super("planted by a test");
        }
    }

    /** The machine's time; whoever reads the clock on the decider's thread dies once it may. */
    private static final class DoomedTime implements Time {
        private final Time time = new SystemTime();
        private final Path sign;

        DoomedTime(Path sign) {
            this.sign = sign;
        }

        @Override
        public Instant now() {
            if (Thread.currentThread().getName().equals("commit/decider") && Files.exists(sign)) {
                throw new Doom();
            }
            return time.now();
        }

        @Override
        public long nanos() {
            return time.nanos();
        }

        @Override
        public void sleep(Duration duration) throws InterruptedException {
            time.sleep(duration);
        }

        @Override
        public boolean await(Condition condition, Deadline deadline) throws InterruptedException {
            return time.await(condition, deadline);
        }
    }

    /** Returns never: the process ends by its fault, or is killed. */
    public static void main(String[] arguments) throws Exception {
        List<String> all = List.of(arguments);
        Path sign = Path.of(all.getFirst());
        Path directory = Path.of(all.get(1));
        ProcessFaults faults = ProcessFaults.ofThisProcess();
        Ports ports = new Ports(new DoomedTime(sign), Chance.system(), Ids.random(), Threads.virtual(faults), faults);
        Logging.begin();
        try (DataDirectory data = DataDirectory.take(directory)) {
            Starts starts = new Starts(data.root());
            starts.begin(System.err);
            Arrangement arrangement = AgentRole.arrangement(AgentRole.PROGRAM.read(all.subList(2, all.size())));
            Agent.start(data, arrangement, starts.work(), ports);
            System.out.println("Ready.");
            new CountDownLatch(1).await();
        }
    }
}
