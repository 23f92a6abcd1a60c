package io.cleat.jobspec;

import io.cleat.api.CsiVolume;
import io.cleat.jobspec.hcl.Convert;
import io.cleat.jobspec.hcl.Faults;
import io.cleat.jobspec.hcl.HclFile;
import io.cleat.jobspec.hcl.LiveBody;
import io.cleat.jobspec.hcl.LiveBody.LiveAttribute;
import io.cleat.jobspec.hcl.Misuse;
import io.cleat.jobspec.hcl.RuntimeValues;
import io.cleat.jobspec.hcl.Source;
import io.cleat.jobspec.hcl.Span;
import io.cleat.jobspec.hcl.Value;
import io.cleat.jobspec.hcl.Variables;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Volume files: HCL; JSON with the names of the HCL; or JSON as the API has it, with or without <code>
 * {"Volumes": [...]}</code> around.
 */
public final class VolumeFile {
    private static final Shape SHAPE =
            VolumeShapes.csi().with("type", "Type", Kind.text()).required("type");

    private VolumeFile() {}

    /** Reads a CSI volume. Faults never show what stands under {@code secrets}. */
    public static Parsed<CsiVolume> parse(Source source, Variables variables, RuntimeValues runtime) {
        Faults faults = new Faults();
        Tree volume = JsonTree.isJson(source) ? json(source, faults) : hcl(source, variables, runtime, faults);
        return Records.read(volume, CsiVolume.class, faults);
    }

    private static @Nullable Tree hcl(Source source, Variables variables, RuntimeValues runtime, Faults faults) {
        LiveBody body = HclFile.read(source, variables, runtime, faults);
        LiveAttribute type = body.attributes().get("type");
        if (type != null && !isCsi(type.value(), type.at(), faults)) {
            return null;
        }
        Tree.Fields volume = new Tree.Fields(source.span(0, 0));
        new Mapper(faults).body(SHAPE, body, source.span(0, 0), volume);
        volume.fields().remove("Type");
        return volume;
    }

    /** Of another type, the names in the file mean something else. */
    private static boolean isCsi(Value type, Span at, Faults faults) {
        if (type.isBroken()) {
            return true;
        }
        String detail;
        try {
            String given = Convert.text(type).toLowerCase(Locale.ROOT);
            if (given.equals("csi")) {
                return true;
            }
            detail = "Expected \"csi\", given \"" + given + "\".";
        } catch (Misuse e) {
            detail = e.detail();
        }
        faults.add(at, "Invalid value for \"type\"", detail);
        return false;
    }

    private static @Nullable Tree json(Source source, Faults faults) {
        Tree tree = JsonTree.read(source, faults);
        if (!(tree instanceof Tree.Fields fields)) {
            return null;
        }
        if (fields.fields().keySet().stream().anyMatch(SHAPE.names()::contains)) {
            Tree type = fields.get("type");
            if (type != null && !isCsi(NamedTree.value(type), type.at(), faults)) {
                return null;
            }
            Tree.Fields volume = new NamedTree(faults).rename(SHAPE, fields);
            volume.fields().remove("Type");
            return volume;
        }
        Tree inner = fields;
        if (fields.get("Volumes") instanceof Tree.Many(List<Tree> volumes, Span at)) {
            if (volumes.size() != 1) {
                faults.add(at, "Invalid value for \"Volumes\"", "Expected one volume, given " + volumes.size() + ".");
                return null;
            }
            inner = volumes.getFirst();
        }
        return new RecordCheck(faults).check(inner, CsiVolume.class);
    }
}
