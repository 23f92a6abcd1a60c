package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.base.TextRule;
import io.cleat.model.HostVolume;
import io.cleat.model.HostVolumeNames;
import io.cleat.model.JobSpec;
import io.cleat.model.TaskGroup;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeRequest;
import io.cleat.schedule.KeptVolume;
import io.cleat.server.commit.DecideContext;
import io.cleat.state.AllocationRow;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.HostVolumeRow;
import io.cleat.state.JobRow;
import io.cleat.state.StickyClaimRow;
import io.cleat.state.VolumeLabel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Notes which host volumes groups keep, and says whose a volume is. */
final class KeptVolumes {
    private KeptVolumes() {}

    /** Not every member keeps them yet. */
    static Optional<Refusal> tooEarly(DecideContext context, JobSpec spec) {
        boolean isSticky = spec.groups().stream()
                .flatMap(group -> group.volumes().values().stream())
                .anyMatch(VolumeRequest::isSticky);
        return isSticky && context.featureLevel() < Change.STICKY_LEVEL
                ? Optional.of(
                        new Refusal.Conflict("not every server reads sticky volumes yet: update all of them first"))
                : Optional.empty();
    }

    /**
     * A new allocation takes the volumes that its group keeps, or has it keep those of its node.
     *
     * @return why it cannot; then nothing was noted
     */
    static Optional<String> take(Work work, TaskGroup group, AllocationRow allocation) {
        for (VolumeRequest request : group.volumes().values()) {
            if (!request.isSticky()) {
                continue;
            }
            Optional<String> id = work.state()
                    .node(allocation.nodeId())
                    .map(node -> node.facts().hostVolumes().get(request.source()))
                    .map(HostVolume::id)
                    .filter(each -> !each.isEmpty());
            if (id.isEmpty()) {
                return Optional.of("its node has no host volume "
                        + request.source()
                        + " that was made for somebody, and only such are sticky");
            }
            Optional<String> problem = take(work, request, allocation, id.get());
            if (problem.isPresent()) {
                return problem;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> take(Work work, VolumeRequest request, AllocationRow allocation, String id) {
        ClusterState state = work.state();
        VolumeId volume = HostVolumeNames.volume(allocation.job().namespace(), id);
        Optional<StickyClaimRow> kept = KeptVolume.of(
                state,
                allocation.job(),
                allocation.group(),
                allocation.name(),
                allocation.isCanary(),
                request,
                alloc -> false);
        if (kept.isPresent() && !isEverywhere(state, allocation) && !isOf(kept.get(), volume)) {
            return Optional.of("allocations of its name keep the host volume "
                    + VolumeLabel.of(state, kept.get().volume()));
        }
        StickyClaimRow claim =
                state
                        .stickyClaims()
                        .of(allocation.job(), allocation.group(), allocation.name(), request.source())
                        .stream()
                        .filter(row -> isOf(row, volume) && row.isFree(state))
                        .findFirst()
                        .map(row -> row.usedBy(allocation.id()))
                        .orElseGet(() -> claim(work, request, allocation, volume));
        work.add(new Change.StickyClaimPut(claim));
        return Optional.empty();
    }

    /** One of a system job has the volume of its node, whatever the others of its name have. */
    private static boolean isEverywhere(ClusterState state, AllocationRow allocation) {
        return state.job(allocation.job())
                .map(JobRow::spec)
                .filter(spec -> spec.type().isOnEachNode())
                .isPresent();
    }

    private static boolean isOf(StickyClaimRow claim, VolumeId volume) {
        return claim.volume().equals(volume);
    }

    private static StickyClaimRow claim(Work work, VolumeRequest request, AllocationRow allocation, VolumeId volume) {
        // From the allocation's id, which is a fresh one: deciding again gives the same.
        String seed = "sticky/" + allocation.id() + "/" + request.alias();
        return new StickyClaimRow(
                UUID.nameUUIDFromBytes(seed.getBytes(StandardCharsets.UTF_8)).toString(),
                allocation.job(),
                allocation.group(),
                allocation.name(),
                volume,
                request.source(),
                allocation.id(),
                work.now(),
                0,
                0);
    }

    /**
     * An allocation is to stop. A canary that nobody has promoted gives its volume up: what it wrote there was a trial.
     * One of a system job has the volume of its node, as all there have.
     */
    static void giveUp(Work work, AllocationRow allocation) {
        ClusterState state = work.state();
        if (!state.deployments().isUnpromoted(allocation) || isEverywhere(state, allocation)) {
            return;
        }
        for (StickyClaimRow claim : state.stickyClaims().ofJob(allocation.job())) {
            if (claim.allocId().equals(allocation.id())) {
                work.add(new Change.StickyClaimRemoved(claim.id()));
            }
        }
    }

    /** Why a volume is not deleted that groups keep. */
    static Optional<Refusal> inUse(ClusterState state, HostVolumeRow row) {
        List<StickyClaimRow> claims = state.stickyClaims().ofVolume(row.id());
        if (claims.isEmpty()) {
            return Optional.empty();
        }
        StickyClaimRow first = claims.getFirst();
        return Optional.of(new Refusal.Conflict("volume "
                + VolumeLabel.of(state, row.id())
                + " is kept (sticky) by group "
                + TextRule.quoted(first.group())
                + " of job "
                + TextRule.quoted(first.job().id())
                + " with claim "
                + first.id()
                + (claims.size() > 1 ? ", and by " + (claims.size() - 1) + " more claims" : "")
                + "; purge the job, or: cleat volume claim delete "
                + first.id()));
    }
}
