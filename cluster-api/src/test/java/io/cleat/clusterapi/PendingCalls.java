package io.cleat.clusterapi;

import io.cleat.model.BlockedBy;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeSpec;
import io.cleat.state.Change;
import io.cleat.state.Encrypted;
import io.cleat.state.OperationCall;
import io.cleat.state.OperationPast;
import io.cleat.state.OperationRow;
import io.cleat.state.OperationState;
import java.util.Map;

/** Calls of plugins that are not settled. */
public final class PendingCalls {
    private PendingCalls() {}

    /** Of the volume {@code v9}, which is not registered. */
    public static Change creating(SampleCluster sample, OperationState state) {
        VolumeSpec made =
                sample.state().volume(SampleCluster.VOLUME).orElseThrow().spec();
        VolumeSpec spec = new VolumeSpec(
                new VolumeId("default", "v9"),
                "v9",
                "",
                "hp",
                made.capabilities(),
                made.mountOptions(),
                0,
                0,
                Map.of(),
                Map.of(),
                made.topologies(),
                "",
                "");
        return operation("op-1", new OperationCall.Create(spec, Encrypted.NONE), state);
    }

    public static Change operation(String id, OperationCall call, OperationState state) {
        return new Change.OperationPut(new OperationRow(
                id,
                "hp",
                SampleCluster.NODE,
                "p",
                1,
                call,
                state,
                true,
                null,
                4,
                null,
                SampleCluster.AT,
                new BlockedBy("call", "plugin hp (Internal: no)", SampleCluster.AT, null, "made again"),
                OperationPast.NONE,
                0,
                0));
    }
}
