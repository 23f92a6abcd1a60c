package io.cleat.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Of which jobs to say how they are.
 *
 * @param IncludeChildren also of copies that other jobs had run, where no jobs are named
 * @param Jobs null or empty for all
 */
public record JobStatusesRequest(
        boolean IncludeChildren, @Nullable List<Name> Jobs) {
    /** One of them; {@code Namespace} is the request's if it is empty. */
    public record Name(String ID, String Namespace) {}
}
