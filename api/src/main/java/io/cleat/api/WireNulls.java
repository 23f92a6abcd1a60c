package io.cleat.api;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.Version;
import tools.jackson.databind.AnnotationIntrospector;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedParameter;

/**
 * What an absent or null value becomes in a record: null where the component is {@link Nullable},
 * else the empty text, list or map. So what {@code @NullMarked} promises holds after decoding, and
 * what was null on the wire goes out as null again.
 */
final class WireNulls extends AnnotationIntrospector {
    private static final long serialVersionUID = 1;

    @Override
    public Version version() {
        return Version.unknownVersion();
    }

    @Override
    public JsonSetter.Value findSetterInfo(MapperConfig<?> config, Annotated annotated) {
        if (!(annotated instanceof AnnotatedParameter parameter)) {
            return JsonSetter.Value.empty();
        }
        RecordComponent[] components = parameter.getDeclaringClass().getRecordComponents();
        if (components == null || parameter.getIndex() >= components.length) {
            return JsonSetter.Value.empty();
        }
        RecordComponent component = components[parameter.getIndex()];
        return hasEmpty(component.getType())
                        && !component.getAnnotatedType().isAnnotationPresent(Nullable.class)
                ? JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY)
                : JsonSetter.Value.empty();
    }

    private static boolean hasEmpty(Class<?> type) {
        return type == String.class || type == List.class || type == Map.class;
    }
}
