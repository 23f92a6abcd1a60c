package io.cleat.jobspec.hcl;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What {@code var.x} and {@code local.x} stand for. */
interface Names {
    /** The value of {@code var.name}, or null when there is no such variable. */
    @Nullable
    Value variable(String name, Span at, Evaluator evaluator);

    /** The value of {@code local.name}, or null when there is no such local. */
    @Nullable
    Value local(String name, Span at, Evaluator evaluator);

    Set<String> variables();

    Set<String> locals();
}
