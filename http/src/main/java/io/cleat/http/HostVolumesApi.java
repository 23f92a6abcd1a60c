package io.cleat.http;

import io.cleat.api.Answer;
import io.cleat.api.AnswerMeta;
import io.cleat.api.HostVolume;
import io.cleat.api.HostVolumeClaim;
import io.cleat.api.HostVolumeDeleteResponse;
import io.cleat.api.HostVolumeRequest;
import io.cleat.api.HostVolumeResponse;
import io.cleat.api.HostVolumeStub;
import io.cleat.api.Rows;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import java.util.Optional;

/** Host volumes that nodes make. */
public interface HostVolumesApi {
    /**
     * Those whose name or id begins with the prefix.
     *
     * @param nodeId where they are; empty for any
     * @param nodePool of that node; empty for any
     */
    Answer<Rows<HostVolumeStub>> list(ListQuery query, String nodeId, String nodePool)
            throws Refused, Trouble, InterruptedException;

    Answer<Optional<HostVolume>> get(ReadQuery query, String id)
            throws Refused, Trouble, InterruptedException;

    /** Has a node make one; with an id, changes a known one. */
    Answer<HostVolumeResponse> create(WriteQuery query, HostVolumeRequest request)
            throws Refused, Trouble, InterruptedException;

    /** Takes in a directory that a node has; with an id, changes a known one. */
    Answer<HostVolumeResponse> register(WriteQuery query, HostVolumeRequest request)
            throws Refused, Trouble, InterruptedException;

    /**
     * @param force forgets one whose node is not known any more
     */
    Answer<HostVolumeDeleteResponse> delete(WriteQuery query, String id, boolean force)
            throws Refused, Trouble, InterruptedException;

    /**
     * Which of them task groups keep: claims whose id begins with the prefix.
     *
     * @param jobId empty for any
     * @param taskGroup empty for any
     * @param volumeName empty for any
     */
    Answer<Rows<HostVolumeClaim>> claims(
            ListQuery query, String jobId, String taskGroup, String volumeName)
            throws Refused, Trouble, InterruptedException;

    /** Lets a group have another one. */
    AnswerMeta deleteClaim(WriteQuery query, String id)
            throws Refused, Trouble, InterruptedException;
}
