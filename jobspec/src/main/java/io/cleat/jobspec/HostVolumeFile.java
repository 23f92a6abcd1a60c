package io.cleat.jobspec;

import io.cleat.api.HostVolume;
import io.cleat.jobspec.hcl.Convert;
import io.cleat.jobspec.hcl.Faults;
import io.cleat.jobspec.hcl.HclFile;
import io.cleat.jobspec.hcl.LiveBody;
import io.cleat.jobspec.hcl.Misuse;
import io.cleat.jobspec.hcl.RuntimeValues;
import io.cleat.jobspec.hcl.Source;
import io.cleat.jobspec.hcl.Value;
import io.cleat.jobspec.hcl.Variables;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Files of host volumes: HCL, or JSON with the names of the HCL. */
public final class HostVolumeFile {
    private static final Shape SHAPE =
            VolumeShapes.host().with("type", "Type", Kind.text()).required("type");

    private HostVolumeFile() {}

    /** Whether the file says that it is of a host volume; what else it says may be wrong. */
    public static boolean isOne(Source source, Variables variables, RuntimeValues runtime) {
        Faults unheard = new Faults();
        return type(source, variables, runtime, unheard)
                .map(type -> type.toLowerCase(Locale.ROOT).equals("host"))
                .orElse(false);
    }

    private static Optional<String> type(Source source, Variables variables, RuntimeValues runtime, Faults faults) {
        Value value;
        if (JsonTree.isJson(source)) {
            Tree type = JsonTree.read(source, faults) instanceof Tree.Fields fields ? fields.get("type") : null;
            value = type == null ? null : NamedTree.value(type);
        } else {
            LiveBody.LiveAttribute type = HclFile.read(source, variables, runtime, faults)
                    .attributes()
                    .get("type");
            value = type == null ? null : type.value();
        }
        try {
            return value == null || value.isBroken() ? Optional.empty() : Optional.of(Convert.text(value));
        } catch (Misuse noText) {
            return Optional.empty();
        }
    }

    /** Reads one of which {@link #isOne} is true. */
    public static Parsed<HostVolume> parse(Source source, Variables variables, RuntimeValues runtime) {
        Faults faults = new Faults();
        Tree.@Nullable Fields volume =
                JsonTree.isJson(source) ? json(source, faults) : hcl(source, variables, runtime, faults);
        if (volume != null) {
            volume.fields().remove("Type");
        }
        return Records.read(volume, HostVolume.class, faults);
    }

    private static Tree.Fields hcl(Source source, Variables variables, RuntimeValues runtime, Faults faults) {
        LiveBody body = HclFile.read(source, variables, runtime, faults);
        Tree.Fields volume = new Tree.Fields(source.span(0, 0));
        new Mapper(faults).body(SHAPE, body, source.span(0, 0), volume);
        return volume;
    }

    private static Tree.@Nullable Fields json(Source source, Faults faults) {
        return JsonTree.read(source, faults) instanceof Tree.Fields fields
                ? new NamedTree(faults).rename(SHAPE, fields)
                : null;
    }
}
