package io.cleat.server.session;

import io.cleat.base.Deadline;
import io.cleat.base.Ids;
import io.cleat.base.Time;
import io.cleat.wire.ToNode;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Finds out whether a node whose link is from another boot is still there, when somebody comes as that node from a new
 * one. It is asked, since a link may stay open for a while after its machine has gone, and what arrives on it may have
 * been sent before. Any thread.
 */
final class FormerLink {
    /** Longer than an answer takes that comes at all. */
    private static final Duration ANSWERS_WITHIN = Liveness.HEARTBEAT;

    private static final Duration LOOK = Duration.ofMillis(500);

    private final Questions<Boolean> questions;
    private final Map<String, String> turnedAway = new ConcurrentHashMap<>();
    private final Time time;
    private final Ids ids;

    FormerLink(Time time, Ids ids) {
        this.questions = new Questions<>(time);
        this.time = time;
        this.ids = ids;
    }

    /**
     * Asks on the link that {@code open} gives, as long as it does.
     *
     * @return whether somebody has answered
     */
    boolean answers(Supplier<Optional<NodeSession>> open) throws InterruptedException {
        Optional<NodeSession> former = open.get();
        if (former.isEmpty()) {
            return false;
        }
        String id = ids.next();
        questions.open(id);
        try {
            boolean isThere = former.get().say(new ToNode.AskOrder(id));
            boolean hasAnswered = false;
            Deadline deadline = Deadline.in(time, ANSWERS_WITHIN);
            while (isThere && !hasAnswered && !deadline.isExpired()) {
                hasAnswered = questions.await(id, deadline.atMost(LOOK)).isPresent();
                isThere = open.get().equals(former);
            }
            return hasAnswered;
        } finally {
            questions.close(id);
        }
    }

    /**
     * Whether this boot of the node comes again after it was turned away. A greeting may be heard long after it was
     * said, when its machine is gone and another boot is let in: it comes once.
     */
    boolean comesAgain(String nodeId, String bootId) {
        return bootId.equals(turnedAway.put(nodeId, bootId));
    }

    /** A node has answered to something by this id; whether it was asked here. */
    boolean answered(String id) {
        return questions.answered(id, true);
    }
}
