package io.cleat.localplugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.csi.v1.ControllerServiceCapability;
import io.cleat.csi.v1.NodeServiceCapability;
import io.cleat.csi.v1.PluginCapability;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What was announced since which version, by the releases of the specification. */
class CsiVersionTest {
    @ParameterizedTest
    @CsvSource({
        "EXPAND_VOLUME, 1",
        "LIST_VOLUMES_PUBLISHED_NODES, 2",
        "GET_VOLUME, 3",
        "SINGLE_NODE_MULTI_WRITER, 5",
        "MODIFY_VOLUME, 9",
        "GET_SNAPSHOT, 12",
        "GET_VOLUME_HEALTH, 13",
        "LIST_VOLUME_HEALTH, 13"
    })
    void aControllersCapability_isThereFromItsVersionOn(ControllerServiceCapability.RPC.Type type, int since) {
        assertTrue(new CsiVersion(since).has(type));
        assertFalse(new CsiVersion(since - 1).has(type));
    }

    @ParameterizedTest
    @CsvSource({"EXPAND_VOLUME, 1", "SINGLE_NODE_MULTI_WRITER, 5", "GET_VOLUME_HEALTH, 13", "GET_STORAGE_HEALTH, 13"})
    void aNodesCapability_isThereFromItsVersionOn(NodeServiceCapability.RPC.Type type, int since) {
        assertTrue(new CsiVersion(since).has(type));
        assertFalse(new CsiVersion(since - 1).has(type));
    }

    @Test
    void theFirstVersion_hasTheServicesAlone() {
        CsiVersion first = new CsiVersion(0);
        assertTrue(first.has(PluginCapability.Service.Type.CONTROLLER_SERVICE));
        assertTrue(first.has(PluginCapability.Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS));
        assertFalse(first.has(PluginCapability.Service.Type.GROUP_CONTROLLER_SERVICE));
        assertFalse(first.hasExpansion());
    }

    @Test
    void theNewestVersion_hasAll() {
        assertTrue(Stream.of(ControllerServiceCapability.RPC.Type.values()).allMatch(CsiVersion.NEWEST::has));
        assertTrue(Stream.of(NodeServiceCapability.RPC.Type.values()).allMatch(CsiVersion.NEWEST::has));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.5", "1.5.0"})
    void aVersionIsReadWithItsPatchOrWithout(String text) {
        assertEquals(Optional.of(new CsiVersion(5)), CsiVersion.of(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "0.3", "1.14", "2.0", "1.5.x", "v1.5", "1.05"})
    void whatIsNoKnownVersionIsRefused(String text) {
        assertEquals(Optional.empty(), CsiVersion.of(text));
    }
}
