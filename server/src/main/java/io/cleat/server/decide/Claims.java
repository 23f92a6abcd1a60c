package io.cleat.server.decide;

import io.cleat.model.BlockedBy;
import io.cleat.model.HostVolume;
import io.cleat.model.MountOptions;
import io.cleat.model.TaskGroup;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeModes;
import io.cleat.model.VolumeRequest;
import io.cleat.schedule.HeldVolume;
import io.cleat.state.AllocationRow;
import io.cleat.state.Change;
import io.cleat.state.ClaimId;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClaimState;
import io.cleat.state.Claimable;
import io.cleat.state.ClusterState;
import io.cleat.state.Fit;
import io.cleat.state.HostVolumeRow;
import io.cleat.state.NodeStatus;
import io.cleat.state.Remainder;
import io.cleat.state.VolumeKey;
import io.cleat.state.VolumeRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Claims of allocations: made together, granted together, released one by one on proof. Nothing here looks at time:
 * what is not proved waits.
 */
final class Claims {
    private Claims() {}

    /** One volume that an allocation asks for. */
    record Wish(String alias, VolumeRequest request, Claimable volume, Fit fit) {}

    /**
     * What an allocation's volumes come to, by alias; without those that nobody claims, which an operator has named.
     *
     * @return the wishes, or why they cannot be
     */
    static List<Wish> wishes(ClusterState state, TaskGroup group, AllocationRow allocation, List<String> problems) {
        List<Wish> wishes = new ArrayList<>();
        for (Map.Entry<String, VolumeRequest> each : new TreeMap<>(group.volumes()).entrySet()) {
            VolumeRequest request = each.getValue();
            if (isNamed(state, allocation, request)) {
                continue;
            }
            Optional<? extends Claimable> volume = asked(state, allocation, request);
            if (volume.isEmpty()) {
                problems.add(absence(allocation, request));
                continue;
            }
            Fit fit = Fit.of(
                    state,
                    volume.get(),
                    request.modes(),
                    request.readOnly(),
                    allocation.nodeId(),
                    allocation.job(),
                    allocation.id());
            wishes.add(new Wish(each.getKey(), request, volume.get(), fit));
        }
        return wishes;
    }

    /** Whether an operator has named it: it is the node's, and nobody claims it. */
    private static boolean isNamed(ClusterState state, AllocationRow allocation, VolumeRequest request) {
        return request.isForHost()
                && ofHost(state, allocation, request)
                        .filter(told -> told.id().isEmpty())
                        .isPresent();
    }

    private static Optional<? extends Claimable> asked(
            ClusterState state, AllocationRow allocation, VolumeRequest request) {
        return request.isForHost()
                ? ofHost(state, allocation, request)
                        .map(HostVolume::id)
                        .map(HostVolumeRow::key)
                        .flatMap(key -> state.hostVolumes().find(key))
                        .filter(row -> isReady(state, row, allocation))
                : state.volume(volumeOf(allocation, request));
    }

    private static String absence(AllocationRow allocation, VolumeRequest request) {
        return request.isForHost()
                ? "its node has no host volume " + request.volumeFor(allocation.name()) + " any more"
                : Words.volume(volumeOf(allocation, request)) + " is not registered";
    }

    private static Optional<HostVolume> ofHost(ClusterState state, AllocationRow allocation, VolumeRequest request) {
        return state.node(allocation.nodeId())
                .map(node -> node.facts().hostVolumes().get(request.volumeFor(allocation.name())));
    }

    private static boolean isReady(ClusterState state, HostVolumeRow row, AllocationRow allocation) {
        return row.spec().namespace().equals(allocation.job().namespace())
                && row.state(state) == HostVolumeRow.State.READY;
    }

    static VolumeId volumeOf(AllocationRow allocation, VolumeRequest request) {
        return new VolumeId(allocation.job().namespace(), request.volumeFor(allocation.name()));
    }

    /**
     * Makes the claims of a new allocation, granted all together, or all waiting for allocations of its own job.
     *
     * @return why not; then nothing was made
     */
    static Optional<String> claim(Work work, TaskGroup group, AllocationRow allocation) {
        List<String> problems = new ArrayList<>();
        List<Wish> wishes = wishes(work.state(), group, allocation, problems);
        boolean all = true;
        Optional<BlockedBy> waits = Optional.empty();
        for (Wish wish : wishes) {
            switch (wish.fit()) {
                case Fit.Free _ -> {}
                case Fit.BehindOwn(ClaimRow holder) -> {
                    all = false;
                    waits = waits.or(() -> Optional.of(behind(work, wish.volume(), holder, allocation)));
                }
                case Fit.Held(ClaimRow holder, String why) ->
                    problems.add(Words.volume(work.state(), wish.volume().id())
                            + ": "
                            + why
                            + "; held by "
                            + Words.claim(work.state(), holder, work.now()));
                case Fit.Unusable(String why, String hint) ->
                    problems.add(Words.volume(work.state(), wish.volume().id()) + ": " + why + "; " + hint);
            }
        }
        if (!problems.isEmpty()) {
            return Optional.of(String.join("; ", problems));
        }
        for (Wish wish : wishes) {
            ClaimRow waiting = waiting(work, allocation, wish, waits.orElse(null));
            work.add(new Change.ClaimPut(
                    all && wish.fit() instanceof Fit.Free(VolumeModes modes)
                            ? granted(work, waiting, wish.volume(), modes)
                            : waiting));
        }
        return Optional.empty();
    }

    private static ClaimRow waiting(Work work, AllocationRow allocation, Wish wish, @Nullable BlockedBy reason) {
        return new ClaimRow(
                new ClaimId(allocation.id(), wish.alias()),
                wish.volume().id(),
                wish.volume().key(),
                allocation.nodeId(),
                wish.request().readOnly(),
                wish.request().modes(),
                wish.request().mountOptions(),
                "",
                0,
                ClaimState.WAITING,
                work.now(),
                reason,
                0,
                0);
    }

    private static ClaimRow granted(Work work, ClaimRow claim, Claimable volume, VolumeModes modes) {
        String boot = work.state()
                .node(claim.nodeId())
                .map(node -> node.facts().bootId())
                .orElse("");
        ClaimRow granted = claim.granted(
                modes, optionsOf(volume).overlaidBy(claim.mountOptions()), boot, work.version(), work.now());
        return granted.blockedBy(AttachProgress.of(work.state(), granted, work.now()));
    }

    private static MountOptions optionsOf(Claimable volume) {
        return volume instanceof VolumeRow row ? row.spec().mountOptions() : MountOptions.NONE;
    }

    private static BlockedBy behind(Work work, Claimable volume, ClaimRow holder, AllocationRow waits) {
        return HeldVolume.blockedBy(work.state(), volume.id(), holder, waits.job(), "it is granted", work.now());
    }

    /**
     * Begins the release of all claims of an allocation; a claim that only waited goes at once. One that is released
     * after its node's boot may have been mounted since: that boot proves nothing of it.
     */
    static void release(Work work, AllocationRow allocation) {
        for (ClaimRow claim : work.state().claims().ofAllocation(allocation.id())) {
            switch (claim.state()) {
                case WAITING -> work.add(new Change.ClaimRemoved(claim.id()));
                case GRANTED -> {
                    BlockedBy reason = unproved(work, claim, work.now());
                    String boot = work.state()
                            .node(claim.nodeId())
                            .map(node -> node.facts().bootId())
                            .orElse(claim.bootId());
                    work.add(new Change.ClaimPut(claim.onBoot(boot).releasing(reason, work.now())));
                }
                case RELEASING -> {}
            }
        }
    }

    /** What a release that is not proved yet waits for. */
    static BlockedBy unproved(Work work, ClaimRow claim, Instant since) {
        boolean heard = work.state()
                .node(claim.nodeId())
                .map(node -> node.status() == NodeStatus.READY)
                .orElse(false);
        return new BlockedBy(
                "release",
                Words.node(work.state(), claim.nodeId()),
                since,
                null,
                heard
                        ? "the node unmounts it and says so; then it is free"
                        : "it is free once the node is back and has unmounted it, or has booted"
                                + " anew; if the machine is off for good, an operator frees it with"
                                + " volume detach -abandon");
    }

    /** Frees released claims of which nothing is left, and hands their volumes on. */
    static void free(Work work, List<ClaimRow> proved) {
        Set<VolumeKey> freed = new TreeSet<>();
        for (ClaimRow claim : proved) {
            work.add(new Change.ClaimRemoved(claim.id()));
            freed.add(claim.key());
        }
        handOn(work, freed);
    }

    /** Grants those who wait for these volumes, oldest first; then wakes blocked evaluations. */
    static void handOn(Work work, Set<VolumeKey> freed) {
        for (VolumeKey key : freed) {
            if (!handOnSome(work, key)) {
                Remainders.leave(work, new Remainder.HandOn(key));
            }
        }
    }

    /** As {@link #handOn}, as far as there is room; false if some have not had their turn. */
    static boolean handOnSome(Work work, VolumeKey key) {
        for (ClaimRow claim : work.state().claims().of(key)) {
            if (claim.state() == ClaimState.WAITING) {
                if (!work.hasRoom()) {
                    return false;
                }
                tryGrant(work, claim.allocId());
            }
        }
        Wakes.volumes(work, Set.of(key));
        return true;
    }

    /** Grants all claims of an allocation if all are free now. */
    private static void tryGrant(Work work, String allocId) {
        List<ClaimRow> claims = work.state().claims().ofAllocation(allocId).stream()
                .filter(claim -> claim.state() == ClaimState.WAITING)
                .toList();
        Optional<AllocationRow> allocation = work.state().allocation(allocId);
        if (claims.isEmpty() || allocation.isEmpty() || allocation.get().isTerminal()) {
            return;
        }
        List<ClaimRow> grants = new ArrayList<>();
        for (ClaimRow claim : claims) {
            Optional<Claimable> volume = Claimable.find(work.state(), claim.volume());
            if (volume.isEmpty() || !volume.get().key().equals(claim.key())) {
                return;
            }
            Fit fit = Fit.of(
                    work.state(),
                    volume.get(),
                    claim.modes(),
                    claim.readOnly(),
                    claim.nodeId(),
                    allocation.get().job(),
                    allocId);
            switch (fit) {
                case Fit.Free(VolumeModes modes) -> grants.add(granted(work, claim, volume.get(), modes));
                case Fit.BehindOwn(ClaimRow holder) -> {
                    tell(work, claims, behind(work, volume.get(), holder, allocation.get()));
                    return;
                }
                case Fit.Held(ClaimRow holder, String why) -> {
                    tell(work, claims, behind(work, volume.get(), holder, allocation.get()));
                    return;
                }
                case Fit.Unusable _ -> {
                    return;
                }
            }
        }
        grants.forEach(grant -> work.add(new Change.ClaimPut(grant)));
    }

    /** The same reason keeps its time, another one has its own. */
    private static void tell(Work work, List<ClaimRow> claims, BlockedBy reason) {
        for (ClaimRow claim : claims) {
            BlockedBy old = claim.blockedBy();
            BlockedBy now = new BlockedBy(
                    reason.step(),
                    reason.holder(),
                    old != null && old.isSame(reason) ? old.since() : reason.since(),
                    reason.nextTry(),
                    reason.hint());
            if (!now.equals(old)) {
                work.add(new Change.ClaimPut(claim.blockedBy(now)));
            }
        }
    }

    /** All claims of this provider's volume that are in use, oldest first. */
    static List<ClaimRow> holders(ClusterState state, VolumeKey key) {
        return state.claims().of(key).stream().filter(ClaimRow::holds).toList();
    }
}
