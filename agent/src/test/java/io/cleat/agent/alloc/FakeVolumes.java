package io.cleat.agent.alloc;

import io.cleat.agent.volumes.Expansion;
import io.cleat.agent.volumes.GrantedClaim;
import io.cleat.agent.volumes.NodeVolumes;
import io.cleat.agent.volumes.Publication;
import io.cleat.base.Effect;
import io.cleat.base.PluginTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Trouble;
import io.cleat.model.BlockedBy;
import io.cleat.model.VolumeId;
import io.cleat.wire.ToServer;
import io.cleat.wire.ToServer.VolumePhase;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;

/** Volumes in memory; a test says which are refused and which hang. */
final class FakeVolumes implements NodeVolumes {
    private final Map<String, Publication> published = new ConcurrentHashMap<>();
    private final Map<String, Publication> unrecorded = new ConcurrentHashMap<>();
    private final Set<String> refused = ConcurrentHashMap.newKeySet();
    private final Map<String, CountDownLatch> answers = new ConcurrentHashMap<>();
    private final Set<String> hanging = ConcurrentHashMap.newKeySet();
    private final List<String> remounted = new CopyOnWriteArrayList<>();
    private final CountDownLatch hangs = new CountDownLatch(1);
    private final CountDownLatch never = new CountDownLatch(1);
    private final List<String> expanded = new CopyOnWriteArrayList<>();
    private volatile CountDownLatch expansions = new CountDownLatch(0);
    private volatile CountDownLatch unmounts = new CountDownLatch(0);

    /** The volumes that were mounted anew. */
    List<String> remounted() {
        return List.copyOf(remounted);
    }

    void refuse(String alias) {
        refused.add(alias);
    }

    /** The machine boots: no mount is left. */
    void loseAll() {
        published.clear();
    }

    /** A mount is gone, and so is what was written down of it. */
    void lose(String alias) {
        published.values().removeIf(one -> one.alias().equals(alias));
    }

    void hang(String alias) {
        hanging.add(alias);
    }

    /** Its call is waited for, whoever interrupts, until {@code latch} is let go. */
    void awaitAnswer(String alias, CountDownLatch latch) {
        answers.put(alias, latch);
    }

    private void awaitAnswer(String alias) {
        CountDownLatch latch = answers.get(alias);
        boolean isInterrupted = false;
        while (latch != null && latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException early) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    void awaitHang() throws InterruptedException {
        hangs.await();
    }

    Set<String> publishedNow() {
        return Set.copyOf(published.keySet());
    }

    @Override
    public Publication publish(GrantedClaim claim, Progress progress) throws Trouble, InterruptedException {
        progress.at(VolumePhase.MOUNTING, Optional.empty());
        if (refused.contains(claim.alias())) {
            throw new PluginTrouble("the plugin says no", Effect.NONE, Retry.NEVER);
        }
        awaitAnswer(claim.alias());
        if (hanging.contains(claim.alias())) {
            hangs.countDown();
            never.await();
        }
        Publication publication = new Publication(
                claim.allocId(),
                claim.alias(),
                claim.volume(),
                claim.epoch(),
                Path.of("/published/" + claim.alias()),
                claim.readOnly());
        published.put(claim.allocId() + "/" + claim.alias(), publication);
        return publication;
    }

    /** Expansions go wrong until the latch is let go. */
    void refuseExpansions(CountDownLatch latch) {
        expansions = latch;
    }

    /** The claims and sizes that were expanded, in order. */
    List<String> expanded() {
        return List.copyOf(expanded);
    }

    @Override
    public boolean expand(GrantedClaim claim, Expansion expansion, Progress progress) throws InterruptedException {
        if (expansions.getCount() > 0) {
            progress.at(
                    VolumePhase.PUBLISHED,
                    Optional.of(new BlockedBy("expand", "plugin p", Instant.EPOCH, null, "later")));
            expansions.await();
        }
        expanded.add(claim.alias() + " to " + expansion.bytes());
        return true;
    }

    /** Unmounting begins, and goes on only when the latch is let go. */
    void holdUnmounts(CountDownLatch latch) {
        unmounts = latch;
    }

    @Override
    public void unpublish(String allocId, String alias, Progress progress) throws InterruptedException {
        progress.at(VolumePhase.UNMOUNTING, Optional.empty());
        unmounts.await();
        published.remove(allocId + "/" + alias);
    }

    @Override
    public Publication remount(GrantedClaim claim, Progress progress) throws Trouble, InterruptedException {
        remounted.add(claim.alias());
        return publish(claim, progress);
    }

    @Override
    public Optional<BlockedBy> broken(String allocId, String alias) {
        return Optional.empty();
    }

    @Override
    public Optional<Publication> published(String allocId, String alias) {
        return Optional.ofNullable(published.get(allocId + "/" + alias));
    }

    /** The journal loses its end, and the mounts stay. */
    void loseRecords() {
        unrecorded.putAll(published);
        published.clear();
    }

    @Override
    public List<Path> unrecorded(String allocId, Collection<VolumeId> ofVolumes) {
        return unrecorded.values().stream()
                .filter(one -> one.allocId().equals(allocId))
                .map(Publication::path)
                .sorted()
                .toList();
    }

    @Override
    public long epoch(String allocId, String alias) {
        return published(allocId, alias).map(Publication::epoch).orElse(0L);
    }

    @Override
    public List<ToServer.Held> held() {
        return published.values().stream()
                .map(use -> new ToServer.Held("p", "ext-" + use.alias(), use.allocId(), use.alias()))
                .toList();
    }

    @Override
    public Map<String, VolumePhase> phases(String allocId) {
        return published.values().stream()
                .filter(p -> p.allocId().equals(allocId))
                .collect(Collectors.toMap(Publication::alias, p -> VolumePhase.PUBLISHED, (a, b) -> a, TreeMap::new));
    }
}
