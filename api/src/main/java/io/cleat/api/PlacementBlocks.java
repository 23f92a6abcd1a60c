package io.cleat.api;

import static io.cleat.api.JobField.blocks;
import static io.cleat.api.JobField.label;
import static io.cleat.api.JobField.number;
import static io.cleat.api.JobField.text;

/** Blocks of a job that say on which nodes it may be, or had better be. */
public final class PlacementBlocks {
    private static final String OPERATOR = "=";
    private static final int WEIGHT = 50;

    public static final JobBlock<Constraint, io.cleat.model.Constraint> CONSTRAINT = JobBlock.of(
                    "constraint", Constraint.class, io.cleat.model.Constraint.class)
            .fields(
                    text("LTarget").inFile("attribute").inModel("left"),
                    text("Operand").inFile("operator").usually(OPERATOR),
                    text("RTarget").inFile("value").inModel("right"))
            .done();

    static final JobBlock<Affinity, io.cleat.model.Affinity> AFFINITY = JobBlock.of(
                    "affinity", Affinity.class, io.cleat.model.Affinity.class)
            .fields(
                    text("LTarget").inFile("attribute").notInModel(),
                    text("Operand").inFile("operator").notInModel().usually(OPERATOR),
                    text("RTarget").inFile("value").notInModel(),
                    number("Weight")
                            .usually(WEIGHT)
                            .between(-100, 100, "Affinity weight must be within the range [-100,100], got %s"))
            .taken(
                    "condition",
                    given -> new io.cleat.model.Constraint(given.LTarget(), given.Operand(), given.RTarget()))
            .shown("LTarget", affinity -> affinity.condition().left())
            .shown("Operand", affinity -> affinity.condition().operand())
            .shown("RTarget", affinity -> affinity.condition().right())
            .done();

    private static final JobBlock<SpreadTarget, io.cleat.model.Spread.Target> TARGET = JobBlock.of(
                    "target", SpreadTarget.class, io.cleat.model.Spread.Target.class)
            .fields(label("Value"), number("Percent"))
            .done();

    static final JobBlock<Spread, io.cleat.model.Spread> SPREAD = JobBlock.of(
                    "spread", Spread.class, io.cleat.model.Spread.class)
            .fields(
                    text("Attribute").needed("Missing spread attribute"),
                    number("Weight")
                            .usually(WEIGHT)
                            .between(1, 100, "Spread block must have a positive weight from 1 to 100, got %s"),
                    blocks("SpreadTarget", TARGET).inModel("targets"))
            .done();

    private PlacementBlocks() {}
}
