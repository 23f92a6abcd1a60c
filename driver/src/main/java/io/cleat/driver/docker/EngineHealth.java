package io.cleat.driver.docker;

import io.cleat.base.Deadline;
import io.cleat.base.DriverTrouble;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.model.DriverFacts;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Whether the engine answers, looked at again and again beside whoever asks. Who it is is asked once, and again when
 * its answers look otherwise, or after a while: Podman starts several programs for that, and takes a third of a second.
 *
 * <p>Guarded by {@code lock}, never held during a call.
 */
final class EngineHealth {
    private static final Logger LOG = LoggerFactory.getLogger(EngineHealth.class);
    private static final Duration WHILE_HEALTHY = Duration.ofSeconds(15);
    private static final Duration WHILE_NOT = Duration.ofSeconds(5);

    /** An engine may be given other runtimes while it runs. */
    private static final Duration KNOWN_FOR = Duration.ofMinutes(10);

    /** For the first answer; an engine that hangs takes longer, and whoever asks must go on. */
    private static final Duration WITHIN = Duration.ofSeconds(2);

    private final Engine engine;
    private final DockerSettings settings;
    private final Time time;
    private final Runnable told;
    private final Thread looking;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private @Nullable DriverFacts last;

    /** Only for the thread that looks. */
    private @Nullable Known known;

    /** Whether somebody was told that there is no answer yet. */
    private boolean isAwaited;

    /**
     * Who the engine is.
     *
     * @param ping what it answers as long as it is that one
     */
    private record Known(String ping, Map<String, String> attributes, Deadline until) {}

    /** @param told called when the answer has changed */
    EngineHealth(Engine engine, DockerSettings settings, Threads threads, Time time, Runnable told) {
        this.engine = engine;
        this.settings = settings;
        this.time = time;
        this.told = told;
        this.looking = threads.contained("docker/health", this::lookOn, Threads.OnFault.NOTHING_MORE);
    }

    /** The newest answer; waits a moment for the very first. */
    DriverFacts newest() {
        Deadline deadline = Deadline.in(time, WITHIN);
        lock.lock();
        try {
            while (last == null && !deadline.isExpired()) {
                time.await(changed, deadline);
            }
            isAwaited |= last == null;
            return last == null
                    ? new DriverFacts(
                            true,
                            false,
                            "the engine at " + engine.address() + " has not answered yet",
                            Map.of(),
                            time.now())
                    : last;
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
            return new DriverFacts(false, false, "interrupted", Map.of(), time.now());
        } finally {
            lock.unlock();
        }
    }

    void close() {
        looking.interrupt();
    }

    private void lookOn() throws InterruptedException {
        while (true) {
            DriverFacts now = look();
            boolean isNews;
            lock.lock();
            try {
                isNews = last == null ? isAwaited : !now.since(last).equals(last);
                last = last == null ? now : now.since(last);
                changed.signalAll();
            } finally {
                lock.unlock();
            }
            if (isNews) {
                LOG.info("the driver docker: {}", now.healthDescription());
                told.run();
            }
            time.sleep(now.healthy() ? WHILE_HEALTHY : WHILE_NOT);
        }
    }

    private DriverFacts look() {
        try {
            return new DriverFacts(true, true, "Healthy", known(engine.ping()).attributes(), time.now());
        } catch (DriverTrouble trouble) {
            known = null;
            boolean isThere = Files.exists(settings.socket());
            return new DriverFacts(
                    isThere,
                    false,
                    isThere
                            ? trouble.reason()
                            : "no engine listens at "
                                    + engine.address()
                                    + ": start one, or say where it is with -docker-socket",
                    Map.of(),
                    time.now());
        }
    }

    private Known known(String ping) throws DriverTrouble {
        Known before = known;
        if (before != null && before.ping().equals(ping) && !before.until().isExpired()) {
            return before;
        }
        JsonNode version = engine.hello();
        Known now = new Known(ping, attributes(version, engine.get("/info")), Deadline.in(time, KNOWN_FOR));
        known = now;
        return now;
    }

    private Map<String, String> attributes(JsonNode version, JsonNode info) {
        Map<String, String> attributes = new TreeMap<>();
        attributes.put("driver.docker", "1");
        put(attributes, "driver.docker.version", version.path("Version").asString(""));
        attributes.put("driver.docker.api", engine.version().toString());
        List<String> runtimes = new ArrayList<>();
        info.path("Runtimes").properties().forEach(each -> runtimes.add(each.getKey()));
        put(attributes, "driver.docker.runtimes", String.join(",", runtimes));
        put(attributes, "driver.docker.os_type", info.path("OSType").asString(""));
        put(attributes, "driver.docker.engine", engineName(version).orElse(""));
        if (settings.allowed().privileged()) {
            attributes.put("driver.docker.privileged.enabled", "true");
        }
        if (settings.allowed().namedVolumes() || !settings.allowed().hostPaths().isEmpty()) {
            attributes.put("driver.docker.volumes.enabled", "true");
        }
        return attributes;
    }

    private static Optional<String> engineName(JsonNode version) {
        String name = version.path("Components").path(0).path("Name").asString("");
        return name.isEmpty() ? Optional.empty() : Optional.of(name);
    }

    private static void put(Map<String, String> attributes, String name, String value) {
        if (!value.isEmpty()) {
            attributes.put(name, value);
        }
    }
}
