package io.cleat.driverplugin.config;

import io.cleat.base.InvariantBroken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/** Values in MessagePack, as plugins read them. */
final class MsgPack {
    private MsgPack() {}

    static byte[] encode(@Nullable Object value) {
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            put(packer, value);
            return packer.toByteArray();
        } catch (IOException impossible) {
            throw new UncheckedIOException("packing into memory", impossible);
        }
    }

    private static void put(MessageBufferPacker packer, @Nullable Object value) throws IOException {
        switch (value) {
            case null -> packer.packNil();
            case String text -> packer.packString(text);
            case Boolean is -> packer.packBoolean(is);
            case BigDecimal number -> number(packer, number);
            case ValueType.Typed(String type, @Nullable Object of) -> {
                packer.packArrayHeader(2);
                byte[] bytes = type.getBytes(StandardCharsets.UTF_8);
                packer.packBinaryHeader(bytes.length);
                packer.writePayload(bytes);
                put(packer, of);
            }
            case List<?> list -> {
                packer.packArrayHeader(list.size());
                for (Object one : list) {
                    put(packer, one);
                }
            }
            case Map<?, ?> map -> {
                packer.packMapHeader(map.size());
                for (Map.Entry<?, ?> each : map.entrySet()) {
                    packer.packString(String.valueOf(each.getKey()));
                    put(packer, each.getValue());
                }
            }
            default -> throw new InvariantBroken("values are read by their types", value);
        }
    }

    /** A whole number as one, what a double holds as that, the rest in its digits. */
    private static void number(MessageBufferPacker packer, BigDecimal number) throws IOException {
        BigDecimal shortest = number.stripTrailingZeros();
        // Digits are not written out to find that there are too many of them.
        boolean isWhole = shortest.scale() <= 0 && shortest.precision() - shortest.scale() < 20;
        if (isWhole && shortest.toBigInteger().bitLength() < Long.SIZE) {
            packer.packLong(shortest.longValueExact());
        } else if (Double.isFinite(number.doubleValue())
                && new BigDecimal(number.doubleValue()).compareTo(number) == 0) {
            packer.packDouble(number.doubleValue());
        } else {
            packer.packString(number.toString());
        }
    }
}
