package io.cleat.http;

import io.cleat.api.Answer;
import io.cleat.api.AnswerMeta;
import io.cleat.api.CsiSnapshotRequest;
import io.cleat.api.CsiSnapshotResponse;
import io.cleat.api.CsiVolume;
import io.cleat.api.CsiVolumeRequest;
import io.cleat.api.CsiVolumeResponse;
import io.cleat.api.CsiVolumeStub;
import io.cleat.api.ExternalVolumeResponse;
import io.cleat.api.Rows;
import io.cleat.api.VolumeOperation;
import io.cleat.api.VolumeOperationCancelResponse;
import io.cleat.api.VolumeWhy;
import io.cleat.base.Refused;
import io.cleat.base.Secrets;
import io.cleat.base.Trouble;
import java.util.List;
import java.util.Optional;

/** Volumes. Answers never hold secrets or mount flags. */
public interface VolumesApi {
    /**
     * Volumes in the order of namespace and id; the token of one is {@code namespace.id}. The
     * filter looks at the {@link CsiVolume}.
     *
     * @param pluginId only those of this plugin; empty for all
     * @param nodeId only those that allocations on this node use; empty for all
     */
    Answer<Rows<CsiVolumeStub>> list(ListQuery query, String pluginId, String nodeId)
            throws Refused, Trouble, InterruptedException;

    Answer<Optional<CsiVolume>> get(ReadQuery query, String id)
            throws Refused, Trouble, InterruptedException;

    /** Why the volume is as it is. */
    Answer<Optional<VolumeWhy>> why(ReadQuery query, String id)
            throws Refused, Trouble, InterruptedException;

    /**
     * The plugins' calls about volumes and snapshots that are not settled; those that attach and
     * detach are told by the claims that wait for them.
     *
     * @param about the id of a volume or snapshot; empty for all
     */
    Answer<List<VolumeOperation>> operations(ReadQuery query, String about)
            throws Refused, Trouble, InterruptedException;

    /** Has a call undone that makes or deletes a volume or a snapshot. */
    Answer<VolumeOperationCancelResponse> cancel(WriteQuery query, String operationId)
            throws Refused, Trouble, InterruptedException;

    /** Registers volumes that exist at their plugin, or changes registered ones. */
    Answer<CsiVolumeResponse> register(WriteQuery query, CsiVolumeRequest request)
            throws Refused, Trouble, InterruptedException;

    /** Creates volumes at their plugin and registers them; one that is registered is changed. */
    Answer<CsiVolumeResponse> create(WriteQuery query, CsiVolumeRequest request)
            throws Refused, Trouble, InterruptedException;

    /**
     * Forgets a volume; its plugin is not called.
     *
     * @param force though claims of ended allocations remain
     */
    AnswerMeta deregister(WriteQuery query, String id, boolean force)
            throws Refused, Trouble, InterruptedException;

    /**
     * Deletes a volume at its plugin and forgets it.
     *
     * @param secrets laid over the stored ones
     */
    AnswerMeta delete(WriteQuery query, String id, Secrets secrets)
            throws Refused, Trouble, InterruptedException;

    /**
     * Releases what ended allocations on a node still hold of a volume.
     *
     * @param abandon gives up a release whose outcome stays unknown: the operator vouches for it
     * @param machineIsOff name or id of the node whose machine the operator says is off; empty for
     *     no such word
     */
    AnswerMeta detach(
            WriteQuery query, String id, String nodeId, boolean abandon, String machineIsOff)
            throws Refused, Trouble, InterruptedException;

    /** Has plugins make snapshots; each has an outcome of its own. */
    Answer<CsiSnapshotResponse> createSnapshots(WriteQuery query, CsiSnapshotRequest request)
            throws Refused, Trouble, InterruptedException;

    /** Has a plugin delete a snapshot. */
    AnswerMeta deleteSnapshot(WriteQuery query, String pluginId, String snapshotId, Secrets secrets)
            throws Refused, Trouble, InterruptedException;

    /**
     * The plugin's own list of its snapshots.
     *
     * @param nextToken the plugin's own token; empty for the first page
     */
    CsiSnapshotResponse snapshots(
            ReadQuery query, String pluginId, int perPage, String nextToken, Secrets secrets)
            throws Refused, Trouble, InterruptedException;

    /**
     * The plugin's own list.
     *
     * @param nextToken the plugin's own token; empty for the first page
     */
    ExternalVolumeResponse external(ReadQuery query, String pluginId, int perPage, String nextToken)
            throws Refused, Trouble, InterruptedException;
}
