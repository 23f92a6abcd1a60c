package io.cleat.agent.alloc;

import io.cleat.agent.task.EarlierRuns;
import io.cleat.agent.task.UntilDone;
import io.cleat.wire.ToServer;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the journal says is mounted for allocations that neither this node nor the server knows, as when the file of one
 * is lost that the server has given up: nobody else would ever undo it.
 *
 * <p>Holds nothing. Each allocation is undone on a thread of its own, since a plugin may be waited for; what the
 * agent's end cuts short, the next agent begins again.
 */
final class StrayVolumes {
    private static final Logger LOG = LoggerFactory.getLogger(StrayVolumes.class);

    private final AllocationParts parts;

    StrayVolumes(AllocationParts parts) {
        this.parts = parts;
    }

    /** Begins to undo all of it, each once nothing of its allocation runs. */
    void undo(Predicate<String> isKnown) {
        Set<String> strays = parts.volumes().held().stream()
                .map(ToServer.Held::allocId)
                .filter(allocId -> !allocId.isEmpty() && !isKnown.test(allocId))
                .collect(Collectors.toCollection(TreeSet::new));
        for (String allocId : strays) {
            LOG.warn("allocation {} is known to nobody: its volumes are unmounted", allocId);
            parts.tasks()
                    .threads()
                    .contained(
                            "stray/" + allocId,
                            () -> undo(allocId),
                            fault -> LOG.error("volumes of {} stay mounted", allocId, fault));
        }
    }

    private void undo(String allocId) throws InterruptedException {
        new EarlierRuns(parts.tasks()).endAll(allocId);
        Path directory = AllocationDirectory.of(parts.directories(), allocId).root();
        new UntilDone(parts.tasks(), "stray/" + allocId)
                .ask(
                        () -> {
                            parts.tasks().binds().unbindAll(directory);
                            return true;
                        },
                        _ -> {});
        for (String alias : parts.volumes().phases(allocId).keySet()) {
            parts.volumes().unpublish(allocId, alias, (phase, waits) -> {});
        }
    }
}
