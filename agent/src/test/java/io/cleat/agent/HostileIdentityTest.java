package io.cleat.agent;

import io.cleat.testkit.HostileFormat;
import org.junit.jupiter.api.Test;

/** A node's identity of hostile values, and hostile bytes in its file. */
class HostileIdentityTest {
    @Test
    void anIdentityIsRefusedOrReadBackAndDamageIsTrouble() {
        HostileFormat.assertReadsBack(NodeIdentity.FORMAT, NodeIdentity.Stored.class, 300);
        HostileFormat.assertDamageIsTrouble(NodeIdentity.FORMAT, NodeIdentity.Stored.class, 600);
    }
}
