package io.cleat.driverkit;

import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessagePackException;
import org.msgpack.core.MessageUnpacker;

/** Blocks in MessagePack, as whoever runs plugins sends them: one map, whose absent fields are nil. */
final class Unpacked {
    /** Beyond what any shape of blocks needs. */
    private static final int DEEPEST = 64;

    private final MessageUnpacker unpacker;

    private Unpacked(MessageUnpacker unpacker) {
        this.unpacker = unpacker;
    }

    /**
     * The fields that are there.
     *
     * @param packed empty for a block without fields
     */
    static Map<String, Object> block(byte[] packed) throws DriverTrouble {
        if (packed.length == 0) {
            return Map.of();
        }
        try (MessageUnpacker unpacker = MessagePack.newDefaultUnpacker(packed)) {
            Optional<Object> value = new Unpacked(unpacker).value(0);
            if (value.isEmpty()) {
                return Map.of();
            }
            if (value.get() instanceof Map<?, ?> map) {
                Map<String, Object> fields = new HashMap<>();
                map.forEach((name, each) -> fields.put(String.valueOf(name), each));
                return fields;
            }
            throw unreadable("it is no map");
        } catch (IOException | MessagePackException damaged) {
            throw unreadable(String.valueOf(damaged));
        }
    }

    private static DriverTrouble unreadable(String why) {
        return new DriverTrouble("the block cannot be read as MessagePack: " + why, Effect.NONE, Retry.NEVER);
    }

    /** What comes next; empty for nil. */
    private Optional<Object> value(int depth) throws IOException, DriverTrouble {
        if (depth > DEEPEST) {
            throw unreadable("its values lie in each other more than " + DEEPEST + " deep");
        }
        return switch (unpacker.getNextFormat().getValueType()) {
            case NIL -> {
                unpacker.unpackNil();
                yield Optional.empty();
            }
            case BOOLEAN -> Optional.of(unpacker.unpackBoolean());
            case INTEGER -> Optional.of(unpacker.unpackLong());
            case FLOAT -> Optional.of(unpacker.unpackDouble());
            case STRING -> Optional.of(unpacker.unpackString());
            case BINARY -> Optional.of(unpacker.readPayload(unpacker.unpackBinaryHeader()));
            case ARRAY -> Optional.of(list(depth));
            case MAP -> Optional.of(map(depth));
            case EXTENSION -> throw unreadable("it holds values of a type of its own");
        };
    }

    private List<Object> list(int depth) throws IOException, DriverTrouble {
        int size = unpacker.unpackArrayHeader();
        List<Object> list = new ArrayList<>();
        for (int at = 0; at < size; at++) {
            value(depth + 1).ifPresent(list::add);
        }
        return list;
    }

    private Map<String, Object> map(int depth) throws IOException, DriverTrouble {
        int size = unpacker.unpackMapHeader();
        Map<String, Object> map = new HashMap<>();
        for (int at = 0; at < size; at++) {
            String name = unpacker.unpackString();
            value(depth + 1).ifPresent(value -> map.put(name, value));
        }
        return map;
    }
}
