package io.cleat.jobspec;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.api.CsiVolume;
import io.cleat.api.Job;
import io.cleat.jobspec.Shape.Nested;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The tables of blocks name only what the records have, so nothing of a file is lost silently. */
final class ShapesTest {
    private final List<String> missing = new ArrayList<>();

    @Test
    void eachNameOfAJobFileIsInTheRecords() {
        Nested job = JobShapes.file().blocks().values().iterator().next();
        compare(job.shape(), Job.class);
        assertEquals(List.of(), missing);
    }

    @Test
    void eachNameOfAVolumeFileIsInTheRecords() {
        compare(VolumeShapes.csi(), CsiVolume.class);
        assertEquals(List.of(), missing);
    }

    private void compare(Shape shape, Class<?> record) {
        shape.label().ifPresent(json -> component(shape, json, record));
        shape.attributes().values().forEach(attribute -> {
            // A shortcut is folded into another field.
            if (!attribute.json().startsWith("shortcut ")) {
                component(shape, attribute.json(), record);
            }
        });
        for (Nested nested : shape.blocks().values()) {
            component(shape, nested.json(), record)
                    .map(c -> element(c.getGenericType()))
                    .filter(Class::isRecord)
                    .filter(type -> !type.getSimpleName().equals("RawJson"))
                    .filter(type -> nested.shape().blocks().get("topology") == null)
                    .ifPresent(type -> compare(nested.shape(), type));
        }
    }

    private Optional<RecordComponent> component(Shape shape, String json, Class<?> record) {
        Optional<RecordComponent> found = Arrays.stream(record.getRecordComponents())
                .filter(c -> c.getName().equals(json))
                .findFirst();
        if (found.isEmpty()) {
            missing.add(shape.name() + "." + json + " in " + record.getSimpleName());
        }
        return found;
    }

    private static Class<?> element(Type type) {
        if (type instanceof ParameterizedType generic) {
            Type[] arguments = generic.getActualTypeArguments();
            return element(arguments[arguments.length - 1]);
        }
        return (Class<?>) type;
    }
}
