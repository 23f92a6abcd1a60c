package io.cleat.server.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.cleat.base.LinkTrouble;
import io.cleat.wire.ToServer;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class HeldInPartsTest {
    private static final ToServer.Held ONE = new ToServer.Held("disks", "vol-1", "a-1", "data");

    private final HeldInParts parts = new HeldInParts("n1");

    @Test
    void isWholeWithTheLastMessage_thenBeginsAnew() throws Exception {
        assertEquals(Optional.empty(), parts.add(part(1, false)));
        assertEquals(Optional.of(List.of(ONE, ONE)), parts.add(part(1, true)));
        assertEquals(Optional.of(List.of()), parts.add(part(0, true)));
    }

    @Test
    void aNodeThatNeverSaysTheLastOne_isEnded() throws Exception {
        for (int i = 0; i < 100; i++) {
            assertEquals(Optional.empty(), parts.add(part(1_000, false)));
        }
        assertThrows(LinkTrouble.class, () -> parts.add(part(1, true)));
    }

    private static ToServer.Holds part(int count, boolean last) {
        return new ToServer.Holds(Collections.nCopies(count, ONE), last);
    }
}
