package io.cleat.driver.docker;

import io.cleat.base.DriverTrouble;
import io.cleat.base.Time;
import io.cleat.driver.registry.ImageName;
import io.cleat.kernel.TextPath;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The images that were pulled, or made, for tasks of this node. One that no container of ours has been made of for a
 * while is removed; an image that the engine had before is never ours to remove.
 *
 * <p>Guarded by {@code lock}, never held during a call.
 */
final class Images {
    private static final Logger LOG = LoggerFactory.getLogger(Images.class);

    private final Engine engine;
    private final Marks marks;
    private final Optional<Duration> delay;
    private final Time time;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Long> idleSince = new HashMap<>();
    private final Map<String, Integer> starting = new HashMap<>();

    /** @param delay how long one stays that nobody uses; empty for ever */
    Images(Engine engine, Marks marks, Optional<Duration> delay, Time time) {
        this.engine = engine;
        this.marks = marks;
        this.delay = delay;
        this.time = time;
    }

    private static String mark(ImageName image) {
        return TextPath.encoded(image.toString());
    }

    /** A task is about to be made of it; call {@link #begun} after. */
    void begin(ImageName image) {
        lock.lock();
        try {
            starting.merge(mark(image), 1, Integer::sum);
            idleSince.remove(mark(image));
        } finally {
            lock.unlock();
        }
    }

    /** It was pulled, and was not there before; or it is made, under a name that is ours. */
    void ours(ImageName image) throws DriverTrouble {
        marks.put(mark(image));
    }

    /** Its container is there, or never will be. */
    void begun(ImageName image) {
        lock.lock();
        try {
            starting.computeIfPresent(mark(image), (_, count) -> count > 1 ? count - 1 : null);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Removes what nobody has used for the delay.
     *
     * @param used by containers of ours, in the words of their labels
     */
    void sweep(Set<String> used) throws DriverTrouble {
        if (delay.isEmpty()) {
            return;
        }
        for (String mark : marks.names()) {
            String name = URLDecoder.decode(mark, StandardCharsets.UTF_8);
            if (isDue(mark, used.contains(name))) {
                remove(mark, name);
            }
        }
    }

    /** Removes all of them that nobody else uses. */
    void drop() throws DriverTrouble {
        for (String mark : marks.names()) {
            remove(mark, URLDecoder.decode(mark, StandardCharsets.UTF_8));
        }
    }

    private boolean isDue(String mark, boolean isUsed) {
        lock.lock();
        try {
            if (isUsed || starting.containsKey(mark)) {
                idleSince.remove(mark);
                return false;
            }
            long since = idleSince.computeIfAbsent(mark, _ -> time.nanos());
            return time.nanos() - since >= delay.orElse(Duration.ZERO).toNanos();
        } finally {
            lock.unlock();
        }
    }

    private void remove(String mark, String name) throws DriverTrouble {
        Optional<ImageName> image = ImageName.of(name);
        try {
            if (image.isPresent()) {
                engine.delete("/images/" + Pulls.encodedPath(image.get()));
                LOG.info("the image {} is removed: no task has used it for a while", name);
            }
        } catch (EngineAnswer answer) {
            if (answer.status() != EngineAnswer.ABSENT) {
                // Another's container is made of it: it is not ours any more.
                LOG.info("the image {} stays: {}", name, answer.words());
            }
        }
        marks.remove(mark);
        lock.lock();
        try {
            idleSince.remove(mark);
        } finally {
            lock.unlock();
        }
    }
}
