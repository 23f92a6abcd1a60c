package io.cleat.jobspec;

import io.cleat.jobspec.hcl.Faults;
import io.cleat.jobspec.hcl.HclFile;
import io.cleat.jobspec.hcl.LiveBody;
import io.cleat.jobspec.hcl.RuntimeValues;
import io.cleat.jobspec.hcl.Source;
import io.cleat.jobspec.hcl.Variables;
import org.jspecify.annotations.Nullable;

/** A file that is one record: in HCL; in JSON with the names of the HCL; or in JSON as the API has it. */
record RecordFile<R>(Shape shape, Class<R> type) {
    Parsed<R> parse(Source source, Variables variables, RuntimeValues runtime) {
        Faults faults = new Faults();
        Tree read = JsonTree.isJson(source) ? json(source, faults) : hcl(source, variables, runtime, faults);
        return Records.read(read, type, faults);
    }

    private Tree hcl(Source source, Variables variables, RuntimeValues runtime, Faults faults) {
        LiveBody body = HclFile.read(source, variables, runtime, faults);
        Tree.Fields read = new Tree.Fields(source.span(0, 0));
        new Mapper(faults).body(shape, body, source.span(0, 0), read);
        return read;
    }

    private @Nullable Tree json(Source source, Faults faults) {
        Tree tree = JsonTree.read(source, faults);
        if (!(tree instanceof Tree.Fields fields)) {
            return null;
        }
        return fields.fields().keySet().stream().anyMatch(shape.names()::contains)
                ? new NamedTree(faults).rename(shape, fields)
                : new RecordCheck(faults).check(fields, type);
    }
}
