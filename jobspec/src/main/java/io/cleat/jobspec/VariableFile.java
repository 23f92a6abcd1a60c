package io.cleat.jobspec;

import io.cleat.api.Variable;
import io.cleat.jobspec.Shape.Repeat;
import io.cleat.jobspec.hcl.RuntimeValues;
import io.cleat.jobspec.hcl.Source;
import io.cleat.jobspec.hcl.Variables;

/**
 * Files of variables of the cluster: HCL; JSON with the names of the HCL; or JSON as the API has it. Faults never show
 * a line of one.
 */
public final class VariableFile {
    private static final Shape SHAPE = Shape.of("variable specification")
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

    public static Parsed<Variable> parse(Source source, RuntimeValues runtime) {
        source.hide(0, source.text().length());
        return new RecordFile<>(SHAPE, Variable.class).parse(source, Variables.none(), runtime);
    }
}
