package io.cleat.launch;

import io.cleat.api.CleatClient;
import io.cleat.api.Node;
import io.cleat.api.NodeDrainRequest;
import io.cleat.api.NodeEligibilityRequest;
import io.cleat.api.Params;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.DiskTrouble;
import io.cleat.base.LinkTrouble;
import io.cleat.kernel.DurableFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a node take work again that its last agent had drained when it ended; not one that somebody else keeps empty.
 * Tried until a server answers.
 */
final class ReturnToWork {
    private static final Logger LOG = LoggerFactory.getLogger(ReturnToWork.class);
    private static final Duration PAUSE = Duration.ofMillis(500);

    private final CleatClient client;
    private final String node;
    private final Path mark;
    private final Ports ports;
    private @Nullable Thread trying;

    /** @param mark as {@link ShutdownDrain} has written it */
    ReturnToWork(CleatClient client, String node, Path mark, Ports ports) {
        this.client = client;
        this.node = node;
        this.mark = mark;
        this.ports = ports;
    }

    /** Begins, if there is something to do. */
    void start() {
        if (Files.exists(mark)) {
            trying = ports.threads()
                    .contained(
                            "return-to-work",
                            this::untilDone,
                            fault -> LOG.warn(
                                    "the node takes no new allocations until cleat node eligibility -enable is run"));
        }
    }

    private void untilDone() throws InterruptedException {
        String told = "";
        while (true) {
            String trouble;
            try {
                makeEligible();
                DurableFiles.delete(mark);
                LOG.info("the node takes new allocations again: its last agent had drained it");
                return;
            } catch (DiskTrouble broken) {
                trouble = broken.reason();
            } catch (LinkTrouble unheard) {
                trouble = unheard.reason();
            } catch (UnexpectedAnswer refused) {
                trouble = "the server answered " + refused.status() + " "
                        + refused.body().strip();
            }
            if (!trouble.equals(told)) {
                told = trouble;
                LOG.warn("the node does not take new allocations yet: {}", trouble);
            }
            ports.time().sleep(PAUSE);
        }
    }

    private void makeEligible() throws UnexpectedAnswer, LinkTrouble {
        Node now = client.nodes().get(node, Params.none()).body();
        if (now.Drain()) {
            // The last agent ended before it was empty.
            client.nodes().drain(new NodeDrainRequest(null, true, Map.of(), node), Params.none());
        } else if (!now.SchedulingEligibility().equals("eligible")) {
            client.nodes().eligibility(new NodeEligibilityRequest("eligible", node), Params.none());
        }
    }

    /** Tries no more; the next agent goes on. */
    void end() throws InterruptedException {
        if (trying != null) {
            trying.interrupt();
            trying.join();
        }
    }
}
