package io.cleat.state;

import io.cleat.model.JobId;
import io.cleat.model.TaskGroup;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeRequest;
import java.time.Instant;

/**
 * A group keeps a host volume: allocations of one name come back to it. It excludes nobody from the volume; that is
 * what a {@link ClaimRow} is for, which lasts as long as its allocation.
 *
 * @param id a UUID
 * @param allocName such as {@code web.g[1]}: whose volume it is
 * @param volume as claims name it
 * @param volumeName by which the group asks for it
 * @param allocId the allocation that uses it, or was the last to
 */
public record StickyClaimRow(
        String id,
        JobId job,
        String group,
        String allocName,
        VolumeId volume,
        String volumeName,
        String allocId,
        Instant createdAt,
        long createVersion,
        long modifyVersion)
        implements Row<StickyClaimRow> {
    /** The same, used by another allocation. */
    public StickyClaimRow usedBy(String otherAllocId) {
        return new StickyClaimRow(
                id, job, group, allocName, volume, volumeName, otherAllocId, createdAt, createVersion, modifyVersion);
    }

    /** Whether a group of its job, as it is now, keeps volumes of that name. */
    boolean isWantedBy(TaskGroup now) {
        return now.name().equals(group)
                && now.volumes().values().stream()
                        .filter(VolumeRequest::isSticky)
                        .anyMatch(request -> request.source().equals(volumeName));
    }

    /** Whether nobody uses the volume by it any more, and the next of its name comes back to it. */
    public boolean isFree(ClusterState state) {
        return state.allocation(allocId).filter(row -> !row.isTerminal()).isEmpty();
    }

    @Override
    public StickyClaimRow stamped(long newCreate, long newModify) {
        return new StickyClaimRow(
                id, job, group, allocName, volume, volumeName, allocId, createdAt, newCreate, newModify);
    }
}
