package io.cleat.jobspec;

import io.cleat.api.Json;
import io.cleat.base.Refused;
import io.cleat.jobspec.hcl.Faults;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Trees to records of the API. */
final class Records {
    private Records() {}

    /** The record, when there is nothing wrong; null stands for a file that gave no tree. */
    static <T> Parsed<T> read(@Nullable Tree tree, Class<T> type, Faults faults) {
        if (tree != null) {
            TreeTexts.check(tree, faults);
        }
        if (tree != null && faults.areOfLaterParts()) {
            try {
                T value = Json.fromTree(tree.json(), type);
                return faults.isEmpty()
                        ? new Parsed.Good<>(value)
                        : new Parsed.Bad<>(faults.sorted(), Optional.of(value));
            } catch (Refused e) {
                faults.add(tree.at(), "Invalid value", e.refusal().message());
            }
        }
        return new Parsed.Bad<>(faults.sorted());
    }
}
