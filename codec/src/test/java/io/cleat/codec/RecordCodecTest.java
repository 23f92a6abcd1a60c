package io.cleat.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.DiskTrouble;
import io.cleat.base.InvariantBroken;
import io.cleat.base.Refused;
import io.cleat.base.Secrets;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.dataformat.cbor.CBORMapper;

class RecordCodecTest {
    sealed interface Shape {
        record Circle(double radius) implements Shape {}

        record Group(List<Shape> parts, Map<String, Object> notes) implements Shape {}
    }

    enum Colour {
        RED
    }

    record Page(
            Shape shape,
            Colour colour,
            Instant at,
            Duration took,
            long big,
            @Nullable String remark,
            Secrets secrets) {}

    record Before(String name) {}

    record After(
            String name,
            @Nullable Instant since,
            List<String> hosts,
            Set<String> labels,
            Map<String, String> context,
            Optional<String> remark,
            boolean away,
            int count,
            long bytes) {}

    private static Page page(Secrets secrets) {
        return new Page(
                new Shape.Group(List.of(new Shape.Circle(1.5)), Map.of("n", 3L, "deep", List.of("x", true))),
                Colour.RED,
                Instant.ofEpochSecond(1, 123_456_789),
                Duration.ofNanos(5),
                Long.MAX_VALUE,
                null,
                secrets);
    }

    @Test
    void whatIsWrittenIsRead() throws DiskTrouble, Refused {
        RecordCodec<Page> codec = RecordCodec.sent("page", 3, Page.class);
        Page page = page(Secrets.of(Map.of("k", "v")));
        assertEquals(page, codec.decode(codec.encode(page)));
        assertEquals("v", codec.decode(codec.encode(page)).secrets().reveal().get("k"));
    }

    @Test
    void aRecordOfASealedInterfaceIsTaggedAtTheTopToo() throws DiskTrouble, Refused {
        RecordCodec<Shape> codec = RecordCodec.stored("shap", 1, Shape.class);
        Shape circle = new Shape.Circle(2);
        assertEquals(circle, codec.decode(codec.encode(circle)));
    }

    @Test
    void aStoredFormatRefusesSecrets() {
        RecordCodec<Page> codec = RecordCodec.stored("page", 1, Page.class);
        assertThrows(InvariantBroken.class, () -> codec.encode(page(Secrets.of(Map.of("k", "v")))));
    }

    @Test
    void whatAnOlderVersionDidNotHaveIsReadAsEmpty() throws DiskTrouble, Refused {
        byte[] old = RecordCodec.stored("name", 1, Before.class).encode(new Before("a"));
        assertEquals(
                new After("a", null, List.of(), Set.of(), Map.of(), Optional.empty(), false, 0, 0),
                RecordCodec.stored("name", 2, After.class).decode(old));
    }

    record Plain(Map<String, Object> values) {}

    /** Two that hold the same bytes are not equal, so such a row would differ from itself. */
    @Test
    void bytesWhereJsonHasNoPlaceForThemAreNotRead() throws DiskTrouble, Refused {
        RecordCodec<Plain> codec = RecordCodec.stored("plai", 1, Plain.class);
        Plain plain = new Plain(Map.of("a", List.of(1L, true, "x", 0.5), "b", Map.of("c", List.of())));
        assertEquals(plain, codec.decode(codec.encode(plain)));
        byte[] bytes = codec.encode(new Plain(Map.of("a", List.of(Map.of("b", new byte[] {1})))));
        DiskTrouble trouble = assertThrows(DiskTrouble.class, () -> codec.decode(bytes));
        assertTrue(trouble.reason().contains("bytes, where JSON"), trouble.reason());
    }

    @Test
    void aNewerVersionIsRefusedWithItsNumber() throws Refused {
        RecordCodec<Shape> newer = RecordCodec.stored("shap", 7, Shape.class);
        RecordCodec<Shape> older = RecordCodec.stored("shap", 6, Shape.class);
        DiskTrouble trouble = assertThrows(DiskTrouble.class, () -> older.decode(newer.encode(new Shape.Circle(1))));
        assertTrue(trouble.reason().contains("version 7"), trouble.reason());
    }

    /** One bit of a version sent people for a program that nobody has. */
    @Test
    void aDamagedVersionIsNoNewerOne() throws Refused {
        RecordCodec<Shape> codec = RecordCodec.stored("shap", 6, Shape.class);
        byte[] good = codec.encode(new Shape.Circle(1));
        for (int bit = 32; bit < 48; bit++) {
            byte[] bad = good.clone();
            bad[bit / 8] ^= (byte) (1 << (bit % 8));
            assertFalse(codec.isNewer(bad));
            DiskTrouble trouble = assertThrows(DiskTrouble.class, () -> codec.decode(bad));
            assertTrue(trouble.reason().contains("checksum"), trouble.reason());
        }
        byte[] newer = RecordCodec.stored("shap", 7, Shape.class).encode(new Shape.Circle(1));
        assertTrue(codec.isNewer(newer));
    }

    @Test
    void eachDamagedByteAndEachTornTailIsNoticed() throws Refused {
        RecordCodec<Shape> codec = RecordCodec.stored("shap", 1, Shape.class);
        byte[] good = codec.encode(new Shape.Circle(1));
        for (int i = 0; i < good.length; i++) {
            byte[] bad = good.clone();
            bad[i] ^= 0x40;
            assertThrows(DiskTrouble.class, () -> codec.decode(bad), "byte " + i);
            byte[] torn = Arrays.copyOf(good, i);
            assertThrows(DiskTrouble.class, () -> codec.decode(torn), "length " + i);
        }
    }

    record Door(String name, boolean open) {
        public boolean isShut() {
            return !open;
        }

        public String getLabel() {
            return name + open;
        }
    }

    @Test
    void whatARecordDerivesIsNotStored() throws DiskTrouble, Refused {
        RecordCodec<Door> codec = RecordCodec.stored("door", 1, Door.class);
        Door door = new Door("front", true);
        assertEquals(door, codec.decode(codec.encode(door)));
    }

    record Named(Map<String, Integer> numbers) {}

    @Test
    void theSameValueIsTheSameBytesWhateverTheOrderOfItsMaps() throws Refused {
        RecordCodec<Named> codec = RecordCodec.stored("name", 1, Named.class);
        Map<String, Integer> oneWay = new LinkedHashMap<>();
        oneWay.put("a", 1);
        oneWay.put("b", 2);
        Map<String, Integer> otherWay = new LinkedHashMap<>();
        otherWay.put("b", 2);
        otherWay.put("a", 1);
        assertArrayEquals(codec.encode(new Named(oneWay)), codec.encode(new Named(otherWay)));
    }

    record Moment(Instant at) {}

    @Test
    void everyTimeIsReadAsItWasWritten() throws DiskTrouble, Refused {
        RecordCodec<Moment> codec = RecordCodec.stored("mmnt", 1, Moment.class);
        for (Instant at : List.of(
                Instant.EPOCH,
                Instant.MIN,
                Instant.MAX,
                Instant.ofEpochSecond(-1, 1),
                Instant.parse("0000-02-29T23:59:59.999999999Z"),
                Instant.parse("2026-11-21T22:08:07.120Z"),
                Instant.parse("2026-11-21T22:08:07.000001Z"),
                Instant.parse("9999-12-31T23:59:59Z"))) {
            Moment moment = new Moment(at);
            assertEquals(moment, codec.decode(codec.encode(moment)));
        }
    }

    record Text(String at) {}

    record Refusing(long size) {
        Refusing {
            if (size < 0) {
                throw new IllegalArgumentException("a size of " + size);
            }
        }
    }

    record Size(long size) {}

    @Test
    void whatIsNoTimeOrIsRefusedByItsRecordIsDamage() throws Refused {
        RecordCodec<Moment> times = RecordCodec.stored("mmnt", 1, Moment.class);
        RecordCodec<Text> texts = RecordCodec.stored("mmnt", 1, Text.class);
        for (String wrong :
                List.of("", "yesterday", "2026-02-30T00:00:00Z", "2026-01-01T00:61:00Z", "2026-01-01T0x:00:00Z")) {
            assertThrows(DiskTrouble.class, () -> times.decode(texts.encode(new Text(wrong))));
        }
        byte[] negative = RecordCodec.stored("size", 1, Size.class).encode(new Size(-1));
        RecordCodec<Refusing> refusing = RecordCodec.stored("size", 1, Refusing.class);
        DiskTrouble trouble = assertThrows(DiskTrouble.class, () -> refusing.decode(negative));
        assertTrue(trouble.reason().contains("a size of -1"), trouble.reason());
    }

    record Free(@Nullable Object value) {}

    private static Object nested(int depth) {
        Object value = "deep";
        for (int i = 0; i < depth; i++) {
            value = i % 2 == 0 ? List.of(value) : Map.of("n", value);
        }
        return value;
    }

    @Test
    void whatCouldNotBeReadBackIsNotWritten() {
        RecordCodec<Free> codec = RecordCodec.stored("free", 1, Free.class);
        Map<@Nullable String, String> noName = new LinkedHashMap<>();
        noName.put(null, "v");
        for (Object unfit : List.of(
                "\ud800",
                "a\udc00",
                "\udc00\ud800",
                "x\ud83dx",
                Map.of("\ud800", 1L),
                Map.of("n".repeat(Limits.NAME_CHARS + 1), 1L),
                noName,
                nested(Limits.DEPTH))) {
            Refused refused = assertThrows(Refused.class, () -> codec.encode(new Free(unfit)));
            assertTrue(
                    refused.refusal().message().contains("could not be read back"),
                    refused.refusal().message());
            assertTrue(
                    refused.refusal().message().length() < 500,
                    refused.refusal().message());
        }
    }

    /** A program before the limits wrote such a name, and could not read it again. */
    @Test
    void aLogThatAnOlderProgramCouldNotReadAgainIsRead() throws DiskTrouble {
        Map<String, Object> names = Map.of("k".repeat(51_948), "v");
        byte[] payload = new CBORMapper().writeValueAsBytes(Map.of("value", names));
        CRC32C sum = new CRC32C();
        sum.update(0);
        sum.update(1);
        sum.update(payload);
        byte[] envelope = ByteBuffer.allocate(14 + payload.length)
                .put("free".getBytes(StandardCharsets.US_ASCII))
                .putShort((short) 1)
                .putInt((int) sum.getValue())
                .putInt(payload.length)
                .put(payload)
                .array();
        assertEquals(new Free(names), RecordCodec.stored("free", 1, Free.class).decode(envelope));
    }

    @Test
    void theLargestThatIsWrittenIsRead() throws DiskTrouble, Refused {
        RecordCodec<Free> codec = RecordCodec.stored("free", 1, Free.class);
        for (Object largest : List.of(
                Map.of("n".repeat(Limits.NAME_CHARS), 1L),
                Map.of("\uffff".repeat(Limits.NAME_CHARS), 1L),
                Map.of("\ud83d\ude00".repeat(Limits.NAME_CHARS / 2), 1L),
                Map.of("\u00fc".repeat(Limits.NAME_CHARS), 1L),
                "\uffff".repeat(4 << 20),
                nested(Limits.DEPTH - 1))) {
            Free free = new Free(largest);
            assertEquals(free, codec.decode(codec.encode(free)));
        }
    }

    @Test
    void theGreatestDepthIsReadAndWrittenOnAVirtualThread() throws Exception {
        List<Object> read = new CopyOnWriteArrayList<>();
        Thread.ofVirtual()
                .start(() -> {
                    try {
                        RecordCodec<Free> codec = RecordCodec.stored("free", 1, Free.class);
                        Free deep = new Free(nested(Limits.DEPTH - 1));
                        read.add(codec.decode(codec.encode(deep)).equals(deep));
                    } catch (DiskTrouble | Refused unexpected) {
                        read.add(unexpected);
                    }
                })
                .join();
        assertEquals(List.<Object>of(true), read);
    }
}
