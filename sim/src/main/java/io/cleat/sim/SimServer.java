package io.cleat.sim;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Secrets;
import io.cleat.base.Trouble;
import io.cleat.log.Completion;
import io.cleat.log.LogApplier;
import io.cleat.log.LogStatus;
import io.cleat.log.ReplicatedLog;
import io.cleat.log.fake.FakeDisk;
import io.cleat.log.fake.FakeLog;
import io.cleat.log.fake.FakeMix;
import io.cleat.server.Server;
import io.cleat.server.vault.Purpose;
import io.cleat.server.vault.Vault;
import io.cleat.state.ClusterState;
import io.cleat.state.Encrypted;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** One life of the server's process: the real server over a log that does its worst. */
final class SimServer {
    final SimProcess process;
    final Server server;
    private final FakeLog log;
    private final Signal work = new Signal();
    private final Chaos chaos;

    /**
     * @param note where it notes what it has acknowledged
     * @param died told when the log's library ends the process
     */
    SimServer(SimProcess process, FakeDisk disk, Path note, FakeMix mix, Chaos chaos, Runnable died) {
        this.process = process;
        this.chaos = chaos;
        this.log = new FakeLog(disk, mix, chaos, Server.follower(), (where, fault) -> {
            if (!(fault instanceof Trouble)) {
                throw new IllegalStateException(where, fault);
            }
            died.run();
        });
        if (chaos.isCalm()) {
            log.calmDown();
        }
        try {
            this.server = Server.noting(note, new WakingLog(), new NamedVault(), process, chaos, chaos, process);
        } catch (DiskTrouble trouble) {
            throw new IllegalStateException("the note cannot be read", trouble);
        }
    }

    void start() {
        process.start("main", () -> {
            try {
                server.start();
            } catch (Trouble trouble) {
                throw new IllegalStateException("the server does not start", trouble);
            }
            process.start("log", this::run);
        });
    }

    private void run() throws InterruptedException {
        while (true) {
            if (log.step()) {
                process.sleep(chaos.latency(1, 300));
            } else {
                work.await();
            }
        }
    }

    /** As by SIGKILL; what was not committed may be lost. */
    void kill() {
        process.kill();
        log.close();
    }

    void calmDown() {
        log.calmDown();
        work.all();
    }

    /** What the server has applied. */
    ClusterState image() {
        return server.requests().reads().known();
    }

    /** Has the log stepped whenever there is something to do. */
    private final class WakingLog implements ReplicatedLog {
        @Override
        public void start(LogApplier applier) throws Trouble {
            log.start(applier);
        }

        @Override
        public void append(byte[] entry, Completion completion) {
            log.append(entry, completion);
            work.all();
        }

        @Override
        public void barrier(Completion completion) {
            log.barrier(completion);
            work.all();
        }

        @Override
        public void takeSnapshot() {
            log.takeSnapshot();
            work.all();
        }

        @Override
        public int commonLevel() {
            return log.commonLevel();
        }

        @Override
        public LogStatus status() {
            return log.status();
        }

        @Override
        public void close() {
            log.close();
        }
    }

    void takeSnapshot() {
        log.takeSnapshot();
        work.all();
    }

    /** Encrypts nothing, but refuses what was not encrypted for the same purpose. */
    private static final class NamedVault implements Vault {
        @Override
        public Encrypted encrypt(Secrets secrets, Purpose purpose) {
            if (secrets.isEmpty()) {
                return Encrypted.NONE;
            }
            StringBuilder text = new StringBuilder(purpose.text());
            secrets.reveal()
                    .forEach((name, value) ->
                            text.append('\n').append(name).append('=').append(value));
            return new Encrypted(text.toString());
        }

        @Override
        public Secrets decrypt(Encrypted encrypted, Purpose purpose) {
            if (encrypted.isNone()) {
                return Secrets.none();
            }
            String[] lines = encrypted.ciphertext().split("\n", -1);
            if (!lines[0].equals(purpose.text())) {
                throw new IllegalStateException("secrets of " + lines[0] + " are taken for " + purpose.text());
            }
            Map<String, String> plain = new TreeMap<>();
            for (int i = 1; i < lines.length; i++) {
                int sign = lines[i].indexOf('=');
                plain.put(lines[i].substring(0, sign), lines[i].substring(sign + 1));
            }
            return Secrets.of(plain);
        }
    }
}
