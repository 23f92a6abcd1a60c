package io.cleat.csi;

import io.cleat.base.BackOff;
import io.cleat.base.Deadline;
import io.cleat.base.Secrets;
import io.cleat.base.SystemTime;
import io.cleat.base.Time;
import io.cleat.testkit.FakeCsiPlugin;
import io.cleat.testkit.FakeCsiSetup;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;

/** A fake plugin with a volume, and a channel to it that notes tries and waits without waiting. */
final class PluginRig implements AutoCloseable {
    static final String VOLUME = "ext-v1";
    static final VolumeUse USE = new VolumeUse(AccessType.MOUNT, AccessMode.SINGLE_NODE_WRITER);
    static final CallPolicy POLICY = CallPolicy.standard()
            .withTryTimeout(Duration.ofSeconds(20))
            .withBackOff(new BackOff(Duration.ofMillis(100), Duration.ofSeconds(10)));

    final FakeCsiPlugin plugin;
    final PluginChannel channel;
    final List<CallTry> tries = new CopyOnWriteArrayList<>();
    final List<Duration> waits = new CopyOnWriteArrayList<>();

    PluginRig(Path dir) {
        this(dir, POLICY);
    }

    PluginRig(Path dir, CallPolicy policy) {
        this(dir, policy, FakeCsiSetup.standard());
    }

    PluginRig(Path dir, CallPolicy policy, FakeCsiSetup setup) {
        plugin = FakeCsiPlugin.start(dir.resolve("csi.sock"), setup);
        plugin.addVolume(VOLUME, 1 << 20);
        // Chance that always takes the longest wait, so that waits can be compared.
        channel = PluginChannel.open("fake", plugin.socket(), policy, new NotingTime(), bound -> bound - 1, tries::add);
    }

    /** A minute from now, by the machine's clock. */
    static Deadline minute() {
        return Deadline.in(new SystemTime(), Duration.ofMinutes(1));
    }

    static Deadline in(Duration duration) {
        return Deadline.in(new SystemTime(), duration);
    }

    void stage() throws CsiTrouble, InterruptedException {
        stage(minute());
    }

    void stage(Deadline deadline) throws CsiTrouble, InterruptedException {
        channel.node().stage(staging(), deadline);
    }

    static NodeStaging staging() {
        return new NodeStaging(VOLUME, PublishContext.none(), "/stage", USE, Secrets.none(), Map.of());
    }

    /** So that the first call's class loading does not count against a short try. */
    PluginRig warm() throws CsiTrouble, InterruptedException {
        PluginChannel unhurried = PluginChannel.open("warm", plugin.socket());
        try (unhurried) {
            unhurried.identity().isReady(minute());
        }
        plugin.clearCalls();
        return this;
    }

    @Override
    public void close() {
        channel.close();
        plugin.close();
    }

    /** The machine's clock, but sleeping is noted and not done. */
    private final class NotingTime implements Time {
        private final Time real = new SystemTime();

        @Override
        public Instant now() {
            return real.now();
        }

        @Override
        public long nanos() {
            return real.nanos();
        }

        @Override
        public void sleep(Duration duration) {
            waits.add(duration);
        }

        @Override
        public boolean await(Condition condition, Deadline deadline) throws InterruptedException {
            return real.await(condition, deadline);
        }
    }
}
