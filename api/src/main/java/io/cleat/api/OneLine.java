package io.cleat.api;

import io.cleat.base.InvariantBroken;
import io.cleat.base.TextRule;
import io.cleat.base.VisibleText;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Every text of a record is one line ({@link TextRule#lineFault}), also the names in its maps: it may become part of a
 * path, a header, a label or a line on a terminal. Only what is {@link #FREE} may have more lines, as no name is made
 * of it. A component that is added later is one line unless it is named here.
 */
final class OneLine {
    /** Files, arguments and values that only a workload, an artifact's server or a plugin reads. */
    private static final Set<String> FREE = Set.of(
            "args", "context", "embeddedtmpl", "env", "getteroptions", "meta", "parameters", "statusdescription");

    /** Kept, as each call for them makes new ones, whose first use is slow. */
    private static final ClassValue<List<RecordComponent>> COMPONENTS = new ClassValue<>() {
        @Override
        protected List<RecordComponent> computeValue(Class<?> type) {
            return List.of(type.getRecordComponents());
        }
    };

    private OneLine() {}

    /** What of {@code record} is not one line, with its place. */
    static List<String> faults(Record record, String place) {
        Faults faults = new Faults();
        check(record, place, faults);
        return faults.list();
    }

    /** As {@link #faults}, added to others. */
    static void check(Record record, String place, Faults faults) {
        check(record, () -> place, faults);
    }

    /** @param place where the record is; made only of what is at fault */
    private static void check(Record record, Supplier<String> place, Faults faults) {
        for (RecordComponent component : COMPONENTS.get(record.getClass())) {
            value(
                    component(record, component),
                    () -> place.get() + "." + component.getName(),
                    FREE.contains(component.getName().toLowerCase(Locale.ROOT)),
                    faults);
        }
    }

    private static void value(@Nullable Object value, Supplier<String> place, boolean isFree, Faults faults) {
        switch (value) {
            case String text when !isFree -> text(text, place, faults);
            case List<?> list -> {
                for (int i = 0; i < list.size(); i++) {
                    int at = i;
                    value(list.get(i), () -> place.get() + "[" + at + "]", isFree, faults);
                }
            }
            case Map<?, ?> map ->
                map.forEach((name, each) -> {
                    Supplier<String> at = () -> place.get() + "." + VisibleText.cut(name + "", 64);
                    text(name + "", () -> "the name " + at.get(), faults);
                    value(each, at, isFree, faults);
                });
            // Drivers judge their own; secrets are shown nowhere.
            case RawJson _ -> {}
            case Record record -> check(record, place, faults);
            case null, default -> {}
        }
    }

    private static void text(String text, Supplier<String> place, Faults faults) {
        TextRule.lineFault(text).ifPresent(fault -> faults.add(place.get() + " " + fault));
    }

    private static @Nullable Object component(Record record, RecordComponent component) {
        try {
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException closed) {
            throw new InvariantBroken("records that users fill in are public", closed);
        }
    }
}
