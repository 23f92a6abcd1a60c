package io.cleat.agent.template;

import io.cleat.base.Ordered;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * What a task's templates are rendered with.
 *
 * @param variables the environment of the task, without what templates add to it
 * @param expand replaces each <code>${..}</code> in a path
 * @param nomad the variables of the cluster that the task may read
 * @param services of its namespace
 */
public record TemplateInput(
        Map<String, String> variables, UnaryOperator<String> expand, TaskVariables nomad, TaskServices services) {
    public TemplateInput {
        variables = Ordered.copyOf(variables);
    }

    /** For a task that may read nothing of the cluster. */
    public TemplateInput(Map<String, String> variables, UnaryOperator<String> expand) {
        this(variables, expand, TaskVariables.NONE, TaskServices.NONE);
    }
}
