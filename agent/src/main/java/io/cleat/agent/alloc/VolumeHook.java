package io.cleat.agent.alloc;

import io.cleat.agent.volumes.GrantedClaim;
import io.cleat.agent.volumes.NodeVolumes;
import io.cleat.agent.volumes.Publication;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.base.Trouble;
import io.cleat.wire.ToServer.VolumePhase;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The volumes of one allocation: all are published, side by side, or the allocation does not run.
 *
 * <p>A volume without a grant waits for one. What is asked of all comes from the allocation's thread; each step of a
 * volume has its own, and says how far it is to {@link VolumeSteps}, which hold the lock. What a plugin refuses fails
 * the allocation; what could not be undone is to be undone again.
 */
final class VolumeHook {
    private static final Logger LOG = LoggerFactory.getLogger(VolumeHook.class);

    /** A plugin that takes away what it has just mounted is not asked without a pause for ever. */
    private static final int MOST_AGAIN = 3;

    private final KnownAllocation allocation;
    private final NodeVolumes volumes;
    private final VolumeSteps steps;

    /** @param changed run after each step of a volume */
    VolumeHook(KnownAllocation allocation, NodeVolumes volumes, Threads threads, Time time, Runnable changed) {
        this.allocation = allocation;
        this.volumes = volumes;
        this.steps = new VolumeSteps(allocation, volumes, threads, time, changed);
    }

    /** How they stand, and what of them is under way. */
    VolumeSteps steps() {
        return steps;
    }

    /**
     * Publishes all volumes, waiting for their grants.
     *
     * @param waits run before the first wait; not if all are published already
     * @return where each is published, by alias; empty if stopped before all were
     * @throws VolumesRefused if a volume cannot be had
     */
    Optional<Map<String, Path>> publishAll(Runnable waits) throws VolumesRefused, InterruptedException {
        allocation.volumes().keySet().forEach(this::publish);
        if (steps.isWorking()) {
            waits.run();
        }
        Optional<Map<String, Path>> all = steps.awaitPublished();
        // While the last one was waited for, the first ones may have been lost with their plugin.
        for (int i = 0; i < MOST_AGAIN && all.isPresent() && !areThere(all.get()); i++) {
            all.get().keySet().forEach(this::publish);
            all = steps.awaitPublished();
        }
        return all;
    }

    private boolean areThere(Map<String, Path> all) {
        return all.keySet().stream()
                .allMatch(
                        alias -> volumes.published(allocation.allocId(), alias).isPresent());
    }

    private void publish(String alias) {
        steps.publish(alias, volumes.published(allocation.allocId(), alias), this::publishOne);
    }

    private void publishOne(String alias) throws InterruptedException {
        try {
            Optional<GrantedClaim> claim = steps.awaitGrant(alias);
            if (claim.isEmpty()) {
                return;
            }
            Publication publication = volumes.publish(claim.get(), (p, w) -> steps.at(alias, p, w));
            steps.publishedAt(alias, publication.path());
        } catch (Trouble trouble) {
            steps.refused(alias, trouble.reason());
        }
    }

    /**
     * Mounts a volume anew that was lost with its plugin.
     *
     * @param mounted told where it is, unless it is not wanted any more or cannot be had
     * @param refused told why it cannot be had
     * @param ended run in each case, after that
     */
    void remount(String alias, Consumer<Path> mounted, Consumer<String> refused, Runnable ended) {
        boolean isBegun = steps.tryRemount(alias, same -> {
            try {
                remountOne(same, refused).ifPresent(mounted);
            } finally {
                ended.run();
            }
        });
        if (!isBegun) {
            ended.run();
        }
    }

    private Optional<Path> remountOne(String alias, Consumer<String> refused) throws InterruptedException {
        Optional<GrantedClaim> claim = steps.awaitGrant(alias);
        if (claim.isEmpty()) {
            return Optional.empty();
        }
        try {
            Publication publication = volumes.remount(claim.get(), (p, w) -> steps.at(alias, p, w));
            steps.at(alias, VolumePhase.PUBLISHED, Optional.empty());
            return Optional.of(publication.path());
        } catch (Trouble trouble) {
            LOG.warn("volume {} is not mounted anew: {}", alias, trouble.reason());
            refused.accept("volume \"" + alias + "\" cannot be mounted anew: " + trouble.reason());
            return Optional.empty();
        }
    }

    /**
     * Undoes all volumes, side by side. After {@link VolumeSteps#settle}.
     *
     * @return whether all are undone; if not, a fault was met, and it is to be done again
     */
    boolean unpublishAll() throws InterruptedException {
        // Of an allocation whose file was lost the journal may know more than the server says.
        Set<String> all = new TreeSet<>(allocation.volumes().keySet());
        all.addAll(volumes.phases(allocation.allocId()).keySet());
        return steps.unpublish(all, this::unpublishOne);
    }

    private void unpublishOne(String alias) throws InterruptedException {
        volumes.unpublish(allocation.allocId(), alias, (p, w) -> steps.at(alias, p, w));
        steps.at(alias, VolumePhase.UNPUBLISHED, Optional.empty());
    }
}
