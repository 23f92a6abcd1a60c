package io.cleat.codec;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which value a component has that is not there: what an older program did not write. A record all of whose components
 * are absent is; its owner takes the one for the other.
 */
final class Absence {
    private Absence() {}

    /**
     * Whether {@code value} is what is read where nothing was written.
     *
     * @param type of the component
     */
    static boolean is(Class<?> type, @Nullable Object value) {
        if (type.isPrimitive()) {
            return switch (value) {
                case Boolean is -> !is;
                case Number number -> number.doubleValue() == 0;
                case null, default -> false;
            };
        }
        return switch (value) {
            case null -> true;
            case Optional<?> optional -> optional.isEmpty();
            case Collection<?> collection -> collection.isEmpty();
            case Map<?, ?> map -> map.isEmpty();
            // Where several kinds may be, which of them it is counts.
            case Record whole
            when type.isRecord() -> Component.all(type).stream().allMatch(each -> each.isAbsentFrom(whole));
            default -> false;
        };
    }
}
