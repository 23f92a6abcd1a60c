package io.cleat.codec;

import io.cleat.base.InvariantBroken;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A number for a record by what it holds: the same in every process and in every program that reads the record, so that
 * two members can compare what they have.
 *
 * <p>A component counts by its name and not by its place, and not at all where it holds what is read where nothing was
 * written: so programs of different age agree on what both know. Against accidents, not against people: 64 bits, no
 * key.
 */
public final class RecordHash {
    private static final long FNV_START = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;
    private static final long ODD = 0x9e3779b97f4a7c15L;

    // What tells a value of one type from the same number of another.
    private static final long TEXT = 0x2545f4914f6cdd1dL;
    private static final long NUMBER = 0x632be59bd9b4e019L;
    private static final long FRACTION = 0x1d8e4e27c47d124fL;
    private static final long TRUTH = 0x5851f42d4c957f2dL;
    private static final long TIME = 0x14057b7ef767814fL;
    private static final long SPAN = 0x369dea0f31a53f85L;
    private static final long NOTHING = 0x27bb2ee687b0b0fdL;
    private static final long SOME = 0x106689d45497fdb5L;
    private static final long LIST = 0x4be98134a5976fd3L;
    private static final long SET = 0x3bc0993a5ad19a13L;
    private static final long MAP = 0x7c01812cf721ad1cL;

    private static final ClassValue<Shape> SHAPES = new ClassValue<>() {
        @Override
        protected Shape computeValue(Class<?> type) {
            return Shape.of(type);
        }
    };

    private RecordHash() {}

    /**
     * The number of a record, or of what a record may hold.
     *
     * @throws InvariantBroken it holds something that no stored record has
     */
    public static long of(@Nullable Object value) {
        return switch (value) {
            case null -> mix(NOTHING);
            case Record whole -> SHAPES.get(whole.getClass()).hash(whole);
            case String text -> text(text);
            case Enum<?> word -> text(word.name());
            case Double fraction -> mix(FRACTION + Double.doubleToLongBits(fraction));
            case Number number -> mix(NUMBER + number.longValue());
            case Boolean truth -> mix(TRUTH + (truth ? 1 : 0));
            case Instant at -> mix(mix(TIME + at.getEpochSecond()) + at.getNano());
            case Duration span -> mix(mix(SPAN + span.getSeconds()) + span.getNano());
            case Optional<?> some -> mix(SOME + of(some.orElse(null)));
            case List<?> list -> list(list);
            case Set<?> set -> set(set);
            case Map<?, ?> map -> map(map);
            default -> throw new InvariantBroken("what is stored can be hashed", value.getClass());
        };
    }

    /** A number in which each bit of {@code x} counts (the last steps of SplitMix64). */
    public static long mix(long x) {
        long y = (x ^ (x >>> 30)) * 0xbf58476d1ce4e5b9L;
        y = (y ^ (y >>> 27)) * 0x94d049bb133111ebL;
        return y ^ (y >>> 31);
    }

    private static long text(String text) {
        long hash = FNV_START;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * FNV_PRIME;
        }
        return mix(hash * ODD + TEXT);
    }

    private static long list(List<?> list) {
        long hash = LIST;
        for (Object each : list) {
            hash = mix(hash * ODD + of(each));
        }
        return hash;
    }

    private static long set(Set<?> set) {
        long sum = SET;
        for (Object each : set) {
            sum += mix(of(each) + SET);
        }
        return mix(sum);
    }

    private static long map(Map<?, ?> map) {
        long sum = MAP;
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            sum += mix(of(entry.getKey()) * ODD + of(entry.getValue()));
        }
        return mix(sum);
    }

    /**
     * What a record's kind adds, and its components. A kind counts where the codec writes it: below a sealed interface.
     */
    private record Shape(long kind, List<Named> components) {
        static Shape of(Class<?> type) {
            boolean isOneOfSeveral = Arrays.stream(type.getInterfaces()).anyMatch(Class::isSealed);
            return new Shape(
                    isOneOfSeveral ? text(type.getSimpleName()) : 0,
                    StoredComponent.all(type).stream()
                            .map(each -> new Named(text(each.name()), each))
                            .toList());
        }

        long hash(Record whole) {
            long sum = kind;
            for (Named named : components) {
                @Nullable Object value = named.component().read(whole);
                if (!Absence.is(named.component().type(), value)) {
                    sum += mix(named.name() + RecordHash.of(value) * ODD);
                }
            }
            return mix(sum);
        }
    }

    private record Named(long name, StoredComponent component) {}
}
