package io.cleat.agent.template;

import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * What a task's templates are rendered with.
 *
 * @param variables the environment of the task, without what templates add to it
 * @param expand replaces each <code>${..}</code> in a path
 */
public record TemplateInput(Map<String, String> variables, UnaryOperator<String> expand) {
    public TemplateInput {
        variables = Map.copyOf(variables);
    }
}
