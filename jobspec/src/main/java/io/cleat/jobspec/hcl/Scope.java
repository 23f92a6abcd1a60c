package io.cleat.jobspec.hcl;

import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The names that loops and dynamic blocks have given to values, the innermost first. */
final class Scope {
    /** No names at all. */
    static final Scope EMPTY = new Scope(null, "", new Value.Null());

    private final @Nullable Scope outer;
    private final String name;
    private final Value value;

    private Scope(@Nullable Scope outer, String name, Value value) {
        this.outer = outer;
        this.name = name;
        this.value = value;
    }

    Scope with(String more, Value of) {
        return new Scope(this, more, of);
    }

    @Nullable
    Value find(String wanted) {
        for (Scope scope = this; scope.outer != null; scope = scope.outer) {
            if (scope.name.equals(wanted)) {
                return scope.value;
            }
        }
        return null;
    }

    Set<String> names() {
        Set<String> names = new TreeSet<>();
        for (Scope scope = this; scope.outer != null; scope = scope.outer) {
            names.add(scope.name);
        }
        return names;
    }
}
