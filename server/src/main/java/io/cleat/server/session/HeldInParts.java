package io.cleat.server.session;

import io.cleat.base.Effect;
import io.cleat.base.LinkTrouble;
import io.cleat.base.Retry;
import io.cleat.wire.ToServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a node says it holds, in messages of which the last one says that it is. One thread. */
final class HeldInParts {
    /** More than any node has volumes. */
    private static final int MOST = 100_000;

    private final String nodeId;
    private final List<ToServer.Held> all = new ArrayList<>();

    HeldInParts(String nodeId) {
        this.nodeId = nodeId;
    }

    /**
     * @return all of it with the last message, and the next one begins anew; empty before
     * @throws LinkTrouble it is more than any node holds
     */
    Optional<List<ToServer.Held>> add(ToServer.Holds part) throws LinkTrouble {
        if (all.size() + part.held().size() > MOST) {
            throw new LinkTrouble(
                    "node " + nodeId + " says that it holds more than " + MOST + " volumes",
                    Effect.NONE,
                    Retry.SAME_CALL);
        }
        all.addAll(part.held());
        if (!part.last()) {
            return Optional.empty();
        }
        List<ToServer.Held> whole = List.copyOf(all);
        all.clear();
        return Optional.of(whole);
    }
}
