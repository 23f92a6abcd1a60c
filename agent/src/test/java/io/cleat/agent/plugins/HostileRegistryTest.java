package io.cleat.agent.plugins;

import io.cleat.testkit.HostileFormat;
import org.junit.jupiter.api.Test;

/** A plugin registry of hostile values, and hostile bytes in its file. */
class HostileRegistryTest {
    @Test
    void aRegistryIsRefusedOrReadBackAndDamageIsTrouble() {
        HostileFormat.assertReadsBack(PluginRegistry.FORMAT, PluginRegistry.Stored.class, 500);
        HostileFormat.assertDamageIsTrouble(PluginRegistry.FORMAT, PluginRegistry.Stored.class, 2000);
    }
}
