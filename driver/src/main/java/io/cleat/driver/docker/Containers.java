package io.cleat.driver.docker;

import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.driver.TaskConfig;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The containers of this node in its engine. One that does not say that it is this node's is never touched, whatever
 * its name is.
 */
final class Containers {
    private static final String ALL = "/containers/";

    /**
     * Podman, which looks again and again. Asked by Docker's API it does that without a pause (4.3): each container
     * that is waited for takes a third of a processor.
     */
    private static final String OWN_WAIT = "?condition=stopped&condition=exited&interval=100ms";

    private final Engine engine;
    private final String node;

    /** @param node its id */
    Containers(Engine engine, String node) {
        this.engine = engine;
        this.node = node;
    }

    /** The host name of one that is to be made; empty for the engine's choice. */
    String hostname(TaskConfig config, DockerBlock block) throws DriverTrouble {
        if (block.joined(config.network()).isEmpty()) {
            return block.names().host();
        }
        return engine.namesWhoeverJoins() ? config.network().hostname() : "";
    }

    /** The container of that name; empty if there is none of ours. */
    Optional<Container> find(String name) throws DriverTrouble {
        try {
            Container found = Container.of(engine.get(ALL + Engine.encoded(name) + "/json"));
            return Optional.of(found).filter(this::isOurs);
        } catch (EngineAnswer answer) {
            if (answer.status() == EngineAnswer.ABSENT) {
                return Optional.empty();
            }
            throw answer;
        }
    }

    private boolean isOurs(Container container) {
        return container.label(Labels.NODE).equals(node);
    }

    /**
     * One of a list.
     *
     * @param created in seconds of the epoch
     */
    record Listed(String name, boolean runs, long created, Map<String, String> labels) {}

    /** All of this node, running or not. */
    List<Listed> all() throws DriverTrouble {
        String filters =
                new String(Engine.json(Map.of("label", List.of(Labels.NODE + "=" + node))), StandardCharsets.UTF_8);
        JsonNode said = engine.get(ALL + "json?all=true&filters=" + Engine.encoded(filters));
        List<Listed> all = new ArrayList<>();
        for (JsonNode each : said) {
            Map<String, String> labels = Labels.of(each.path("Labels"));
            // An engine that does not know the filter must not make us take others' for ours.
            if (node.equals(labels.get(Labels.NODE))) {
                all.add(new Listed(
                        each.path("Names").path(0).asString("").replaceFirst("^/", ""),
                        Container.lives(each.path("State").asString("")),
                        each.path("Created").asLong(0),
                        labels));
            }
        }
        return all;
    }

    /** Creates one under a name that no other has. */
    void create(String name, Map<String, Object> spec) throws DriverTrouble {
        engine.post(ALL + "create?name=" + Engine.encoded(name), spec, Engine.LONG);
    }

    void start(String name) throws DriverTrouble {
        engine.post(ALL + Engine.encoded(name) + "/start", null, Engine.LONG);
    }

    /**
     * Sends a signal.
     *
     * @return false if it does not run any more
     */
    boolean kill(String name, String signal) throws DriverTrouble {
        return unlessEnded(
                name, () -> engine.post(ALL + Engine.encoded(name) + "/kill?signal=" + signal, null, Engine.SHORT));
    }

    /**
     * Has the engine send a signal, and SIGKILL when the time is over; it goes on with that though nobody listens.
     * Returns when the container has ended.
     *
     * @param signal empty for the container's own
     * @return false if it does not run any more
     */
    boolean stop(String name, String signal, long seconds) throws DriverTrouble {
        String how = "/stop?t=" + seconds + (signal.isEmpty() ? "" : "&signal=" + signal);
        return unlessEnded(
                name, () -> engine.post(ALL + Engine.encoded(name) + how, null, Engine.LONG.plusSeconds(seconds)));
    }

    @FunctionalInterface
    private interface Call {
        JsonNode make() throws DriverTrouble;
    }

    /** Engines say in many ways that something has ended: so it is looked at. */
    private boolean unlessEnded(String name, Call call) throws DriverTrouble {
        try {
            call.make();
            return true;
        } catch (EngineAnswer answer) {
            if (find(name).filter(Container::lives).isEmpty()) {
                return false;
            }
            throw answer;
        }
    }

    /** Blocks until it has ended, or for as long as that: look then. */
    void await(String name, Duration most) throws DriverTrouble {
        try {
            String wait = ALL + Engine.encoded(name) + "/wait";
            if (engine.isPodman()) {
                engine.postPodman(wait + OWN_WAIT, most);
            } else {
                engine.post(wait, null, most);
            }
        } catch (DriverTrouble trouble) {
            if (!(trouble.getCause() instanceof SocketTimeoutException)) {
                throw trouble;
            }
        }
    }

    /**
     * Removes it, with what the engine made for it alone. Done already is fine.
     *
     * @param force also while it runs
     */
    void remove(String name, boolean force) throws DriverTrouble {
        if (find(name).isEmpty()) {
            return;
        }
        try {
            engine.delete(ALL + Engine.encoded(name) + "?v=true&force=" + force);
        } catch (EngineAnswer answer) {
            if (answer.status() == EngineAnswer.ABSENT) {
                return;
            }
            if (find(name).isEmpty()) {
                return;
            }
            throw new DriverTrouble(answer.reason(), Effect.UNKNOWN, Retry.SAME_CALL, answer);
        }
    }
}
