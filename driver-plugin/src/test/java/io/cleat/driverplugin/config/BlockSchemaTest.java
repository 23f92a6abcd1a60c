package io.cleat.driverplugin.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.DriverTrouble;
import io.cleat.driverschema.SpecProto;
import io.cleat.driverschema.SpecProto.Spec;
import java.math.BigDecimal;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessageUnpacker;

/** Blocks by a plugin's schema: what is wrong is named, what is right is sent as plugins read it. */
class BlockSchemaTest {
    private static Spec attr(String name, String type, boolean required) {
        return Spec.newBuilder()
                .setAttr(SpecProto.Attr.newBuilder().setName(name).setType(type).setRequired(required))
                .build();
    }

    private static Spec usual(Spec primary, String literal) {
        return Spec.newBuilder()
                .setDefault(SpecProto.Default.newBuilder()
                        .setPrimary(primary)
                        .setDefault(Spec.newBuilder()
                                .setLiteral(SpecProto.Literal.newBuilder().setValue(literal))))
                .build();
    }

    private static Spec object(Map<String, Spec> attributes) {
        return Spec.newBuilder()
                .setObject(SpecProto.Object.newBuilder().putAllAttributes(attributes))
                .build();
    }

    private static BlockSchema schema(Map<String, Spec> attributes) throws DriverTrouble {
        return new BlockSchema(object(attributes), "config", "lxc");
    }

    /** The block as a plugin gets it, in JSON. */
    private static String sent(Map<String, Spec> attributes, Map<String, Object> block) throws Exception {
        byte[] bytes = schema(attributes).encode(block);
        try (MessageUnpacker unpacker = MessagePack.newDefaultUnpacker(bytes)) {
            String json = unpacker.unpackValue().toJson();
            assertTrue(!unpacker.hasNext(), "more than one value");
            return json;
        }
    }

    @Test
    void allOfTheSchemaIsSentAndWhatIsAbsentAsNothing() throws Exception {
        Map<String, Spec> attributes = Map.of(
                "image", attr("image", "string", true),
                "size", attr("size", "number", false),
                "init", usual(attr("init", "bool", false), "true"),
                "net", usual(attr("net", "string", false), "\"host\""));
        assertEquals(
                "{\"image\":\"busybox\",\"init\":true,\"net\":\"host\",\"size\":null}",
                sent(attributes, Map.of("image", "busybox")));
        assertEquals(
                "{\"image\":\"busybox\",\"init\":false,\"net\":\"none\",\"size\":7}",
                sent(attributes, Map.of("image", "busybox", "init", false, "net", "none", "size", 7L)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "0;00",
                "127;7f",
                "-1;ff",
                "9223372036854775807;cf7fffffffffffffff",
                "-9223372036854775808;d38000000000000000",
                "9223372036854775808;cb43e0000000000000",
                "1.5;cb3ff8000000000000",
                "0.1;a3302e31",
                "1e2;64"
            })
    void aNumberIsSentAsTheShortestThatHoldsIt(BigDecimal number, String hex) throws Exception {
        byte[] bytes = schema(Map.of("n", attr("n", "number", false))).encode(Map.of("n", number));
        assertEquals("81a16e" + hex, HexFormat.of().formatHex(bytes));
    }

    @Test
    void typesAreReadAndValuesConvertedAsJobFilesHaveThem() throws Exception {
        Map<String, Spec> attributes = new TreeMap<>();
        attributes.put("a", attr("a", "list(map(string))", false));
        attributes.put("b", attr("b", "set(number)", false));
        attributes.put("c", attr("c", " object( { x = string , y = list(bool) } ) ", false));
        attributes.put("d", attr("d", "tuple([string, number])", false));
        assertEquals(
                "{\"a\":[{\"k\":\"1\"},{\"k\":\"true\"}],\"b\":[1,2],"
                        + "\"c\":{\"x\":\"v\",\"y\":[true,false]},\"d\":[\"t\",3]}",
                sent(
                        attributes,
                        Map.of(
                                "a", List.of(Map.of("k", 1L), Map.of("k", true)),
                                "b", List.of(1L, "2", 1L),
                                "c", Map.of("x", "v", "y", List.of("true", false)),
                                "d", List.of("t", 3L))));
    }

    @Test
    void anythingIsSentBesideItsType() throws Exception {
        byte[] bytes =
                schema(Map.of("v", attr("v", "any", false))).encode(Map.of("v", Map.of("k", List.of("t", 1L, true))));
        try (MessageUnpacker unpacker = MessagePack.newDefaultUnpacker(bytes)) {
            var pair = unpacker.unpackValue()
                    .asMapValue()
                    .entrySet()
                    .iterator()
                    .next()
                    .getValue();
            assertEquals(
                    "[\"object\",{\"k\":[\"tuple\",[\"string\",\"number\",\"bool\"]]}]",
                    pair.asArrayValue().get(0).asBinaryValue().asString());
            assertEquals("{\"k\":[\"t\",1,true]}", pair.asArrayValue().get(1).toJson());
        }
    }

    private static Map<String, Spec> blocks() {
        Spec nested = object(Map.of("path", attr("path", "string", true)));
        Map<String, Spec> blocks = new TreeMap<>();
        blocks.put(
                "one",
                Spec.newBuilder()
                        .setBlockValue(
                                SpecProto.Block.newBuilder().setName("one").setNested(nested))
                        .build());
        blocks.put(
                "some",
                Spec.newBuilder()
                        .setBlockList(SpecProto.BlockList.newBuilder()
                                .setName("some")
                                .setMinItems(1)
                                .setMaxItems(2)
                                .setNested(nested))
                        .build());
        blocks.put(
                "named",
                Spec.newBuilder()
                        .setBlockMap(SpecProto.BlockMap.newBuilder()
                                .setName("named")
                                .addLabels("name")
                                .setNested(nested))
                        .build());
        blocks.put(
                "pairs",
                Spec.newBuilder()
                        .setBlockAttrs(SpecProto.BlockAttrs.newBuilder()
                                .setName("pairs")
                                .setType("number"))
                        .build());
        return blocks;
    }

    @Test
    void blocksStandAloneInListsOrByLabel() throws Exception {
        assertEquals(
                "{\"named\":{\"x\":{\"path\":\"/x\"}},\"one\":{\"path\":\"/1\"},"
                        + "\"pairs\":{\"k\":1},\"some\":[{\"path\":\"/2\"},{\"path\":\"/3\"}]}",
                sent(
                        blocks(),
                        Map.of(
                                "one", List.of(Map.of("path", "/1")),
                                "some", List.of(Map.of("path", "/2"), Map.of("path", "/3")),
                                "named", List.of(Map.of("x", List.of(Map.of("path", "/x")))),
                                "pairs", List.of(Map.of("k", 1L)))));
        assertEquals(
                "{\"named\":{},\"one\":null,\"pairs\":null,\"some\":[{\"path\":\"/2\"}]}",
                sent(blocks(), Map.of("some", Map.of("path", "/2"))));
    }

    @Test
    void allThatIsWrongIsNamedWithItsPlace() throws Exception {
        List<String> faults = schema(blocks())
                .faults(Map.of(
                        "one", List.of(Map.of("path", "/1"), Map.of("path", "/1")),
                        "some", List.of(Map.of("pth", "/2"), "text"),
                        "named", Map.of("x", Map.of("path", List.of(1L))),
                        "pairs", Map.of("k", "many"),
                        "other", 1L));
        assertEquals(
                List.of(
                        "config has the key 'other'; lxc knows named, one, pairs, some",
                        "config.named.x.path must be string, it is: [1]",
                        "config has the block 'one' 2 times; expected 0 to 1",
                        "config.pairs.k must be number, it is: many",
                        "config.some must be a block, it is: text",
                        "config.some[0] has the key 'pth'; lxc knows path",
                        "config.some[0] has no 'path', which has to be there"),
                faults);
        assertEquals(
                List.of("config has the block 'some' 0 times; expected 1 to 2"),
                schema(blocks()).faults(Map.of()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "text",
                "list",
                "list(",
                "list()",
                "list(string",
                "string)",
                "map(string) x",
                "object({x})",
                "tuple(string)",
                "listlist(string)"
            })
    void aTypeThatIsNoneIsRefusedWithItsText(String type) {
        DriverTrouble trouble = assertThrows(DriverTrouble.class, () -> schema(Map.of("a", attr("a", type, false))));
        assertTrue(trouble.reason().contains("the type '" + type + "'"), trouble.reason());
    }

    @Test
    void aSchemaWithoutBoundsIsRefused() {
        assertThrows(DriverTrouble.class, () -> schema(Map.of("a", attr("a", "list(".repeat(200), false))));
        Spec deep = attr("a", "string", false);
        for (int depth = 0; depth < 40; depth++) {
            deep = object(Map.of("a", deep));
        }
        Spec whole = deep;
        DriverTrouble trouble = assertThrows(DriverTrouble.class, () -> new BlockSchema(whole, "config", "lxc"));
        assertTrue(trouble.reason().contains("deeper"), trouble.reason());
        DriverTrouble unknown = assertThrows(
                DriverTrouble.class, () -> schema(Map.of("a", usual(attr("a", "string", false), "var.x"))));
        assertTrue(unknown.reason().contains("var.x"), unknown.reason());
    }
}
