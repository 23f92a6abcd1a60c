package io.cleat.jobspec;

import io.cleat.api.Variable;
import io.cleat.jobspec.Shape.Repeat;
import io.cleat.jobspec.hcl.Faults;
import io.cleat.jobspec.hcl.HclFile;
import io.cleat.jobspec.hcl.LiveBody;
import io.cleat.jobspec.hcl.Source;
import io.cleat.jobspec.hcl.Variables;
import io.cleat.jobspec.hcl.World;
import org.jspecify.annotations.Nullable;

/**
 * Files of variables of the cluster: HCL; JSON with the names of the HCL; or JSON as the API has
 * it. Faults never show a line of one.
 */
public final class VariableFile {
    private static final Shape SHAPE =
            Shape.of("variable specification")
                    .text("namespace", "Namespace")
                    .text("path", "Path")
                    .with("create_index", "CreateIndex", Kind.any())
                    .with("modify_index", "ModifyIndex", Kind.any())
                    .with("create_time", "CreateTime", Kind.any())
                    .with("modify_time", "ModifyTime", Kind.any())
                    .map("items", "Items")
                    .block("lock", "Lock", Repeat.ONCE, lock());

    private VariableFile() {}

    private static Shape lock() {
        return Shape.of("lock").text("id", "ID").text("ttl", "TTL").text("lock_delay", "LockDelay");
    }

    public static Parsed<Variable> parse(Source source, World world) {
        source.hide(0, source.text().length());
        Faults faults = new Faults();
        Tree variable = JsonTree.isJson(source) ? json(source, faults) : hcl(source, world, faults);
        return Records.read(variable, Variable.class, faults);
    }

    private static Tree hcl(Source source, World world, Faults faults) {
        LiveBody body = HclFile.read(source, Variables.none(), world, faults);
        Tree.Fields variable = new Tree.Fields(source.span(0, 0));
        new Mapper(faults).body(SHAPE, body, source.span(0, 0), variable);
        return variable;
    }

    private static @Nullable Tree json(Source source, Faults faults) {
        Tree tree = JsonTree.read(source, faults);
        if (!(tree instanceof Tree.Fields fields)) {
            return null;
        }
        return fields.fields().keySet().stream().anyMatch(SHAPE.names()::contains)
                ? new NamedTree(faults).rename(SHAPE, fields)
                : new RecordCheck(faults).check(fields, Variable.class);
    }
}
