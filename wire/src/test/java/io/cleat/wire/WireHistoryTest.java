package io.cleat.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Refused;
import io.cleat.codec.RecordCodec;
import io.cleat.testkit.History;
import io.cleat.testkit.OtherVersion;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What earlier programs sent is understood: a sample of each version, its messages in a row. */
final class WireHistoryTest {
    private static final History HISTORY = new History("wire");

    /** Name, version and checksum come before the length of an envelope. */
    private static final int BEFORE_LENGTH = 4 + 2 + 4;

    @Test
    void messagesToANodeOfVersion1AreRead() throws IOException, DiskTrouble, Refused {
        assertEquals(
                EveryMessage.toNode(),
                read(WireFormat.TO_NODE, HISTORY.sample("nodw-1", inARow(WireFormat.TO_NODE, EveryMessage.toNode()))));
    }

    @Test
    void messagesToAServerOfVersion1AreRead() throws IOException, DiskTrouble, Refused {
        assertEquals(
                EveryMessage.toServer(),
                read(
                        WireFormat.TO_SERVER,
                        HISTORY.sample("nodu-1", inARow(WireFormat.TO_SERVER, EveryMessage.toServer()))));
    }

    @Test
    void messagesToANodeOfVersion2AreRead() throws IOException, DiskTrouble, Refused {
        List<ToNode> messages = EveryMessage.toNodeOfVersion2();
        byte[] sample = HISTORY.sample("nodw-2", inARow(WireFormat.TO_NODE, messages));
        assertEquals(messages, read(WireFormat.TO_NODE, sample));
    }

    @Test
    void messagesToAServerOfVersion2AreRead() throws IOException, DiskTrouble, Refused {
        List<ToServer> messages = EveryMessage.toServerOfVersion2();
        byte[] sample = HISTORY.sample("nodu-2", inARow(WireFormat.TO_SERVER, messages));
        assertEquals(messages, read(WireFormat.TO_SERVER, sample));
    }

    @Test
    void messagesToANodeOfVersion3AreRead() throws IOException, DiskTrouble, Refused {
        List<ToNode> messages = EveryMessage.toNodeOfVersion2();
        byte[] sample = HISTORY.sample("nodw-3", inARow(WireFormat.TO_NODE, messages));
        assertEquals(messages, read(WireFormat.TO_NODE, sample));
    }

    @Test
    void messagesToAServerOfVersion3AreRead() throws IOException, DiskTrouble, Refused {
        List<ToServer> messages = EveryMessage.toServerOfVersion3();
        byte[] sample = HISTORY.sample("nodu-3", inARow(WireFormat.TO_SERVER, messages));
        assertEquals(messages, read(WireFormat.TO_SERVER, sample));
    }

    @Test
    void messagesToANodeOfVersion4AreRead() throws IOException, DiskTrouble, Refused {
        List<ToNode> messages = EveryMessage.toNodeOfVersion4();
        byte[] sample = HISTORY.sample("nodw-4", inARow(WireFormat.TO_NODE, messages));
        assertEquals(messages, read(WireFormat.TO_NODE, sample));
    }

    @Test
    void messagesToAServerOfVersion4AreRead() throws IOException, DiskTrouble, Refused {
        List<ToServer> messages = EveryMessage.toServerOfVersion4();
        byte[] sample = HISTORY.sample("nodu-4", inARow(WireFormat.TO_SERVER, messages));
        assertEquals(messages, read(WireFormat.TO_SERVER, sample));
    }

    @Test
    void messagesToANodeOfVersion5AreRead() throws IOException, DiskTrouble, Refused {
        List<ToNode> messages = EveryMessage.toNodeOfVersion5();
        byte[] sample = HISTORY.sample("nodw-5", inARow(WireFormat.TO_NODE, messages));
        assertEquals(messages, read(WireFormat.TO_NODE, sample));
    }

    /** The same as in version 4: both ways have one version. */
    @Test
    void messagesToAServerOfVersion5AreRead() throws IOException, DiskTrouble, Refused {
        List<ToServer> messages = EveryMessage.toServerOfVersion4();
        byte[] sample = HISTORY.sample("nodu-5", inARow(WireFormat.TO_SERVER, messages));
        assertEquals(messages, read(WireFormat.TO_SERVER, sample));
    }

    @Test
    void messagesToANodeOfVersion6AreRead() throws IOException, DiskTrouble, Refused {
        List<ToNode> messages = EveryMessage.toNodeOfVersion6();
        byte[] sample = HISTORY.sample("nodw-6", inARow(WireFormat.TO_NODE, messages));
        assertEquals(messages, read(WireFormat.TO_NODE, sample));
    }

    /** The same as in version 4: both ways have one version. */
    @Test
    void messagesToAServerOfVersion6AreRead() throws IOException, DiskTrouble, Refused {
        List<ToServer> messages = EveryMessage.toServerOfVersion4();
        byte[] sample = HISTORY.sample("nodu-6", inARow(WireFormat.TO_SERVER, messages));
        assertEquals(messages, read(WireFormat.TO_SERVER, sample));
    }

    @Test
    void messagesToANodeOfVersion7AreRead() throws IOException, DiskTrouble, Refused {
        List<ToNode> messages = EveryMessage.toNodeOfVersion7();
        byte[] sample = HISTORY.sample("nodw-7", inARow(WireFormat.TO_NODE, messages));
        assertEquals(messages, read(WireFormat.TO_NODE, sample));
    }

    /** The same as in version 4: both ways have one version. */
    @Test
    void messagesToAServerOfVersion7AreRead() throws IOException, DiskTrouble, Refused {
        List<ToServer> messages = EveryMessage.toServerOfVersion4();
        byte[] sample = HISTORY.sample("nodu-7", inARow(WireFormat.TO_SERVER, messages));
        assertEquals(messages, read(WireFormat.TO_SERVER, sample));
    }

    @Test
    void messagesToANodeOfVersion8AreRead() throws IOException, DiskTrouble, Refused {
        List<ToNode> messages = EveryMessage.toNodeOfVersion8();
        byte[] sample = HISTORY.sample("nodw-8", inARow(WireFormat.TO_NODE, messages));
        assertEquals(messages, read(WireFormat.TO_NODE, sample));
    }

    /** The same as in version 4: both ways have one version. */
    @Test
    void messagesToAServerOfVersion8AreRead() throws IOException, DiskTrouble, Refused {
        List<ToServer> messages = EveryMessage.toServerOfVersion4();
        byte[] sample = HISTORY.sample("nodu-8", inARow(WireFormat.TO_SERVER, messages));
        assertEquals(messages, read(WireFormat.TO_SERVER, sample));
    }

    @Test
    void messagesToANodeOfVersion9AreRead() throws IOException, DiskTrouble, Refused {
        List<ToNode> messages = EveryMessage.toNodeOfVersion9();
        byte[] sample = HISTORY.sample("nodw-9", inARow(WireFormat.TO_NODE, messages));
        assertEquals(messages, read(WireFormat.TO_NODE, sample));
    }

    /** The same as in version 4: both ways have one version. */
    @Test
    void messagesToAServerOfVersion9AreRead() throws IOException, DiskTrouble, Refused {
        List<ToServer> messages = EveryMessage.toServerOfVersion4();
        byte[] sample = HISTORY.sample("nodu-9", inARow(WireFormat.TO_SERVER, messages));
        assertEquals(messages, read(WireFormat.TO_SERVER, sample));
    }

    @Test
    void messagesToANodeOfVersion10AreRead() throws IOException, DiskTrouble, Refused {
        List<ToNode> messages = EveryMessage.toNodeOfVersion10();
        byte[] sample = HISTORY.sample("nodw-10", inARow(WireFormat.TO_NODE, messages));
        assertEquals(messages, read(WireFormat.TO_NODE, sample));
    }

    @Test
    void messagesToAServerOfVersion10AreRead() throws IOException, DiskTrouble, Refused {
        List<ToServer> messages = EveryMessage.toServerOfVersion10();
        byte[] sample = HISTORY.sample("nodu-10", inARow(WireFormat.TO_SERVER, messages));
        assertEquals(messages, read(WireFormat.TO_SERVER, sample));
    }

    @Test
    void messagesToANodeOfVersion11AreRead() throws IOException, DiskTrouble, Refused {
        List<ToNode> messages = EveryMessage.toNodeOfVersion11();
        byte[] sample = HISTORY.sample("nodw-11", inARow(WireFormat.TO_NODE, messages));
        assertEquals(messages, read(WireFormat.TO_NODE, sample));
    }

    @Test
    void messagesToAServerOfVersion11AreRead() throws IOException, DiskTrouble, Refused {
        List<ToServer> messages = EveryMessage.toServerOfVersion11();
        byte[] sample = HISTORY.sample("nodu-11", inARow(WireFormat.TO_SERVER, messages));
        assertEquals(messages, read(WireFormat.TO_SERVER, sample));
    }

    @Test
    void messagesToANodeOfVersion12AreRead() throws IOException, DiskTrouble, Refused {
        List<ToNode> messages = EveryMessage.toNodeOfVersion12();
        byte[] sample = HISTORY.sample("nodw-12", inARow(WireFormat.TO_NODE, messages));
        assertEquals(messages, read(WireFormat.TO_NODE, sample));
    }

    @Test
    void messagesToAServerOfVersion12AreRead() throws IOException, DiskTrouble, Refused {
        List<ToServer> messages = EveryMessage.toServerOfVersion12();
        byte[] sample = HISTORY.sample("nodu-12", inARow(WireFormat.TO_SERVER, messages));
        assertEquals(messages, read(WireFormat.TO_SERVER, sample));
    }

    @Test
    void messagesToANodeOfVersion13AreRead() throws IOException, DiskTrouble, Refused {
        List<ToNode> messages = EveryMessage.toNodeOfVersion13();
        byte[] sample = HISTORY.sample("nodw-13", inARow(WireFormat.TO_NODE, messages));
        assertEquals(messages, read(WireFormat.TO_NODE, sample));
    }

    @Test
    void messagesToAServerOfVersion13AreRead() throws IOException, DiskTrouble, Refused {
        List<ToServer> messages = EveryMessage.toServerOfVersion13();
        byte[] sample = HISTORY.sample("nodu-13", inARow(WireFormat.TO_SERVER, messages));
        assertEquals(messages, read(WireFormat.TO_SERVER, sample));
    }

    @Test
    void messagesToANodeOfVersion14AreRead() throws IOException, DiskTrouble, Refused {
        List<ToNode> messages = EveryMessage.toNodeOfVersion14();
        byte[] sample = HISTORY.sample("nodw-14", inARow(WireFormat.TO_NODE, messages));
        assertEquals(messages, read(WireFormat.TO_NODE, sample));
    }

    @Test
    void messagesToAServerOfVersion14AreRead() throws IOException, DiskTrouble, Refused {
        List<ToServer> messages = EveryMessage.toServerOfVersion14();
        byte[] sample = HISTORY.sample("nodu-14", inARow(WireFormat.TO_SERVER, messages));
        assertEquals(messages, read(WireFormat.TO_SERVER, sample));
    }

    @Test
    void messagesToANodeOfVersion15AreRead() throws IOException, DiskTrouble, Refused {
        List<ToNode> messages = EveryMessage.toNodeOfVersion14();
        byte[] sample = HISTORY.sample("nodw-15", inARow(WireFormat.TO_NODE, messages));
        assertEquals(messages, read(WireFormat.TO_NODE, sample));
    }

    @Test
    void messagesToAServerOfVersion15AreRead() throws IOException, DiskTrouble, Refused {
        List<ToServer> messages = EveryMessage.toServerOfVersion15();
        byte[] sample = HISTORY.sample("nodu-15", inARow(WireFormat.TO_SERVER, messages));
        assertEquals(messages, read(WireFormat.TO_SERVER, sample));
    }

    @Test
    void messagesToANodeOfVersion16AreRead() throws IOException, DiskTrouble, Refused {
        List<ToNode> messages = EveryMessage.toNodeOfVersion14();
        byte[] sample = HISTORY.sample("nodw-16", inARow(WireFormat.TO_NODE, messages));
        assertEquals(messages, read(WireFormat.TO_NODE, sample));
    }

    @Test
    void messagesToAServerOfVersion16AreRead() throws IOException, DiskTrouble, Refused {
        List<ToServer> messages = EveryMessage.toServerOfVersion16();
        byte[] sample = HISTORY.sample("nodu-16", inARow(WireFormat.TO_SERVER, messages));
        assertEquals(messages, read(WireFormat.TO_SERVER, sample));
    }

    @Test
    void messagesToANodeOfVersion17AreRead() throws IOException, DiskTrouble, Refused {
        List<ToNode> messages = EveryMessage.toNodeOfVersion17();
        byte[] sample = HISTORY.sample("nodw-17", inARow(WireFormat.TO_NODE, messages));
        assertEquals(messages, read(WireFormat.TO_NODE, sample));
    }

    @Test
    void messagesToAServerOfVersion17AreRead() throws IOException, DiskTrouble, Refused {
        List<ToServer> messages = EveryMessage.toServerOfVersion17();
        byte[] sample = HISTORY.sample("nodu-17", inARow(WireFormat.TO_SERVER, messages));
        assertEquals(messages, read(WireFormat.TO_SERVER, sample));
    }

    @Test
    void theSamplesHoldEveryKindOfMessage() {
        assertEquals(kindsOf(ToNode.class), kindsIn(EveryMessage.toNodeOfVersion13()));
        assertEquals(kindsOf(ToServer.class), kindsIn(EveryMessage.toServerOfVersion13()));
        assertEquals(
                kindsOf(ControllerCall.class),
                kindsIn(EveryMessage.toNodeOfVersion11().stream()
                        .filter(ToNode.Order.class::isInstance)
                        .map(order -> ((ToNode.Order) order).call())
                        .toList()));
        assertEquals(
                kindsOf(ControllerReply.class),
                kindsIn(EveryMessage.toServerOfVersion11().stream()
                        .filter(ToServer.OrderDone.class::isInstance)
                        .map(done -> ((ToServer.OrderDone) done).outcome())
                        .filter(OrderOutcome.Done.class::isInstance)
                        .map(outcome -> ((OrderOutcome.Done) outcome).reply())
                        .toList()));
    }

    @Test
    void aNewerMessageIsRefusedWithItsNumber() throws Refused {
        byte[] newer = OtherVersion.of(WireFormat.TO_NODE.encode(new ToNode.HeartbeatSeen(1)), 0, 99);
        DiskTrouble refused = assertThrows(DiskTrouble.class, () -> WireFormat.TO_NODE.decode(newer));
        assertTrue(refused.reason().contains("version 99"), refused.reason());
    }

    private static <T> byte[] inARow(RecordCodec<T> format, List<T> messages) throws Refused {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (T message : messages) {
            bytes.writeBytes(format.encode(message));
        }
        return bytes.toByteArray();
    }

    private static <T> List<T> read(RecordCodec<T> format, byte[] bytes) throws DiskTrouble {
        List<T> messages = new ArrayList<>();
        int at = 0;
        while (at < bytes.length) {
            int end = at + BEFORE_LENGTH + 4 + ByteBuffer.wrap(bytes).getInt(at + BEFORE_LENGTH);
            messages.add(format.decode(Arrays.copyOfRange(bytes, at, end)));
            at = end;
        }
        return messages;
    }

    /** The kinds of a sealed interface. */
    private static Set<String> kindsOf(Class<?> sealed) {
        return Arrays.stream(sealed.getPermittedSubclasses())
                .map(Class::getSimpleName)
                .collect(Collectors.toSet());
    }

    private static Set<String> kindsIn(Collection<?> messages) {
        return messages.stream()
                .map(message -> message.getClass().getSimpleName())
                .collect(Collectors.toSet());
    }
}
