package io.cleat.fuzz.targets;

import io.cleat.api.CsiVolume;
import io.cleat.api.Json;
import io.cleat.api.VolumeConversion;
import io.cleat.codec.RecordCodec;
import io.cleat.model.VolumeSpec;

/** The road of a volume from the door, and over a connection that carries its secrets. */
final class VolumeRoundTrip {
    private static final RecordCodec<VolumeSpec> SENT = RecordCodec.sent("fuzz", 1, VolumeSpec.class);

    private VolumeRoundTrip() {}

    static void go(CsiVolume volume) throws Exception {
        Json.write(volume);
        VolumeSpec spec = VolumeConversion.toSpec(volume, "default");
        VolumeSpec again = SENT.decode(SENT.encode(spec));
        if (!again.equals(spec)) {
            throw new AssertionError("a volume is sent and reads back as another: " + again);
        }
    }
}
