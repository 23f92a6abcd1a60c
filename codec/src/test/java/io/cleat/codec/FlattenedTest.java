package io.cleat.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Flattened;
import io.cleat.base.InvariantBroken;
import io.cleat.base.Refused;
import io.cleat.base.Since;
import io.cleat.base.StoredOrder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Groups are for who reads the code: bytes, numbers and levels are as of a record without them. */
class FlattenedTest {
    sealed interface Shape {
        record Circle(double radius) implements Shape {}

        record Square(double side) implements Shape {}
    }

    record Flat(
            String id,
            String node,
            Map<String, Shape> shapes,
            int count,
            @Nullable String remark,
            Optional<String> label,
            @Since(2) List<String> later,
            long version) {}

    record Place(String node, Map<String, Shape> shapes, int count) {
        Place {
            if (count < 0) {
                throw new IllegalArgumentException("a count from 0");
            }
        }
    }

    record Words(
            @Nullable String remark,
            Optional<String> label,
            @Since(2) List<String> later) {}

    record Seen(@Flattened Place place, @Flattened Words words) {}

    record Grouped(String id, @Flattened Seen seen, long version) {}

    @StoredOrder("id node shapes count remark label later version")
    record GroupedAnew(
            @Flattened Words words,
            String id,
            long version,
            @Flattened Place place) {}

    @StoredOrder("id node shapes")
    record Forgotten(String id, @Flattened Place place) {}

    record Twice(String id, @Flattened Place place, int count) {}

    record More(String id, String node, String unheardOf) {}

    private static final RecordCodec<Flat> FLAT = RecordCodec.stored("TEST", 2, Flat.class);
    private static final RecordCodec<Grouped> GROUPED = RecordCodec.stored("TEST", 2, Grouped.class);

    private static final Map<String, Shape> SHAPES = Map.of("a", new Shape.Circle(2), "b", new Shape.Square(3));

    private static Flat flat(List<String> later) {
        return new Flat("x", "n", SHAPES, 3, "well", Optional.of("l"), later, 7);
    }

    private static Grouped grouped(List<String> later) {
        return new Grouped("x", new Seen(new Place("n", SHAPES, 3), new Words("well", Optional.of("l"), later)), 7);
    }

    @Test
    void groupsAreWrittenAsTheirComponents() throws Exception {
        assertArrayEquals(FLAT.encode(flat(List.of("y"))), GROUPED.encode(grouped(List.of("y"))));
        assertEquals(grouped(List.of("y")), GROUPED.decode(FLAT.encode(flat(List.of("y")))));
        assertEquals(RecordHash.of(flat(List.of("y"))), RecordHash.of(grouped(List.of("y"))));
    }

    @Test
    void groupedInAnotherWayTheBytesStay() throws Exception {
        GroupedAnew anew =
                new GroupedAnew(new Words("well", Optional.of("l"), List.of("y")), "x", 7, new Place("n", SHAPES, 3));
        RecordCodec<GroupedAnew> codec = RecordCodec.stored("TEST", 2, GroupedAnew.class);
        assertArrayEquals(FLAT.encode(flat(List.of("y"))), codec.encode(anew));
        assertEquals(anew, codec.decode(FLAT.encode(flat(List.of("y")))));
    }

    @Test
    void anOrderThatDoesNotNameAllIsAFault() {
        assertThrows(InvariantBroken.class, () -> RecordCodec.stored("TEST", 2, Forgotten.class));
    }

    @Test
    void whatIsLaterInAGroupNeedsItsLevel() throws Exception {
        assertArrayEquals(FLAT.encode(flat(List.of()), 1), GROUPED.encode(grouped(List.of()), 1));
        Refused refused = assertThrows(Refused.class, () -> GROUPED.encode(grouped(List.of("y")), 1));
        assertTrue(
                refused.refusal().message().contains("'later'"),
                refused.refusal().message());
    }

    @Test
    void whatWasNotWrittenIsReadAsNothing() throws Exception {
        record Old(String id) {}
        byte[] old = RecordCodec.stored("TEST", 2, Old.class).encode(new Old("x"));
        Flat flat = FLAT.decode(old);
        Grouped grouped = GROUPED.decode(old);
        assertEquals(new Flat("x", flat.node(), Map.of(), 0, null, Optional.empty(), List.of(), 0), flat);
        assertEquals(Map.of(), grouped.seen().place().shapes());
        assertEquals(0, grouped.seen().place().count());
        assertEquals(
                new Words(null, Optional.empty(), List.of()), grouped.seen().words());
        assertEquals(RecordHash.of(flat), RecordHash.of(grouped));
    }

    @Test
    void whatNobodyKnowsIsDamageInWhatIsStoredAndPassedOverInWhatIsSent() throws Exception {
        More more = new More("x", "n", "y");
        byte[] stored = RecordCodec.stored("TEST", 2, More.class).encode(more);
        DiskTrouble damaged = assertThrows(DiskTrouble.class, () -> GROUPED.decode(stored));
        assertTrue(String.valueOf(damaged.getMessage()).contains("unheardOf"), damaged.getMessage());
        byte[] sent = RecordCodec.sent("TEST", 2, More.class).encode(more);
        assertEquals(
                "n",
                RecordCodec.sent("TEST", 2, Grouped.class)
                        .decode(sent)
                        .seen()
                        .place()
                        .node());
    }

    @Test
    void whatAGroupRefusesOrCannotReadIsDamage() throws Exception {
        Flat negative = new Flat("x", "n", SHAPES, -1, null, Optional.empty(), List.of(), 7);
        DiskTrouble refused = assertThrows(DiskTrouble.class, () -> GROUPED.decode(FLAT.encode(negative)));
        assertTrue(String.valueOf(refused.getMessage()).contains("a count from 0"), refused.getMessage());
        record Text(String id, String count) {}
        byte[] text = RecordCodec.stored("TEST", 2, Text.class).encode(new Text("x", "many"));
        DiskTrouble unread = assertThrows(DiskTrouble.class, () -> GROUPED.decode(text));
        assertTrue(String.valueOf(unread.getMessage()).contains("\"many\""), unread.getMessage());
        byte[] list = RecordCodec.stored("TEST", 2, List.class).encode(List.of("x"));
        assertThrows(DiskTrouble.class, () -> GROUPED.decode(list));
    }

    @Test
    void twoComponentsOfOneNameAreAFault() throws Exception {
        byte[] any = FLAT.encode(flat(List.of()));
        assertThrows(
                InvariantBroken.class,
                () -> RecordCodec.stored("TEST", 2, Twice.class).decode(any));
    }
}
