package io.cleat.fuzz.targets;

import io.cleat.api.CsiVolume;
import io.cleat.api.CsiVolumeRequest;
import io.cleat.api.Json;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.fuzz.Filled;
import io.cleat.fuzz.JsonText;
import io.cleat.fuzz.Target;
import io.cleat.jobspec.Parsed;
import io.cleat.jobspec.VolumeFile;
import io.cleat.jobspec.hcl.RuntimeValues;
import io.cleat.jobspec.hcl.Source;
import io.cleat.jobspec.hcl.Variables;
import java.util.ArrayList;
import java.util.List;

/** The body of {@code PUT /v1/volumes} and of a volume's creation. */
final class VolumeJson implements Target {
    @Override
    public String name() {
        return "volume-json";
    }

    @Override
    public String about() {
        return "volumes as JSON: read, checked, converted, sent, read back";
    }

    @Override
    public List<byte[]> samples() throws Exception {
        List<byte[]> samples = new ArrayList<>();
        for (byte[] file : Samples.files("examples", ".volume.hcl")) {
            if (VolumeFile.parse(Source.of("example", Samples.text(file)), Variables.none(), RuntimeValues.real())
                    instanceof Parsed.Good<CsiVolume>(CsiVolume volume)) {
                samples.add(Json.write(new CsiVolumeRequest("default", false, "", List.of(volume))));
            }
        }
        samples.add(Samples.bytes(JsonText.of(Filled.of(CsiVolumeRequest.class))));
        return samples;
    }

    @Override
    public void run(byte[] input) throws Exception {
        List<CsiVolume> volumes = Json.read(input, CsiVolumeRequest.class).Volumes();
        for (CsiVolume volume : volumes == null ? List.<CsiVolume>of() : volumes) {
            if (volume == null) {
                // As the door does, or is to do: it is refused with its index.
                throw new Refused(new Refusal.Invalid("a volume is null"));
            }
            VolumeRoundTrip.go(volume);
        }
    }
}
