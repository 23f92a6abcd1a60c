package io.cleat.agent.volumes;

import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.PluginTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Trouble;
import io.cleat.model.BlockedBy;
import io.cleat.model.NodeEvent;
import io.cleat.model.VolumeId;
import io.cleat.wire.ToServer;
import io.cleat.wire.ToServer.VolumePhase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The node's volumes: what the journal says is begun or owed, and what the mount table shows.
 *
 * <p>One volume's steps are done one after the other, each in a turn of the volume's lane; between two tries of one the
 * turn is given up, so that who waits for a plugin is in nobody's way.
 */
public final class MountedVolumes implements NodeVolumes {
    private static final Logger LOG = LoggerFactory.getLogger(MountedVolumes.class);

    private final VolumeParts parts;
    private final Turns turns = new Turns();
    private final Unmounting unmounting;
    private final Mounting mounting;
    private final Expanding expanding;
    private final Targets targets;
    private final Map<List<String>, BlockedBy> broken = new ConcurrentHashMap<>();
    private final Map<List<String>, Undone> undone = new ConcurrentHashMap<>();

    public MountedVolumes(VolumeParts parts) {
        this.parts = parts;
        this.unmounting = new Unmounting(parts);
        this.mounting = new Mounting(parts, unmounting);
        this.expanding = new Expanding(parts);
        this.targets = new Targets(parts);
        parts.journal().torn().ifPresent(dropped -> {
            LOG.warn("the journal of volumes was torn: dropped {}", dropped);
            event("Volume journal was torn", Map.of("dropped", dropped));
        });
    }

    @Override
    public Publication publish(GrantedClaim claim, Progress progress) throws Trouble, InterruptedException {
        return publish(claim, progress, false);
    }

    @Override
    public Publication remount(GrantedClaim claim, Progress progress) throws Trouble, InterruptedException {
        return publish(claim, progress, true);
    }

    private Publication publish(GrantedClaim claim, Progress progress, boolean anew)
            throws Trouble, InterruptedException {
        VolumeKey key = VolumeKey.of(claim);
        VolumeRetries retries = new VolumeRetries(parts, VolumeKey.of(claim));
        for (; ; ) {
            StepBlocked wait;
            try (Turns.Turn _ = turns.enter(
                            key,
                            "mounting for allocation " + claim.allocId(),
                            other -> at(progress, VolumePhase.MOUNTING, retries, other));
                    CallsUnderWay.Open _ = slow(claim.volume(), "mount", VolumePhase.MOUNTING, progress)) {
                retries.beforeTry();
                if (anew) {
                    undoDead(key, claim);
                }
                Optional<Publication> there = mounting.already(claim);
                if (there.isEmpty()) {
                    progress.at(VolumePhase.MOUNTING, retries.lastStory());
                    there = Optional.of(mount(key, claim));
                }
                undone.remove(List.of(claim.allocId(), claim.alias()));
                return there.get();
            } catch (StepBlocked blocked) {
                wait = blocked;
            }
            failed("Mount volume", claim.volume(), wait);
            retries.count(wait);
            if (retries.hasTriedFor(parts.limits().mounting())) {
                throw givenUp(wait);
            }
            pause(retries, wait, VolumePhase.MOUNTING, progress);
        }
    }

    /**
     * Nobody knows whether it is mounted, so nothing is undone here: what was begun is in the journal, and who asked
     * for it undoes it by {@link #unpublish}, for as long as that takes.
     */
    private PluginTrouble givenUp(StepBlocked wait) {
        return new PluginTrouble(
                wait.holder()
                        + ". Tried for "
                        + parts.limits().mounting().toSeconds()
                        + " s without a known end, so it is given up; what was begun is undone"
                        + " first, and only then is the volume free",
                Effect.UNKNOWN,
                Retry.NEVER);
    }

    /**
     * A staging can only go, and come anew, when no target is left of it. Who has another of the targets does not know
     * that it is gone.
     */
    private void undoDead(VolumeKey key, GrantedClaim claim) throws StepBlocked, InterruptedException {
        for (Use use : parts.journal().volume(key).uses()) {
            boolean isPublished = use.phase() == Use.Phase.PUBLISHED;
            if (!isPublished || isDead(key, use)) {
                if (isPublished && !use.is(claim.allocId(), claim.alias())) {
                    undone.put(
                            List.of(use.allocId(), use.alias()),
                            new Undone(key.pluginId(), use.allocId(), use.alias()));
                }
                unmounting.unpublish(key, use.allocId(), use.alias());
                mended(use.allocId(), use.alias());
            }
        }
    }

    /** A use whose dead mount was undone with that of another, and who has it is to be told. */
    record Undone(String pluginId, String allocId, String alias) {}

    /** Those that are not mounted anew yet. */
    Collection<Undone> undone() {
        return List.copyOf(undone.values());
    }

    private boolean isDead(VolumeKey key, Use use) throws StepBlocked, InterruptedException {
        try {
            return !targets.isThere(key, use) || !parts.answers(key.pluginId(), use.host());
        } catch (KernelTrouble unknown) {
            throw StepBlocked.unread("look", unknown);
        }
    }

    @Override
    public Optional<BlockedBy> broken(String allocId, String alias) {
        return Optional.ofNullable(broken.get(List.of(allocId, alias)));
    }

    void broken(String allocId, String alias, BlockedBy why) {
        broken.put(List.of(allocId, alias), why);
    }

    void mended(String allocId, String alias) {
        broken.remove(List.of(allocId, alias));
    }

    @Override
    public void unpublish(String allocId, String alias, Progress progress) throws InterruptedException {
        undone.remove(List.of(allocId, alias));
        Optional<VolumeRecord> used = parts.journal().usedBy(allocId, alias);
        if (used.isEmpty()) {
            return;
        }
        VolumeKey key = used.get().key();
        VolumeId volume = used.get().use(allocId, alias).map(Use::volume).orElseThrow();
        VolumeRetries retries = new VolumeRetries(parts, key);
        for (; ; ) {
            StepBlocked wait;
            try (Turns.Turn _ = turns.enter(
                            key,
                            "unmounting for allocation " + allocId,
                            other -> at(progress, VolumePhase.UNMOUNTING, retries, other));
                    CallsUnderWay.Open _ = slow(volume, "unmount", VolumePhase.UNMOUNTING, progress)) {
                retries.beforeTry();
                progress.at(VolumePhase.UNMOUNTING, retries.lastStory());
                unmounting.unpublish(key, allocId, alias);
                mended(allocId, alias);
                succeeded("Unmount volume", volume);
                return;
            } catch (StepBlocked blocked) {
                wait = blocked;
            }
            failed("Unmount volume", volume, wait);
            pause(retries, wait, VolumePhase.UNMOUNTING, progress);
        }
    }

    @Override
    public boolean expand(GrantedClaim claim, Expansion expansion, Progress progress) throws InterruptedException {
        VolumeRetries retries = new VolumeRetries(parts, VolumeKey.of(claim));
        for (; ; ) {
            StepBlocked wait;
            try (Turns.Turn _ = turns.enter(
                            VolumeKey.of(claim),
                            "expanding for allocation " + claim.allocId(),
                            other -> at(progress, VolumePhase.PUBLISHED, retries, other));
                    CallsUnderWay.Open _ = slow(claim.volume(), "expand", VolumePhase.PUBLISHED, progress)) {
                retries.beforeTry();
                return expanding.expand(claim, expansion);
            } catch (StepBlocked blocked) {
                wait = blocked;
            }
            failed("Expand volume", claim.volume(), wait);
            pause(retries, wait, VolumePhase.PUBLISHED, progress);
        }
    }

    @Override
    public Optional<Publication> published(String allocId, String alias) {
        return parts.journal()
                .usedBy(allocId, alias)
                .flatMap(volume -> volume.use(allocId, alias).filter(use -> isPublished(volume.key(), use)))
                .map(Use::publication);
    }

    @Override
    public Map<String, VolumePhase> phases(String allocId) {
        Map<String, VolumePhase> phases = new HashMap<>();
        for (VolumeRecord volume : parts.journal().volumes()) {
            for (Use use : volume.uses()) {
                if (use.allocId().equals(allocId)) {
                    boolean lost = use.phase() == Use.Phase.PUBLISHED && !isPublished(volume.key(), use);
                    phases.put(use.alias(), lost ? VolumePhase.MOUNTING : use.told());
                }
            }
        }
        return phases;
    }

    @Override
    public List<Path> unrecorded(String allocId, Collection<VolumeId> volumes) throws KernelTrouble {
        return new UnrecordedMounts(parts).of(allocId, volumes);
    }

    @Override
    public long epoch(String allocId, String alias) {
        return parts.journal()
                .usedBy(allocId, alias)
                .flatMap(volume -> volume.use(allocId, alias))
                .map(Use::epoch)
                .orElse(0L);
    }

    @Override
    public List<ToServer.Held> held() {
        List<ToServer.Held> held = new ArrayList<>();
        for (VolumeRecord volume : parts.journal().volumes()) {
            if (volume.uses().isEmpty()) {
                held.add(new ToServer.Held(volume.pluginId(), volume.externalId(), "", ""));
            }
            for (Use use : volume.uses()) {
                held.add(new ToServer.Held(volume.pluginId(), volume.externalId(), use.allocId(), use.alias()));
            }
        }
        return held;
    }

    /**
     * The roots, as the plugin was told them, of what it has on this node; while there are any, it must be told no
     * other, or it would look for its mounts where they are not.
     */
    public Set<Path> pluginRoots(String pluginId) {
        return parts.journal().volumes().stream()
                .filter(volume -> volume.pluginId().equals(pluginId))
                .flatMap(VolumeRecord::pluginRoots)
                .collect(Collectors.toSet());
    }

    /**
     * Tries once to undo a staging that nobody uses.
     *
     * @return what it waits for; empty if it is undone, or somebody uses it by now
     */
    Optional<String> settle(VolumeKey key) throws InterruptedException {
        try (Turns.Turn _ = turns.enter(key, "undoing what is owed", other -> {})) {
            if (parts.journal().volume(key).isOwed()) {
                unmounting.unstage(key);
            }
            return Optional.empty();
        } catch (StepBlocked wait) {
            return Optional.of(wait.holder());
        }
    }

    /** One try; a refusal undoes what was begun for this claim, as far as that goes now. */
    private Publication mount(VolumeKey key, GrantedClaim claim) throws StepBlocked, Trouble, InterruptedException {
        try {
            Publication publication = mounting.publish(claim);
            succeeded("Mount volume", claim.volume());
            return publication;
        } catch (Trouble refusal) {
            event("Mount volume", details(claim.volume(), refusal.reason()));
            try {
                unmounting.unpublish(key, claim.allocId(), claim.alias());
            } catch (StepBlocked owed) {
                throw new PluginTrouble(
                        refusal.reason() + ". What was begun is still to be undone: " + owed.holder(),
                        Effect.UNKNOWN,
                        Retry.NEVER,
                        refusal);
            }
            throw refusal;
        }
    }

    private boolean isPublished(VolumeKey key, Use use) {
        try {
            return use.phase() == Use.Phase.PUBLISHED && targets.isThere(key, use);
        } catch (KernelTrouble unread) {
            LOG.warn("whether {} is mounted is not known: {}", use.host(), unread.reason());
            return false;
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void pause(VolumeRetries retries, StepBlocked wait, VolumePhase phase, Progress progress)
            throws InterruptedException {
        Duration pause = retries.after(wait);
        progress.at(phase, Optional.of(retries.blockedBy(wait, pause)));
        retries.await(wait, pause);
    }

    /** While this is open, a call that takes long is what the work waits for. */
    private CallsUnderWay.Open slow(VolumeId volume, String step, VolumePhase phase, Progress progress) {
        return parts.calls()
                .asking(
                        volume,
                        call -> progress.at(
                                phase,
                                Optional.of(new BlockedBy(
                                        step,
                                        "plugin \""
                                                + call.pluginId()
                                                + "\", which has not answered "
                                                + call.name()
                                                + " yet",
                                        call.since(),
                                        null,
                                        "it is waited for; look at the plugin's logs"))));
    }

    private static void at(Progress progress, VolumePhase phase, VolumeRetries retries, String other) {
        progress.at(phase, Optional.of(retries.blockedBy(other)));
    }

    private void succeeded(String message, VolumeId volume) {
        event(message, Map.of("volume_id", volume.id(), "success", "true"));
    }

    /** Tells of a try that failed; one that did not begin is no try. */
    private void failed(String message, VolumeId volume, StepBlocked wait) {
        if (wait.until() == StepBlocked.Until.TRIED_AGAIN) {
            LOG.warn("{} {}: {}: {}", message, volume, wait.step(), wait.holder());
            event(message, details(volume, wait.holder()));
        }
    }

    private static Map<String, String> details(VolumeId volume, String error) {
        return Map.of("volume_id", volume.id(), "success", "false", "error", error);
    }

    private void event(String message, Map<String, String> details) {
        parts.news()
                .nodeEvent(
                        new NodeEvent("Storage", message, details, parts.time().now()));
    }
}
