package io.cleat.driver.docker;

import io.cleat.base.Deadline;
import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.base.Secret;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.driver.Starting;
import io.cleat.driver.registry.ImageName;
import io.cleat.exchange.HttpReply;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.channels.ClosedSelectorException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Sees to it that the engine has an image: one pull for all tasks that wait for the same one with the same credentials.
 * A pull that nobody waits for any more ends.
 *
 * <p>Guarded by {@code lock}, never held during a call.
 */
final class Pulls {
    private static final Duration LOOK = Duration.ofMillis(500);

    /** When whoever waits is told first, and then again. */
    private static final Duration TELL = Duration.ofMinutes(1);

    private static final String ASKED = "POST /images/create";

    private final Engine engine;
    private final Credentials credentials;
    private final Duration idle;
    private final Threads platform;
    private final Time time;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<String, Pull> pulls = new HashMap<>();

    /**
     * @param idle how long a pull may go on without progress
     * @param platform threads of the kernel
     */
    Pulls(Engine engine, Credentials credentials, Duration idle, Threads platform, Time time) {
        this.engine = engine;
        this.credentials = credentials;
        this.idle = idle;
        this.platform = platform;
        this.time = time;
    }

    private static final class Pull {
        private final PullProgress progress = new PullProgress();
        private int waiting;
        private boolean isOver;
        private boolean isUnwanted;
        private @Nullable DriverTrouble trouble;
        private @Nullable HttpReply reply;
    }

    /**
     * An image that the engine has.
     *
     * @param isOurs whether the engine did not have it before
     */
    record Image(String id, boolean isOurs) {}

    /**
     * Blocks until the engine has the image.
     *
     * @throws DriverTrouble with no effect if it cannot be had, not in time, or is not wanted more
     */
    Image ensure(ImageName image, DockerBlock.Pulling pulling, Starting starting)
            throws DriverTrouble, InterruptedException {
        Optional<String> before = find(image);
        if (before.isPresent() && !pulling.force() && !image.moves()) {
            return new Image(before.get(), false);
        }
        starting.told("Downloading image " + image);
        pull(image, pulling, starting);
        String id = find(image)
                .orElseThrow(() -> new DriverTrouble(
                        "the engine says that it has pulled " + image + ", and does not have it",
                        Effect.NONE,
                        Retry.SAME_CALL));
        return new Image(id, before.isEmpty());
    }

    /** The id of an image that the engine has. */
    private Optional<String> find(ImageName image) throws DriverTrouble {
        try {
            String id = engine.get("/images/" + encodedPath(image) + "/json")
                    .path("Id")
                    .asString("");
            return id.isEmpty() ? Optional.empty() : Optional.of(id);
        } catch (EngineAnswer answer) {
            if (answer.status() == EngineAnswer.ABSENT) {
                return Optional.empty();
            }
            throw answer;
        }
    }

    /** Engines take its slashes as they are. */
    static String encodedPath(ImageName image) {
        return Engine.encoded(image.toString()).replace("%2F", "/").replace("%3A", ":");
    }

    private void pull(ImageName image, DockerBlock.Pulling pulling, Starting starting)
            throws DriverTrouble, InterruptedException {
        String key = image + " "
                + pulling.auth().map(auth -> auth.user() + auth.password().hashCode());
        Deadline deadline = Deadline.in(time, pulling.timeout());
        Pull pull = join(key, image, pulling);
        try {
            await(pull, image, pulling.timeout(), deadline, starting);
        } finally {
            leave(key, pull);
        }
    }

    private Pull join(String key, ImageName image, DockerBlock.Pulling pulling) {
        lock.lock();
        try {
            Pull running = pulls.get(key);
            if (running != null && !running.isOver && !running.isUnwanted) {
                running.waiting++;
                return running;
            }
            Pull pull = new Pull();
            pull.waiting = 1;
            pulls.put(key, pull);
            platform.contained(
                    "docker/pull",
                    () -> run(pull, image, pulling),
                    fault -> over(
                            pull, new DriverTrouble("a fault of the agent: " + fault, Effect.NONE, Retry.SAME_CALL)));
            return pull;
        } finally {
            lock.unlock();
        }
    }

    private void await(Pull pull, ImageName image, Duration limit, Deadline deadline, Starting starting)
            throws DriverTrouble, InterruptedException {
        Deadline tell = Deadline.in(time, TELL);
        while (true) {
            lock.lockInterruptibly();
            try {
                if (!pull.isOver) {
                    time.await(changed, deadline.atMost(LOOK));
                }
                if (pull.isOver) {
                    if (pull.trouble != null) {
                        throw new DriverTrouble(pull.trouble.reason(), Effect.NONE, pull.trouble.retry(), pull.trouble);
                    }
                    return;
                }
            } finally {
                lock.unlock();
            }
            if (deadline.isExpired()) {
                throw new DriverTrouble(
                        "pulling the image "
                                + image
                                + " took more than "
                                + limit.toSeconds()
                                + " s and was given up ("
                                + pull.progress.words()
                                + "): set image_pull_timeout higher, or pull it by hand",
                        Effect.NONE,
                        Retry.SAME_CALL);
            }
            if (!starting.isWanted()) {
                throw new DriverTrouble(
                        "the task is not wanted any more while its image " + image + " is pulled",
                        Effect.NONE,
                        Retry.NEVER);
            }
            if (tell.isExpired()) {
                starting.told("Image " + image + ": " + pull.progress.words());
                tell = Deadline.in(time, TELL);
            }
        }
    }

    private void leave(String key, Pull pull) {
        HttpReply unwanted = null;
        lock.lock();
        try {
            pull.waiting--;
            if (pull.waiting == 0) {
                pull.isUnwanted = true;
                unwanted = pull.reply;
                pulls.remove(key, pull);
            }
        } finally {
            lock.unlock();
        }
        HttpReply.abandon(unwanted);
    }

    private void over(Pull pull, @Nullable DriverTrouble trouble) {
        lock.lock();
        try {
            pull.isOver = true;
            pull.trouble = trouble;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void run(Pull pull, ImageName image, DockerBlock.Pulling pulling) {
        try {
            pullNow(pull, image, pulling);
            over(pull, null);
        } catch (DriverTrouble trouble) {
            over(pull, trouble);
        }
    }

    private void pullNow(Pull pull, ImageName image, DockerBlock.Pulling pulling) throws DriverTrouble {
        Optional<Secret> auth = credentials.of(image, pulling);
        Map<String, String> fields =
                auth.map(secret -> Map.of("X-Registry-Auth", secret.reveal())).orElse(Map.of());
        String target = "/images/create?fromImage="
                + Engine.encoded(image.repository())
                + "&tag="
                + Engine.encoded(image.pulled());
        try (HttpReply reply = engine.stream("POST", target, null, fields, idle)) {
            if (!begin(pull, reply)) {
                return;
            }
            read(pull, image, reply);
        } catch (EngineAnswer answer) {
            throw refused(image, answer.words(), auth.isPresent());
        } catch (IOException | ClosedSelectorException failed) {
            throw engine.cut("POST", ASKED, failed instanceof IOException io ? io : new IOException("closed"));
        }
    }

    /** Returns false if nobody waits for it any more. */
    private boolean begin(Pull pull, HttpReply reply) {
        lock.lock();
        try {
            pull.reply = reply;
            return !pull.isUnwanted;
        } finally {
            lock.unlock();
        }
    }

    private static void read(Pull pull, ImageName image, HttpReply reply) throws IOException, DriverTrouble {
        BufferedReader lines = new BufferedReader(new InputStreamReader(reply.body(), StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.isBlank()) {
                continue;
            }
            JsonNode said = Engine.line(ASKED, line);
            String error = said.path("error").asString("");
            if (!error.isEmpty()) {
                throw refused(image, error, false);
            }
            pull.progress.line(said);
        }
    }

    /** What a registry says, and what to do about it. */
    private static DriverTrouble refused(ImageName image, String words, boolean hadAuth) {
        String low = words.toLowerCase(Locale.ROOT);
        String next = "";
        Retry retry = Retry.SAME_CALL;
        if (image.registry().equals("localhost")) {
            next = ": images of such a name are at no registry; load it into the engine, as with"
                    + " docker load or podman load";
            retry = Retry.AFTER_OBSERVING;
        } else if (low.contains("unauthorized")
                || low.contains("authentication required")
                || low.contains("denied")
                || low.contains("no basic auth")) {
            next = hadAuth
                    ? ": the credentials were not taken"
                    : ": give credentials with an auth block, or let the node's operator"
                            + " give some with -docker-auth-config";
            retry = Retry.AFTER_OBSERVING;
        } else if (low.contains("toomanyrequests") || low.contains("too many requests")) {
            next = ": the registry limits how much is pulled; it is tried again later";
            retry = new Retry.After(TELL);
        } else if (low.contains("manifest unknown") || low.contains("not found")) {
            next = ": look at its name and tag";
            retry = Retry.AFTER_OBSERVING;
        }
        return new DriverTrouble(
                "the image " + image + " could not be pulled, the engine says: " + words + next, Effect.NONE, retry);
    }
}
