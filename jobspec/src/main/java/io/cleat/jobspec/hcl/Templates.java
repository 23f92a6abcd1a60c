package io.cleat.jobspec.hcl;

import io.cleat.jobspec.hcl.Expr.Part;
import io.cleat.jobspec.hcl.Value.Broken;
import java.util.List;
import java.util.Optional;

/** The text of one template. */
final class Templates {
    private final Evaluator evaluator;
    private final StringBuilder out = new StringBuilder();
    private boolean broken;

    Templates(Evaluator evaluator) {
        this.evaluator = evaluator;
    }

    Value text(Expr.Template template, Scope scope) {
        parts(template.parts(), scope, template.at());
        return broken ? new Broken() : Value.of(out.toString());
    }

    private void parts(List<Part> parts, Scope scope, Span at) {
        for (Part part : parts) {
            switch (part) {
                case Part.Text(String text) -> append(text, at);
                case Part.Hole(Expr of) -> hole(of, scope);
                case Part.If(Expr condition, List<Part> yes, List<Part> no) -> {
                    Optional<Boolean> holds = evaluator.condition(condition, scope);
                    broken |= holds.isEmpty();
                    holds.ifPresent(h -> parts(h ? yes : no, scope, at));
                }
                case Part.For(Expr.Loop loop, List<Part> each, Span loopAt) -> {
                    Optional<List<Scope>> scopes = evaluator.loops().scopes(loop, scope);
                    broken |= scopes.isEmpty();
                    for (Scope inner : scopes.orElse(List.of())) {
                        if (!evaluator.spend(1, loopAt)) {
                            broken = true;
                            return;
                        }
                        parts(each, inner, loopAt);
                    }
                }
            }
        }
    }

    private void hole(Expr of, Scope scope) {
        Value value = evaluator.hole(of, scope);
        if (value.isBroken()) {
            broken = true;
            return;
        }
        try {
            append(Convert.text(value), of.at());
        } catch (Misuse e) {
            evaluator.fault(of.at(), "Invalid template", e.detail());
            broken = true;
        }
    }

    private void append(String text, Span at) {
        if (broken || !evaluator.spend(text.length() / Limits.TEXT_PER_STEP, at)) {
            broken = true;
        } else if (out.length() + text.length() > Limits.TEXT) {
            evaluator.fault(at, "Text too long", "A string may have " + Limits.TEXT + " characters.");
            broken = true;
        } else {
            out.append(text);
        }
    }
}
