package io.cleat.jobspec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.CsiCapability;
import io.cleat.api.CsiMountOptions;
import io.cleat.api.CsiTopology;
import io.cleat.api.CsiTopologyRequest;
import io.cleat.api.CsiVolume;
import io.cleat.api.Json;
import io.cleat.base.Secrets;
import io.cleat.jobspec.hcl.FaultText;
import io.cleat.jobspec.hcl.FixedRuntime;
import io.cleat.jobspec.hcl.Source;
import io.cleat.jobspec.hcl.Variables;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class VolumeFileTest {
    private static final String HCL = """
            type         = "CSI"
            id           = "v1"
            name         = "the first"
            plugin_id    = "local"
            capacity_min = "10GiB"
            capacity_max = "20G"

            capability {
              access_mode     = "single-node-writer"
              attachment_mode = "file-system"
            }
            capability {
              access_mode     = "single-node-reader-only"
              attachment_mode = "block-device"
            }

            mount_options {
              fs_type     = "ext4"
              mount_flags = ["noatime"]
            }

            topology_request {
              required {
                topology {
                  segments {
                    "topology.example/zone" = "z1"
                  }
                }
                topology { segments = { rack = "r1" } }
              }
            }

            secrets {
              password = "xyzzy"
            }
            parameters = { kind = "image" }
            context {
              a = 1
            }
            """;

    private static final String JSON = """
            {
              "type": "csi", "id": "v1", "name": "the first", "plugin_id": "local",
              "capacity_min": "10GiB", "capacity_max": 20000000000,
              "capability": [
                {"access_mode": "single-node-writer", "attachment_mode": "file-system"},
                {"access_mode": "single-node-reader-only", "attachment_mode": "block-device"}
              ],
              "mount_options": {"fs_type": "ext4", "mount_flags": ["noatime"]},
              "topology_request": {
                "required": {"topology": [
                  {"segments": {"topology.example/zone": "z1"}},
                  {"segments": {"rack": "r1"}}
                ]}
              },
              "secrets": {"password": "xyzzy"},
              "parameters": {"kind": "image"},
              "context": {"a": "1"}
            }
            """;

    @Test
    void aVolumeFileHoldsAllThatAVolumeCanAskFor() {
        CsiVolume volume = good(HCL);
        assertEquals("v1", volume.ID());
        assertEquals("the first", volume.Name());
        assertEquals("local", volume.PluginID());
        assertEquals(10_737_418_240L, volume.RequestedCapacityMin());
        assertEquals(20_000_000_000L, volume.RequestedCapacityMax());
        assertEquals(
                List.of(
                        new CsiCapability("single-node-writer", "file-system"),
                        new CsiCapability("single-node-reader-only", "block-device")),
                volume.RequestedCapabilities());
        assertEquals(new CsiMountOptions("ext4", List.of("noatime")), volume.MountOptions());
        assertEquals(
                new CsiTopologyRequest(
                        null,
                        List.of(
                                new CsiTopology(Map.of("topology.example/zone", "z1")),
                                new CsiTopology(Map.of("rack", "r1")))),
                volume.RequestedTopologies());
        assertEquals(Secrets.of(Map.of("password", "xyzzy")), volume.Secrets());
        assertEquals(Map.of("kind", "image"), volume.Parameters());
        assertEquals(Map.of("a", "1"), volume.Context());
    }

    @Test
    void jsonWithTheSameNamesIsTheSameVolume() {
        assertEquals(good(HCL), good(JSON));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"Volumes\": [%s]}", "%s"})
    void jsonOfTheApiIsTheSameVolume(String wrapping) {
        assertEquals(good(HCL), good(wrapping.formatted(Json.text(good(HCL)))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "secrets {\n  password = hunter2\n}\n",
                "secrets {\n  password = \"hunter2\n}\n",
                "secrets {\n  hunter2 {}\n}\n",
                "secrets = { password = [\"hunter2\"] }\n",
                "secrets = { password = [\"hunter2\" }\n",
                "secrets {\n  password = \"hunter2\"\n",
                "secrets = \"${[\"hunter2\"]}\"\n",
                "secrets {\n  password = hunter2\n}\n",
                "type = \"csi\"\nsecrets { password = hunter2.x }\n",
                "{\"type\": \"csi\", \"secrets\": {\"password\": [\"hunter2\"]}}",
                "{\"type\": \"csi\", \"secrets\": {\"password\": \"hunter2}}",
                "{\"PluginID\": \"x\", \"Secrets\": {\"password\": {\"hunter2\": 1}}}",
                "{\"PluginID\": \"x\", \"Secrets\": {\"password\": hunter2}}",
            })
    void noFaultShowsASecret(String file) {
        String shown = FaultText.plain().render(faults(file));
        assertTrue(shown.contains("may hold a secret"), shown);
        assertFalse(shown.contains("hunter2"), shown);
    }

    @Test
    void faultsOfAVolumeFile() {
        assertEquals("""
                v.hcl:1,1-1: Missing argument; A volume has an argument "id"; there is none here.
                v.hcl:1,1-1: Missing argument; A volume has an argument "plugin_id"; there is none here.
                v.hcl:2,16-21: Invalid value for "capacity_min"; Expected a size such as "10GiB" or a number of bytes, given "ten".
                v.hcl:3,1-11: Missing argument; A capability has an argument "attachment_mode"; there is none here.
                v.hcl:3,28-43: Invalid value for "access_mode"; Expected one of single-node-reader-only, single-node-writer, single-node-multi-writer, multi-node-reader-only, multi-node-single-writer, multi-node-multi-writer; given "single-writer".
                v.hcl:4,1-5: Unsupported argument; An argument named "nmae" is not expected here. Did you mean "name"?""", new Parsed.Bad<CsiVolume>(faults("""
                                        type = "csi"
                                        capacity_min = "ten"
                                        capability { access_mode = "single-writer" }
                                        nmae = 1
                                        """)).lines());
        assertEquals(
                "v.hcl:1,8-14: Invalid value for \"type\"; Expected \"csi\", given \"host\".",
                new Parsed.Bad<CsiVolume>(faults("type = \"host\"\nnode_id = 1\n")).lines());
    }

    private static CsiVolume good(String file) {
        return switch (parse(file)) {
            case Parsed.Good<CsiVolume>(CsiVolume volume) -> volume;
            case Parsed.Bad<CsiVolume> bad -> throw new AssertionError(bad.lines());
        };
    }

    private static List<io.cleat.jobspec.hcl.Fault> faults(String file) {
        return switch (parse(file)) {
            case Parsed.Good<CsiVolume> _ -> throw new AssertionError("no fault");
            case Parsed.Bad<CsiVolume> bad -> bad.faults();
        };
    }

    private static Parsed<CsiVolume> parse(String file) {
        return VolumeFile.parse(Source.of("v.hcl", file), Variables.none(), FixedRuntime.runtime());
    }
}
