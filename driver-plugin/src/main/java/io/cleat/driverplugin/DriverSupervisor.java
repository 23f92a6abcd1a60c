package io.cleat.driverplugin;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.cleat.base.BackOff;
import io.cleat.base.Deadline;
import io.cleat.base.DiskTrouble;
import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.base.Threads;
import io.cleat.base.VisibleText;
import io.cleat.driverplugin.config.BlockSchema;
import io.cleat.driverschema.DriverProto;
import io.cleat.driverschema.PluginInfoResponse;
import io.cleat.kernel.DurableFiles;
import io.cleat.model.DriverFacts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one program that holds a driver running, and hears of its health.
 *
 * <p>Guarded by {@code lock}, never held during a call.
 */
final class DriverSupervisor {
    private static final Logger LOG = LoggerFactory.getLogger(DriverSupervisor.class);
    private static final BackOff AGAIN = new BackOff(Duration.ofMillis(500), Duration.ofSeconds(30));

    /** Whoever lived so long failed by something new. */
    private static final Duration STEADY = Duration.ofMinutes(1);

    private final PluginSettings settings;
    private final PluginProcess process;
    private final Path file;
    private final PluginParts parts;
    private final Thread keeping;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private @Nullable KnownPlugin known;

    @GuardedBy("lock")
    private boolean tried;

    @GuardedBy("lock")
    private @Nullable Life life;

    @GuardedBy("lock")
    private DriverFacts facts;

    /** The program, spoken to. */
    record Life(
            String which,
            PluginProcess.Running running,
            PluginChannel channel,
            PluginClient client,
            String version,
            BlockSchema settings,
            BlockSchema schema) {}

    /** @param directory its own, its owner's alone */
    DriverSupervisor(PluginSettings settings, Path directory, PluginParts parts, FollowedOutput outputs)
            throws DiskTrouble {
        this.settings = settings;
        DurableFiles.makeDirectory(directory);
        this.process = new PluginProcess(settings, directory, parts, outputs);
        this.file = directory.resolve("plugin");
        this.parts = parts;
        this.known = KnownPlugin.read(file).orElse(null);
        this.facts = unhealthy("the plugin has not answered yet");
        this.keeping = parts.threads().contained("driver/" + settings.file(), this::keep, Threads.OnFault.NOTHING_MORE);
    }

    /**
     * What it said of itself, now or in an earlier life; waits for the very first try.
     *
     * @return empty if it has never been spoken to
     */
    Optional<KnownPlugin> known(Deadline deadline) throws InterruptedException {
        lock.lock();
        try {
            while (known == null && !tried && !deadline.isExpired()) {
                parts.time().await(changed, deadline);
            }
            return Optional.ofNullable(known);
        } finally {
            lock.unlock();
        }
    }

    /** What it said of itself last; empty if it has never been spoken to. */
    Optional<KnownPlugin> latest() {
        lock.lock();
        try {
            return Optional.ofNullable(known);
        } finally {
            lock.unlock();
        }
    }

    /** What it says of its health. */
    DriverFacts facts() {
        lock.lock();
        try {
            return facts;
        } finally {
            lock.unlock();
        }
    }

    /**
     * The program as it runs now.
     *
     * @param deadline of the wait for one
     * @throws PluginShutDown if none runs by then
     */
    Life now(Deadline deadline, String what) throws DriverTrouble, InterruptedException {
        lock.lock();
        try {
            while (life == null && !deadline.isExpired()) {
                parts.time().await(changed, deadline);
            }
            Life current = life;
            if (current == null) {
                throw new PluginShutDown(settings.file() + " (" + facts.healthDescription() + ")", what, Effect.NONE);
            }
            return current;
        } finally {
            lock.unlock();
        }
    }

    /** The program as it runs, however long it takes until one does. */
    Life next() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            Life current = life;
            while (current == null) {
                changed.await();
                current = life;
            }
            return current;
        } finally {
            lock.unlock();
        }
    }

    private void keep() throws InterruptedException {
        int failures = 0;
        while (true) {
            Deadline steady = Deadline.in(parts.time(), STEADY);
            try (PluginChannel channel = liveOnce()) {
                LOG.debug("{} is over: {}", settings.file(), channel);
            } catch (DriverTrouble trouble) {
                LOG.warn("the driver plugin {}: {}", settings.program(), trouble.reason());
                tell(unhealthy(trouble.reason()));
            }
            failures = steady.isExpired() ? 0 : failures + 1;
            parts.time().sleep(AGAIN.wait(failures, parts.chance()));
        }
    }

    /** From the moment it runs until it is heard no more. */
    private PluginChannel liveOnce() throws DriverTrouble, InterruptedException {
        Optional<PluginProcess.Running> found = process.find();
        PluginProcess.Running running = found.isPresent() ? found.get() : process.start();
        String which = settings.file() + ", process " + running.process().pid();
        PluginChannel channel = new PluginChannel(which, running.handshake().socket());
        try {
            PluginClient client = new PluginClient(channel);
            PluginInfoResponse info = client.info();
            remember(client.known(info.getName()));
            BlockSchema own = client.configure(settings.file(), settings.config(), parts.mhz());
            BlockSchema schema = client.taskSchema(info.getName());
            LOG.info(
                    "the driver {} {} is {}{}",
                    info.getName(),
                    info.getPluginVersion(),
                    which,
                    found.isPresent() ? ", as before" : "");
            Thread draining = parts.threads()
                    .contained(
                            "driver/" + settings.file() + "/output", () -> drain(client), Threads.OnFault.NOTHING_MORE);
            try {
                begun(new Life(which, running, channel, client, info.getPluginVersion(), own, schema));
                hear(info.getName(), client);
            } finally {
                over();
                draining.interrupt();
            }
            return channel;
        } catch (DriverTrouble | InterruptedException end) {
            channel.close();
            throw end;
        }
    }

    private static void drain(PluginClient client) throws InterruptedException {
        try {
            client.drain();
        } catch (DriverTrouble gone) {
            // That it is gone is seen by whoever hears of its health.
            return;
        }
    }

    private void remember(KnownPlugin said) throws DriverTrouble {
        lock.lock();
        try {
            if (said.equals(known)) {
                return;
            }
            if (known != null && !known.name().equals(said.name())) {
                throw new DriverTrouble(
                        settings.program()
                                + " was the driver "
                                + known.name()
                                + " and is "
                                + said.name()
                                + " now; its tasks would be nobody's: give the file another name,"
                                + " or stop them and start the agent again",
                        Effect.NONE,
                        Retry.NEVER);
            }
            known = said;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        try {
            said.write(file);
        } catch (DiskTrouble failed) {
            throw new DriverTrouble(failed.reason(), Effect.NONE, failed.retry(), failed);
        }
    }

    /** Hears of its health until it says no more. */
    private void hear(String name, PluginClient client) throws DriverTrouble, InterruptedException {
        try (var said = client.fingerprints()) {
            Optional<DriverProto.FingerprintResponse> next = said.next();
            while (next.isPresent()) {
                tell(facts(name, next.get()));
                next = said.next();
            }
        }
    }

    private DriverFacts facts(String name, DriverProto.FingerprintResponse said) {
        if (!said.getErr().isEmpty()) {
            return unhealthy(VisibleText.line(said.getErr()));
        }
        boolean isDetected = said.getHealth() != DriverProto.FingerprintResponse.HealthState.UNDETECTED;
        Map<String, String> attributes = new TreeMap<>();
        if (isDetected) {
            attributes.put("driver." + name, "1");
        }
        said.getAttributesMap().forEach((key, value) -> attributes.put(key, text(value)));
        return new DriverFacts(
                isDetected,
                said.getHealth() == DriverProto.FingerprintResponse.HealthState.HEALTHY,
                VisibleText.line(said.getHealthDescription()),
                attributes,
                parts.time().now());
    }

    private static String text(DriverProto.Attribute attribute) {
        String value = switch (attribute.getValueCase()) {
            case FLOAT_VAL -> String.valueOf(attribute.getFloatVal());
            case INT_VAL -> String.valueOf(attribute.getIntVal());
            case STRING_VAL -> VisibleText.line(attribute.getStringVal());
            case BOOL_VAL -> String.valueOf(attribute.getBoolVal());
            case VALUE_NOT_SET -> "";
        };
        return attribute.getUnit().isEmpty() ? value : value + " " + attribute.getUnit();
    }

    private DriverFacts unhealthy(String why) {
        return new DriverFacts(true, false, why, Map.of(), parts.time().now());
    }

    private void begun(Life begun) {
        lock.lock();
        try {
            life = begun;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void over() {
        lock.lock();
        try {
            life = null;
        } finally {
            lock.unlock();
        }
    }

    /** A call found it gone, before its silence was noticed. */
    void isGone(Life gone) {
        lock.lock();
        try {
            if (!gone.equals(life)) {
                return;
            }
            life = null;
        } finally {
            lock.unlock();
        }
        // Its health is heard no more, and it is looked for anew.
        gone.channel().close();
    }

    private void tell(DriverFacts said) {
        boolean isNews;
        lock.lock();
        try {
            DriverFacts since = said.since(facts);
            isNews = !since.equals(facts);
            facts = since;
            tried = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (isNews) {
            parts.told().run();
        }
    }

    /** Lets go of it; it goes on. */
    void close() {
        keeping.interrupt();
    }

    /** Ends it: none of its tasks is wanted any more. */
    void end() throws DriverTrouble, InterruptedException {
        Optional<Life> last;
        lock.lock();
        try {
            last = Optional.ofNullable(life);
        } finally {
            lock.unlock();
        }
        keeping.interrupt();
        if (last.isPresent()) {
            try {
                last.get().client().shutDown();
            } catch (DriverTrouble deaf) {
                LOG.debug("{} does not end by itself: {}", settings.file(), deaf.reason());
            }
        }
        keeping.join();
        process.end();
    }
}
