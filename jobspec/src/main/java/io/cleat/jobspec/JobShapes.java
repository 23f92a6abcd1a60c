package io.cleat.jobspec;

import io.cleat.api.JobBlock;
import io.cleat.api.JobBlocks;
import io.cleat.jobspec.Shape.Repeat;
import io.cleat.jobspec.hcl.Faults;
import io.cleat.jobspec.hcl.Span;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** The blocks of a job file. */
final class JobShapes {
    private static final String[] SHORTCUTS = {
        "version",
        "semver",
        "regexp",
        "set_contains",
        "set_contains_all",
        "set_contains_any",
        "distinct_property",
        "distinct_hosts"
    };

    /** Marks a field that is folded into another. */
    private static final String SHORTCUT = "shortcut ";

    /** The field {@code id} of a job, which stands in the place of the block's label. */
    private static final String GIVEN_ID = SHORTCUT + "id";

    private JobShapes() {}

    static Shape file() {
        return Shape.of("job file")
                .block("job", "Job", Repeat.ONCE, shape(JobBlocks.JOB))
                .required("job");
    }

    /** The block as files have it, which is how it is on the wire but for what is written shorter. */
    static Shape shape(JobBlock<?, ?> block) {
        Shape shape = Shape.of(block, JobShapes::shape);
        return switch (block.name()) {
            case "job" -> shape.text("id", GIVEN_ID).finish((fields, _, _) -> nameIsId(fields));
            case "network" -> shape.finish((fields, at, _) -> partPorts(fields, at));
            case "constraint", "affinity" -> withShortcuts(shape).finish(JobShapes::target);
            default -> shape;
        };
    }

    /** The label is the name, and the id where no other is given. */
    private static void nameIsId(Tree.Fields job) {
        Tree.Field given = job.fields().remove(GIVEN_ID);
        Tree.Field id = job.fields().get("ID");
        if (id != null && job.get("Name") == null) {
            job.put("Name", id.nameAt(), id.value());
        }
        if (given != null) {
            job.put("ID", given.nameAt(), given.value());
        }
    }

    /** Ports with a fixed number are a list of their own. */
    private static void partPorts(Tree.Fields network, Span at) {
        if (!(network.get("DynamicPorts") instanceof Tree.Many(List<Tree> ports, var _))) {
            return;
        }
        List<Tree> fixed = new ArrayList<>();
        for (Tree port : ports) {
            boolean isFixed = port instanceof Tree.Fields fields
                    && fields.get("Value") instanceof Tree.Scalar(Object value, var _)
                    && value instanceof BigDecimal number
                    && number.signum() != 0;
            if (isFixed) {
                fixed.add(port);
            }
        }
        if (!fixed.isEmpty()) {
            ports.removeAll(fixed);
            network.put("ReservedPorts", at, new Tree.Many(fixed, at));
        }
    }

    private static Shape withShortcuts(Shape shape) {
        for (String shortcut : SHORTCUTS) {
            shape.text(shortcut, SHORTCUT + shortcut);
        }
        return shape;
    }

    /** {@code version = "x"} stands for an operator with its value. */
    private static void target(Tree.Fields fields, Span at, Faults faults) {
        for (String shortcut : SHORTCUTS) {
            Tree.Field given = fields.fields().remove(SHORTCUT + shortcut);
            if (given == null) {
                continue;
            }
            if (fields.get("Operand") != null) {
                faults.add(
                        given.nameAt(),
                        "Two operators",
                        "\""
                                + shortcut
                                + "\" is an operator of its own; take the other one out, or write a second block.");
            }
            fields.put("Operand", given.nameAt(), new Tree.Scalar(shortcut, given.nameAt()));
            boolean isProperty = shortcut.equals("distinct_property");
            fields.put(isProperty ? "LTarget" : "RTarget", given.nameAt(), given.value());
        }
        if (fields.get("Operand") == null) {
            fields.put("Operand", at, new Tree.Scalar("=", at));
        }
    }
}
