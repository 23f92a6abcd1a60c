package io.cleat.fuzz.targets;

import io.cleat.api.CsiVolume;
import io.cleat.fuzz.Target;
import io.cleat.jobspec.Parsed;
import io.cleat.jobspec.VolumeFile;
import io.cleat.jobspec.hcl.RuntimeValues;
import io.cleat.jobspec.hcl.Source;
import io.cleat.jobspec.hcl.Variables;
import java.util.List;

/** Volume files. */
final class VolumeHcl implements Target {
    @Override
    public String name() {
        return "volume-hcl";
    }

    @Override
    public String about() {
        return "volume files, and what is made of the volume";
    }

    @Override
    public List<byte[]> samples() throws Exception {
        return Samples.files("examples", ".volume.hcl");
    }

    @Override
    public List<String> words() {
        return List.of(
                "secrets { a = \"b\" }",
                "topology_request { required { topology { segments { a = \"b\" } } } }",
                "capacity_max = \"9999999999999TB\"",
                "capability { access_mode = \"x\" }",
                "mount_options { mount_flags = [null] }");
    }

    @Override
    public void run(byte[] input) throws Exception {
        Source source = Source.of("fuzz", Samples.text(input));
        if (VolumeFile.parse(source, Variables.none(), RuntimeValues.real())
                instanceof Parsed.Good<CsiVolume>(CsiVolume volume)) {
            VolumeRoundTrip.go(volume);
        }
    }
}
