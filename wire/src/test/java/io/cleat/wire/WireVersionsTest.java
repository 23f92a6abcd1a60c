package io.cleat.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Since;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WireVersionsTest {
    private static OptionalInt common(int oldest, int newest, int otherOldest, int otherNewest) {
        return new WireVersions(oldest, newest).common(new WireVersions(otherOldest, otherNewest));
    }

    @Test
    void theNewestThatBothSpeakIsSpoken() {
        assertEquals(OptionalInt.of(14), common(14, 14, 14, 14));
        assertEquals(OptionalInt.of(15), common(14, 16, 12, 15));
        assertEquals(OptionalInt.of(15), common(12, 15, 14, 16));
        assertEquals(OptionalInt.of(14), common(14, 18, 12, 14));
        assertEquals(OptionalInt.empty(), common(15, 18, 12, 14));
        assertEquals(OptionalInt.empty(), common(12, 14, 15, 18));
    }

    @Test
    void whatIsSaidIsReadAndNothingElse() {
        assertEquals(Optional.of(new WireVersions(14, 20)), WireVersions.read(new WireVersions(14, 20).text()));
        for (String none : List.of("", "14", "a-b", "14-", "-", "14-15-16", "999999-1", " 1-2")) {
            assertEquals(Optional.empty(), WireVersions.read(none), none);
        }
    }

    @Test
    void ofEachEarlierVersionItIsKnownWhichLevelItsProgramsRead() {
        for (int version = WireVersions.OURS.oldest(); version < WireFormat.VERSION; version++) {
            assertTrue(WireVersions.level(version) < Integer.MAX_VALUE, "version " + version);
        }
    }

    /** A number of the other kind would be taken for one that every node has. */
    @Test
    void whatOnlyServerAndNodeSayIsMarkedByVersionsOfTheirProtocol() {
        List<String> wrong = new ArrayList<>();
        Set<Class<?>> seen = new HashSet<>();
        look(ToNode.class, seen, wrong);
        look(ToServer.class, seen, wrong);
        assertTrue(seen.size() > 20, seen.toString());
        assertEquals(List.of(), wrong);
    }

    private static void look(Class<?> type, Set<Class<?>> seen, List<String> wrong) {
        if (!type.getPackageName().equals(WireFormat.class.getPackageName()) || !seen.add(type)) {
            return;
        }
        note(type.getAnnotation(Since.class), type.getSimpleName(), wrong);
        if (type.isSealed()) {
            for (Class<?> kind : type.getPermittedSubclasses()) {
                look(kind, seen, wrong);
            }
        }
        if (type.isRecord()) {
            for (RecordComponent component : type.getRecordComponents()) {
                note(component.getAnnotation(Since.class), type.getSimpleName() + "." + component.getName(), wrong);
                for (Class<?> other : named(component.getGenericType())) {
                    look(other, seen, wrong);
                }
            }
        }
    }

    private static void note(@Nullable Since since, String what, List<String> wrong) {
        if (since != null && since.value() != 1) {
            wrong.add(what + " is marked @Since(" + since.value() + "): say @Since(wire = N)");
        }
    }

    private static List<Class<?>> named(Type type) {
        return switch (type) {
            case Class<?> plain -> List.of(plain);
            case ParameterizedType of -> {
                List<Class<?>> all = new ArrayList<>();
                for (Type each : of.getActualTypeArguments()) {
                    all.addAll(named(each));
                }
                yield all;
            }
            default -> List.of();
        };
    }
}
