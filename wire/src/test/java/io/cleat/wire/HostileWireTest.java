package io.cleat.wire;

import io.cleat.testkit.HostileFormat;
import org.junit.jupiter.api.Test;

/** Messages of hostile values, and hostile bytes instead of messages. */
class HostileWireTest {
    private static final int RECORDS = 600;
    private static final int DAMAGES = 1500;

    @Test
    void everyMessageIsRefusedOrReadBackAsItWas() {
        HostileFormat.assertReadsBack(WireFormat.TO_NODE, ToNode.class, RECORDS);
        HostileFormat.assertReadsBack(WireFormat.TO_SERVER, ToServer.class, RECORDS);
    }

    @Test
    void damagedMessagesAreTroubleAndNothingElse() {
        HostileFormat.assertDamageIsTrouble(WireFormat.TO_NODE, ToNode.class, DAMAGES);
        HostileFormat.assertDamageIsTrouble(WireFormat.TO_SERVER, ToServer.class, DAMAGES);
    }
}
