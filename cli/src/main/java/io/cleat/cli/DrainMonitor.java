package io.cleat.cli;

import io.cleat.api.Answer;
import io.cleat.api.CleatClient;
import io.cleat.api.LastDrain;
import io.cleat.api.NodeDrainProgress;
import io.cleat.api.Params;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.api.VolumeWhy;
import io.cleat.base.LinkTrouble;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Watches a drain and prints what changes, until it ends. */
final class DrainMonitor {
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

    private final Call call;
    private final CleatClient client;
    private final String node;
    private final Map<String, String> told = new HashMap<>();
    private String phase = "";

    DrainMonitor(Call call, CleatClient client, String node) {
        this.call = call;
        this.client = client;
        this.node = node;
    }

    /** Returns 0 once the node is empty, or is not being drained; 1 if somebody ended the drain. */
    int watch() throws UnexpectedAnswer, LinkTrouble {
        long index = 0;
        boolean wasSeen = false;
        while (true) {
            Answer<NodeDrainProgress> answer = client.nodes().drainProgress(node, after(index));
            index = answer.meta().index();
            NodeDrainProgress progress = answer.body();
            if (progress.DrainStrategy() == null) {
                return ended(progress.LastDrain(), wasSeen);
            }
            if (!wasSeen) {
                line("Ctrl-C to stop monitoring: will not cancel the node drain");
                wasSeen = true;
            }
            tell(progress);
        }
    }

    private static Params after(long index) {
        return index == 0 ? Params.none() : Params.none().newerThan(index, LONGEST_WAIT);
    }

    private int ended(@Nullable LastDrain last, boolean wasSeen) {
        if (last == null) {
            line("Node \"%s\" is not being drained".formatted(call.id(node)));
            return 0;
        }
        boolean isComplete = last.Status().equals("complete");
        line("Node \"%s\" drain %s".formatted(call.id(node), last.Status()));
        return isComplete || !wasSeen ? 0 : 1;
    }

    private void tell(NodeDrainProgress progress) {
        List<NodeDrainProgress.Left> now = progress.Left().stream()
                .filter(left -> left.Phase().equals(progress.Phase()))
                .toList();
        if (!progress.Phase().equals(phase)) {
            phase = progress.Phase();
            line("Drain phase \"%s\": %d left".formatted(phase, now.size()));
        }
        for (NodeDrainProgress.Left left : now) {
            String words = words(left);
            if (!words.equals(told.put(left.Object(), words))) {
                line("  " + words);
            }
        }
    }

    private static String words(NodeDrainProgress.Left left) {
        VolumeWhy.Waiting waiting = left.WaitingFor();
        return waiting == null
                ? left.Object()
                : "%s waits for %s: %s; %s".formatted(left.Object(), waiting.Step(), waiting.Holder(), waiting.Hint());
    }

    private void line(String text) {
        call.outNow(Human.time(call.now(), call.zone()) + ": " + text);
    }
}
