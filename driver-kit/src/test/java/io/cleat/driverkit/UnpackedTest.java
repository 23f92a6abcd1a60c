package io.cleat.driverkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.DriverTrouble;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

class UnpackedTest {
    private static byte[] packed() throws Exception {
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            packer.packMapHeader(7);
            packer.packString("jar").packString("local/app.jar");
            packer.packString("absent").packNil();
            packer.packString("count").packLong(1L << 40);
            packer.packString("share").packDouble(0.5);
            packer.packString("fast").packBoolean(true);
            packer.packString("args").packArrayHeader(2).packString("a").packString("b");
            packer.packString("ports").packArrayHeader(1).packMapHeader(1);
            packer.packString("to").packInt(80);
            return packer.toByteArray();
        }
    }

    @Test
    void fieldsAreReadByTheirTypesAndAbsentOnesAreAbsent() throws Exception {
        BlockValues block = new BlockValues(Unpacked.block(packed()));
        assertEquals("local/app.jar", block.text("jar").orElseThrow());
        assertTrue(block.text("absent").isEmpty());
        assertEquals(1L << 40, block.number("count").orElseThrow());
        assertTrue(block.number("share").isEmpty());
        assertTrue(block.flag("fast").orElseThrow());
        assertEquals(List.of("a", "b"), block.texts("args"));
        assertEquals(80, block.blocks("ports").getFirst().number("to").orElseThrow());
        assertEquals(List.of(), block.blocks("absent"));
    }

    @Test
    void aBlockOfNothingIsEmpty() throws Exception {
        assertEquals(Map.of(), Unpacked.block(new byte[0]));
        assertEquals(Map.of(), Unpacked.block(new byte[] {(byte) 0xc0}));
    }

    @Test
    void damagedBlocksAreRefusedAndNothingElse() throws Exception {
        byte[] sound = packed();
        Random random = new Random(11);
        for (int round = 0; round < 20_000; round++) {
            byte[] damaged = sound.clone();
            int cut = random.nextInt(damaged.length + 1);
            damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            damaged = random.nextBoolean() ? damaged : Arrays.copyOf(damaged, cut);
            try {
                Unpacked.block(damaged);
            } catch (DriverTrouble refused) {
                assertTrue(refused.reason().startsWith("the block cannot be read"));
            }
        }
    }

    @Test
    void valuesInEachOtherWithoutEndAreRefused() {
        byte[] deep = new byte[100_000];
        Arrays.fill(deep, (byte) 0x91);
        assertTrue(assertThrows(DriverTrouble.class, () -> Unpacked.block(deep))
                .reason()
                .contains("deep"));
    }
}
