package io.cleat.codec;

import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Where two records differ first: the components that lead there, and no value. */
public final class Difference {
    private Difference() {}

    /** The place, such as {@code [0].job.spec.meta}; empty where they are equal. */
    public static Optional<String> between(@Nullable Object one, @Nullable Object other) {
        return Objects.equals(one, other) ? Optional.empty() : Optional.of(place(one, other));
    }

    private static String place(@Nullable Object one, @Nullable Object other) {
        if (one instanceof List<?> left && other instanceof List<?> right && left.size() == right.size()) {
            for (int i = 0; i < left.size(); i++) {
                if (!Objects.equals(left.get(i), right.get(i))) {
                    return "[" + i + "]" + place(left.get(i), right.get(i));
                }
            }
        }
        if (one instanceof Map<?, ?> left && other instanceof Map<?, ?> right) {
            for (Map.Entry<?, ?> entry : left.entrySet()) {
                Object there = right.get(entry.getKey());
                if (!Objects.equals(entry.getValue(), there)) {
                    return inMap(String.valueOf(entry.getKey())) + place(entry.getValue(), there);
                }
            }
        }
        if (one instanceof Record && other != null && one.getClass() == other.getClass()) {
            for (RecordComponent component : one.getClass().getRecordComponents()) {
                Object left = read(component, one);
                Object right = read(component, other);
                if (!Objects.equals(left, right)) {
                    return "." + component.getName() + place(left, right);
                }
            }
        }
        return "";
    }

    private static String inMap(String key) {
        return Limits.isNotable(key) ? "." + key : ".(a name of " + key.length() + " characters)";
    }

    private static @Nullable Object read(RecordComponent component, Object of) {
        try {
            component.getAccessor().setAccessible(true);
            return component.getAccessor().invoke(of);
        } catch (ReflectiveOperationException hidden) {
            return null;
        }
    }
}
