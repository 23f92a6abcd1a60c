package io.cleat.agent.volumes;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Trouble;
import io.cleat.model.BlockedBy;
import io.cleat.model.VolumeModes;
import io.cleat.testkit.Behaviour;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** Tests of a node's volumes: each on a ground of its own. */
@Timeout(60)
abstract class OnGround {
    static final Duration SOON = Duration.ofSeconds(20);

    Ground ground;

    OnGround() throws Exception {
        this(Ground.make());
    }

    OnGround(Ground ground) {
        this.ground = ground;
    }

    @AfterEach
    void clear() throws Exception {
        ground.close();
    }

    BlockedBy awaitWait() throws InterruptedException {
        return Objects.requireNonNull(ground.told.waits.poll(SOON.toSeconds(), TimeUnit.SECONDS), "no wait was told");
    }

    /** Publishes in the background; the thread's end is awaited with {@link #join}. */
    Thread publishing(String alloc, String volume, VolumeModes modes, AtomicReference<Object> end) {
        return ground.threads.vitalWork("test/" + alloc, () -> {
            try {
                end.set(ground.volumes.publish(Ground.claim(alloc, volume, modes), ground.told));
            } catch (Trouble trouble) {
                end.set(trouble);
            }
        });
    }

    /** The agent ends while this call of an unmount of {@code a1} hangs; the next such call is well. */
    void stopWhile(String call) throws Exception {
        ground.plugin.script(call, Behaviour.hang(), Behaviour.ok());
        Thread stopping =
                ground.threads.vitalWork("test/stop", () -> ground.volumes.unpublish("a1", "data", ground.told));
        ground.plugin.awaitCalls(call, 1, SOON);
        stopping.interrupt();
        join(stopping);
        ground.restart();
    }

    static void join(Thread thread) throws InterruptedException {
        assertTrue(thread.join(SOON), "it did not end");
    }
}
