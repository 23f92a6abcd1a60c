package io.cleat.jobspec;

import io.cleat.api.Job;
import io.cleat.jobspec.hcl.Faults;
import io.cleat.jobspec.hcl.HclFile;
import io.cleat.jobspec.hcl.LiveBody;
import io.cleat.jobspec.hcl.RuntimeValues;
import io.cleat.jobspec.hcl.Source;
import io.cleat.jobspec.hcl.Variables;
import org.jspecify.annotations.Nullable;

/** Job files: HCL, or JSON as the API has it, with or without <code>{"Job": ...}</code> around. */
public final class JobFile {
    private static final Shape SHAPE = JobShapes.file();

    private JobFile() {}

    /**
     * Reads a job. Defaults are not filled in; what is not given is null, empty or 0 as the record says. Variables are
     * those of HCL; JSON has none.
     */
    public static Parsed<Job> parse(Source source, Variables variables, RuntimeValues runtime) {
        Faults faults = new Faults();
        Tree job = JsonTree.isJson(source) ? json(source, faults) : hcl(source, variables, runtime, faults);
        if (job instanceof Tree.Fields fields) {
            MountRule.check(fields, faults);
        }
        return Records.read(job, Job.class, faults);
    }

    private static @Nullable Tree hcl(Source source, Variables variables, RuntimeValues runtime, Faults faults) {
        LiveBody body = HclFile.read(source, variables, runtime, faults);
        Tree.Fields file = new Tree.Fields(source.span(0, 0));
        new Mapper(faults).body(SHAPE, body, source.span(0, 0), file);
        return file.get("Job");
    }

    private static @Nullable Tree json(Source source, Faults faults) {
        Tree tree = JsonTree.read(source, faults);
        if (!(tree instanceof Tree.Fields fields)) {
            return null;
        }
        Tree inner = fields;
        for (var field : fields.fields().entrySet()) {
            boolean wraps = field.getValue().value() instanceof Tree.Fields;
            if (wraps && field.getKey().equalsIgnoreCase("job")) {
                inner = field.getValue().value();
            }
        }
        return new RecordCheck(faults).check(inner, Job.class);
    }
}
