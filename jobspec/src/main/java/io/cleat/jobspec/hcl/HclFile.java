package io.cleat.jobspec.hcl;

import io.cleat.jobspec.hcl.Body.Block;
import java.util.ArrayList;
import java.util.List;

/** A file in the language: its variables and locals apart, the rest as a live body. */
public final class HclFile {
    private final Body rest;
    private final Declarations declarations = new Declarations();
    private final Evaluator evaluator;

    private HclFile(Source source, Variables given, RuntimeValues runtime, Faults faults) {
        Body body = BodyParser.parse(source, faults);
        this.evaluator = new Evaluator(declarations, new Functions(runtime), faults);
        VariableValues values = new VariableValues(given, faults);
        VariableBlocks variables = new VariableBlocks(evaluator, declarations, values);
        List<Block> others = new ArrayList<>();
        for (Block block : body.blocks()) {
            switch (block.type()) {
                case "variable" -> variables.add(block);
                case "variables" -> variables.addAll(block);
                case "locals" -> declarations.addLocals(block, evaluator);
                default -> others.add(block);
            }
        }
        this.rest = new Body(body.attributes(), others, body.broken());
        declarations.computeAll(evaluator);
        variables.validate();
        if (!body.broken()) {
            values.checkAllTaken();
        }
    }

    /**
     * Reads a file. Its variables and locals are computed at once, the rest when asked for.
     *
     * @param faults takes all that is wrong, now and later
     */
    public static LiveBody read(Source source, Variables given, RuntimeValues runtime, Faults faults) {
        HclFile file = new HclFile(source, given, runtime, faults);
        return new LiveBody(file.rest, Scope.EMPTY, file.evaluator);
    }
}
