package io.cleat.api;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
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
 * The one rule for nulls. A component that is absent or null becomes null where it is {@link Nullable}, else the empty
 * text, list or map; what was null on the wire goes out as null again. A null inside a list, or as a value of a map, is
 * refused, unless the record says that such values may be null ({@code List<@Nullable T>}). So what {@code @NullMarked}
 * promises holds after decoding, in every depth.
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
        AnnotatedType type = components[parameter.getIndex()].getAnnotatedType();
        Nulls value = hasEmpty(components[parameter.getIndex()].getType()) && !isNullable(type)
                ? Nulls.AS_EMPTY
                : Nulls.DEFAULT;
        Nulls content = hasNullableContent(type) ? Nulls.SET : Nulls.DEFAULT;
        return JsonSetter.Value.construct(value, content);
    }

    private static boolean hasNullableContent(AnnotatedType type) {
        return type instanceof AnnotatedParameterizedType generic
                && isNullable(generic.getAnnotatedActualTypeArguments()[
                        generic.getAnnotatedActualTypeArguments().length - 1]);
    }

    private static boolean isNullable(AnnotatedType type) {
        return type.isAnnotationPresent(Nullable.class);
    }

    private static boolean hasEmpty(Class<?> type) {
        return type == String.class || type == List.class || type == Map.class;
    }
}
