package io.cleat.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.cleat.base.Refused;
import io.cleat.model.AccessMode;
import io.cleat.model.AttachmentMode;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeModes;
import io.cleat.model.VolumeSpec;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class VolumeConversionTest {
    private static CsiVolume asked(String recording) throws Refused {
        JsonNode body = Recorded.of(recording).request().get("body");
        CsiVolumeRequest request = Json.fromTree(body, CsiVolumeRequest.class);
        return JobConversion.listOf(request.Volumes()).getFirst();
    }

    private static String refusal(String json) {
        return assertThrows(Refused.class, () -> VolumeConversion.toSpec(Json.read(json, CsiVolume.class), "default"))
                .refusal()
                .message();
    }

    @Test
    void aRecordedRequestIsUnderstood() throws Refused {
        VolumeSpec spec = VolumeConversion.toSpec(asked("15-create"), "other");
        assertEquals(new VolumeId("default", "v1"), spec.id());
        assertEquals("hp", spec.pluginId());
        assertEquals(10485760, spec.capacityMin());
        assertEquals(1073741824, spec.capacityMax());
        assertEquals("ext4", spec.mountOptions().fsType());
        assertEquals(List.of("noatime"), spec.mountOptions().flags());
        assertEquals(
                List.of(new VolumeModes(AccessMode.SINGLE_NODE_WRITER, AttachmentMode.FILE_SYSTEM)),
                spec.capabilities());
    }

    @Test
    void theFaultsOfAnEmptyVolumeAreAsRecorded() throws Refused {
        CsiVolume volume = asked("19-register-invalid");
        Refused refused = assertThrows(Refused.class, () -> VolumeConversion.toSpec(volume, "default"));
        assertEquals(
                Recorded.of("19-register-invalid").body().stringValue(),
                refused.refusal().message());
    }

    @Test
    void aVolumeIsMadeFromASnapshotOrAVolumeAndNotFromBoth() throws Refused {
        String source = """
                {"ID": "v", "PluginID": "p", "SnapshotID": "%s", "CloneID": "%s",
                 "RequestedCapabilities": [
                   {"AccessMode": "single-node-writer", "AttachmentMode": "file-system"}]}
                """;
        VolumeSpec restored = VolumeConversion.toSpec(Json.read(source.formatted("s", ""), CsiVolume.class), "default");
        assertEquals("s", restored.snapshotId());
        VolumeSpec cloned = VolumeConversion.toSpec(Json.read(source.formatted("", "c"), CsiVolume.class), "default");
        assertEquals("c", cloned.cloneId());
        assertEquals(
                "validation: only one of snapshot_id and clone_id is allowed", refusal(source.formatted("s", "c")));
    }

    @Test
    void idsFollowTheRuleOfNames_andTextsThatAreShownAreOneLine() {
        String volume = """
                {"ID": "%s", "PluginID": "%s", "Name": "%s", "Parameters": {"free": "a\\nb"},
                 "RequestedCapabilities": [
                   {"AccessMode": "single-node-writer", "AttachmentMode": "file-system"}]}
                """;
        assertEquals(
                "validation: volume id \"..\" has the part \"..\", which is a directory; rename it,"
                        + " volume.name holds the control character U+001B at position 1; remove it",
                refusal(volume.formatted("..", "p", "a\\u001b[2J")));
        assertEquals(
                "validation: plugin id \"p\\u000a\" holds the control character U+000A at position"
                        + " 1; remove it, volume.pluginId holds the control character U+000A at"
                        + " position 1; remove it",
                refusal(volume.formatted("v", "p\\n", "")));
    }

    @Test
    void modesAndTopologiesAreChecked() {
        assertEquals(
                "validation: unknown access mode \"sometimes\", unknown attachment mode \"\","
                        + " required topology is missing segments field",
                refusal("""
                        {"ID":"v","PluginID":"p","RequestedCapabilities":[{"AccessMode":"sometimes"}],
                        "RequestedTopologies":{"Required":[{"Segments":null}]}}"""));
    }

    @Test
    void aSmallerMaximumThanMinimumIsRefused() {
        assertEquals(
                "validation: must include at least one capability block, capacity_max is less than capacity_min",
                refusal("""
                        {"ID":"v","PluginID":"p","RequestedCapacityMin":2,
                        "RequestedCapacityMax":1}"""));
    }
}
