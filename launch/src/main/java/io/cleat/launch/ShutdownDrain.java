package io.cleat.launch;

import io.cleat.api.Answer;
import io.cleat.api.CleatClient;
import io.cleat.api.DrainSpec;
import io.cleat.api.LastDrain;
import io.cleat.api.Node;
import io.cleat.api.NodeDrainProgress;
import io.cleat.api.NodeDrainRequest;
import io.cleat.api.Params;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.api.VolumeWhy;
import io.cleat.base.DiskTrouble;
import io.cleat.base.Durations;
import io.cleat.base.LinkTrouble;
import io.cleat.kernel.DurableFiles;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Empties the node of an agent that is to end: tasks, unpublish, unstage, detach, plugins last. {@link ReturnToWork}
 * undoes it at the next start.
 */
final class ShutdownDrain {
    private static final Duration LOOK = Duration.ofSeconds(5);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final String REASON = "the agent ends";

    private final CleatClient client;
    private final String node;
    private final Path mark;
    private final Ports ports;
    private final PrintStream out;
    private volatile boolean isDone;
    private volatile List<NodeDrainProgress.Left> left = List.of();
    private volatile String trouble = "no server has answered";

    /** @param mark the file that says at the next start that the node was drained by this */
    ShutdownDrain(CleatClient client, String node, Path mark, Ports ports, PrintStream out) {
        this.client = client;
        this.node = node;
        this.mark = mark;
        this.ports = ports;
        this.out = out;
    }

    /**
     * Drains, and says how far it is.
     *
     * @param deadline when to give up; what has not moved elsewhere is stopped after three quarters of it
     * @return whether the node is empty
     */
    boolean run(Duration deadline) throws InterruptedException {
        say("Draining this node, " + Durations.words(deadline) + " at most; a second signal ends at once.");
        Thread draining = ports.threads()
                .contained("drain", () -> drain(deadline), fault -> trouble = "a fault of the agent: " + fault);
        boolean inTime = draining.join(deadline);
        // Read before the interruption, which is no trouble of the server's.
        String why = trouble;
        if (!inTime) {
            draining.interrupt();
        }
        if (isDone) {
            say("The node is empty.");
            return true;
        }
        say("The drain is not complete" + (why.isEmpty() ? "" : ": " + why) + ".");
        if (!left.isEmpty()) {
            say("Left, and it goes on without the agent:");
            left.forEach(one -> say("  " + one.Phase() + ": " + words(one)));
        }
        return false;
    }

    private void drain(Duration deadline) throws InterruptedException {
        boolean hasBegun = false;
        while (true) {
            try {
                if (!hasBegun) {
                    begin(deadline);
                    hasBegun = true;
                }
                watch();
                return;
            } catch (DiskTrouble broken) {
                trouble = broken.reason();
                return;
            } catch (LinkTrouble unheard) {
                trouble = unheard.reason();
                ports.time().sleep(PAUSE);
            } catch (UnexpectedAnswer refused) {
                trouble = "the server answered " + refused.status() + " "
                        + refused.body().strip();
                ports.time().sleep(PAUSE);
            }
        }
    }

    private void begin(Duration deadline) throws DiskTrouble, UnexpectedAnswer, LinkTrouble {
        Node now = client.nodes().get(node, Params.none()).body();
        if (!now.Drain() && now.SchedulingEligibility().equals("eligible")) {
            // Before the drain: if this process dies in it, the next one knows who began it.
            DurableFiles.write(mark, new byte[0]);
        }
        DrainSpec spec = new DrainSpec(deadline.multipliedBy(3).dividedBy(4).toNanos(), false);
        client.nodes().drain(new NodeDrainRequest(spec, false, Map.of("message", REASON), node), Params.none());
    }

    private void watch() throws UnexpectedAnswer, LinkTrouble {
        long index = 0;
        Set<String> told = new HashSet<>();
        while (!Thread.currentThread().isInterrupted()) {
            Answer<NodeDrainProgress> answer = client.nodes()
                    .drainProgress(
                            node, index == 0 ? Params.none() : Params.none().newerThan(index, LOOK));
            index = answer.meta().index();
            NodeDrainProgress progress = answer.body();
            left = progress.Left();
            trouble = "";
            if (progress.DrainStrategy() == null) {
                LastDrain last = progress.LastDrain();
                isDone = last != null && last.Status().equals("complete");
                trouble = isDone ? "" : "somebody ended it";
                return;
            }
            tell(progress, told);
        }
    }

    /** Each phase once, and each thing that it waits for once. */
    private void tell(NodeDrainProgress progress, Set<String> told) {
        List<NodeDrainProgress.Left> now = progress.Left().stream()
                .filter(one -> one.Phase().equals(progress.Phase()))
                .toList();
        if (!now.isEmpty() && told.add(progress.Phase())) {
            say("  " + progress.Phase() + ": " + now.size() + " left");
        }
        for (NodeDrainProgress.Left one : now) {
            if (told.add(one.Phase() + one.Object())) {
                say("    " + words(one));
            }
        }
    }

    private static String words(NodeDrainProgress.Left one) {
        VolumeWhy.Waiting waiting = one.WaitingFor();
        return waiting == null ? one.Object() : one.Object() + " waits for " + waiting.Step() + ": " + waiting.Holder();
    }

    private void say(String line) {
        out.println(line);
        out.flush();
    }
}
