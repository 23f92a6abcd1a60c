package io.cleat.testkit;

import io.cleat.base.Secret;
import io.cleat.base.Secrets;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes records of any kind out of hostile values, by their components: whole trees of them, with null where a
 * component may be null. The same seed makes the same records.
 */
public final class HostileRecords {
    private static final int TRIES = 200;
    private static final int DEEPEST = 6;

    private final Random random;
    private final HostileTexts texts;
    private boolean isHalved;

    public HostileRecords(long seed) {
        this.random = new Random(seed * 0x9e3779b97f4a7c15L);
        this.texts = new HostileTexts(random);
    }

    /**
     * The next record; one in eight holds texts that are no Unicode.
     *
     * @param type a record, or a sealed interface of records
     */
    public <T> T next(Class<T> type) {
        isHalved = random.nextInt(8) == 0;
        return type.cast(of(type, 0));
    }

    private Object of(Class<?> type, int depth) {
        Class<?> kind = type;
        while (kind.isSealed()) {
            Class<?>[] kinds = kind.getPermittedSubclasses();
            kind = kinds[random.nextInt(kinds.length)];
        }
        @Nullable Throwable refused = null;
        for (int i = 0; i < TRIES; i++) {
            try {
                return construct(kind, depth);
            } catch (InvocationTargetException e) {
                // Its constructor does not take such values: others, then.
                refused = e.getCause();
            }
        }
        throw new AssertionError("no value for " + kind, refused);
    }

    private Object construct(Class<?> type, int depth) throws InvocationTargetException {
        RecordComponent[] components = type.getRecordComponents();
        if (components == null) {
            throw new AssertionError("it is not known how to make a " + type);
        }
        @Nullable Object[] values = new @Nullable Object[components.length];
        for (int i = 0; i < values.length; i++) {
            boolean isAbsent = isNullable(components[i]) && random.nextInt(3) == 0;
            values[i] = isAbsent ? null : value(components[i].getGenericType(), depth + 1);
        }
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        } catch (NoSuchMethodException | InstantiationException | IllegalAccessException e) {
            throw new LinkageError(type.toString(), e);
        }
    }

    private static boolean isNullable(RecordComponent component) {
        AnnotatedElement type = component.getAnnotatedType();
        return type.isAnnotationPresent(Nullable.class);
    }

    private Object value(Type type, int depth) {
        return type instanceof ParameterizedType generic
                ? filled((Class<?>) generic.getRawType(), generic.getActualTypeArguments(), depth)
                : single((Class<?>) type, depth);
    }

    private Object filled(Class<?> type, Type[] of, int depth) {
        if (type == Optional.class) {
            return random.nextInt(3) == 0 ? Optional.empty() : Optional.of(value(of[0], depth));
        }
        int size = size(depth);
        if (Map.class.isAssignableFrom(type)) {
            Map<Object, Object> map = new HashMap<>();
            for (int i = 0; i < size; i++) {
                map.put(value(of[0], depth + 1), value(of[1], depth + 1));
            }
            return type == Map.class ? map : new TreeMap<>(map);
        }
        List<Object> items = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            items.add(value(of[0], depth + 1));
        }
        if (type == Set.class) {
            return new LinkedHashSet<>(items);
        }
        if (type == List.class) {
            return items;
        }
        throw new AssertionError("it is not known how to fill a " + type);
    }

    private int size(int depth) {
        if (depth > DEEPEST) {
            return 0;
        }
        return random.nextInt(200) == 0 && depth < 3 ? 300 : random.nextInt(3);
    }

    private Object single(Class<?> type, int depth) {
        if (type == String.class) {
            return text();
        }
        if (type == Instant.class) {
            return instant();
        }
        if (type == Duration.class) {
            return Duration.ofSeconds(number(), random.nextInt(1_000_000_000));
        }
        if (type == boolean.class || type == Boolean.class) {
            return random.nextBoolean();
        }
        if (type == long.class || type == Long.class) {
            return number();
        }
        if (type == int.class || type == Integer.class) {
            return (int) number();
        }
        if (type == double.class || type == Double.class) {
            return fraction();
        }
        if (type == Secret.class) {
            return new Secret(text());
        }
        if (type == Secrets.class) {
            return Secrets.of(Map.of(text(), text()));
        }
        if (type == Path.class) {
            return Path.of("/" + random.nextInt());
        }
        if (type == Object.class) {
            return plain(depth);
        }
        if (type.isEnum()) {
            Object[] constants = type.getEnumConstants();
            return constants[random.nextInt(constants.length)];
        }
        return of(type, depth);
    }

    /** What a driver's configuration is made of. */
    private Object plain(int depth) {
        return switch (depth > DEEPEST ? random.nextInt(4) : random.nextInt(6)) {
            case 0 -> number();
            case 1 -> fraction();
            case 2 -> random.nextBoolean();
            case 3 -> text();
            case 4 -> List.of(plain(depth + 1), plain(depth + 1));
            default -> Map.of(text(), plain(depth + 1));
        };
    }

    private String text() {
        return isHalved && random.nextInt(3) == 0 ? texts.halved() : texts.valid();
    }

    private long number() {
        return switch (random.nextInt(8)) {
            case 0 -> Long.MAX_VALUE;
            case 1 -> Long.MIN_VALUE;
            case 2 -> -1;
            case 3 -> random.nextLong();
            case 4 -> Integer.MAX_VALUE + 1L;
            default -> random.nextInt(100);
        };
    }

    private double fraction() {
        return switch (random.nextInt(8)) {
            case 0 -> Double.NaN;
            case 1 -> Double.POSITIVE_INFINITY;
            case 2 -> -0.0;
            case 3 -> Double.MIN_VALUE;
            case 4 -> Double.MAX_VALUE;
            case 5 -> 3.0;
            default -> random.nextDouble();
        };
    }

    private Instant instant() {
        return switch (random.nextInt(8)) {
            case 0 -> Instant.MIN;
            case 1 -> Instant.MAX;
            case 2 -> Instant.EPOCH;
            case 3 -> Instant.parse("+10000-01-01T00:00:00.000000001Z");
            case 4 -> Instant.parse("-0001-01-01T00:00:00Z");
            case 5 -> Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000));
            default -> Instant.ofEpochSecond(1_800_000_000L + random.nextInt(1_000_000));
        };
    }
}
