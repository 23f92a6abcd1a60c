package io.cleat.fuzz.targets;

import io.cleat.base.Chance;
import io.cleat.base.Deadline;
import io.cleat.base.Ids;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.Secrets;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.clusterapi.ServerCluster;
import io.cleat.clusterapi.membership.LoneServer;
import io.cleat.clusterapi.membership.Membership;
import io.cleat.log.fake.MemoryLog;
import io.cleat.server.Server;
import io.cleat.server.intake.Requests;
import io.cleat.server.vault.Purpose;
import io.cleat.server.vault.Vault;
import io.cleat.state.Encrypted;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;

/**
 * An empty cluster whose server decides nothing: what is asked of it is read, and a change is refused once its deadline
 * has passed, which is at once.
 */
final class IdleCluster {
    private IdleCluster() {}

    static ServerCluster make() {
        Time time = new HastyTime();
        Threads threads = Threads.virtual((where, fault) -> {
            throw new AssertionError(where, fault);
        });
        Requests requests =
                new Server(new MemoryLog(), new NoVault(), time, Chance.system(), Ids.random(), threads).requests();
        Membership alone = new LoneServer(
                new Membership.Member("m1", "m1", "127.0.0.1", 4647, true),
                "global",
                "dc1",
                () -> new Membership.LogStanding(1, 1, true, null));
        return new ServerCluster(requests.reads(), requests, alone, "1", time, Ids.random());
    }

    /** Each look at it is later by more than anybody waits. */
    private static final class HastyTime implements Time {
        private static final Duration STEP = Duration.ofHours(1);

        private final AtomicLong nanos = new AtomicLong();

        @Override
        public Instant now() {
            return Instant.EPOCH;
        }

        @Override
        public long nanos() {
            return nanos.addAndGet(STEP.toNanos());
        }

        @Override
        public void sleep(Duration duration) {
            // It has passed already.
        }

        @Override
        public boolean await(Condition condition, Deadline deadline) {
            return false;
        }
    }

    /** Keeps no secret. */
    private static final class NoVault implements Vault {
        @Override
        public Encrypted encrypt(Secrets secrets, Purpose purpose) throws Refused {
            throw new Refused(new Refusal.Conflict("no secret is kept here"));
        }

        @Override
        public Secrets decrypt(Encrypted encrypted, Purpose purpose) {
            return Secrets.none();
        }
    }
}
