package io.cleat.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Refused;
import io.cleat.model.JobSpec;
import io.cleat.model.MountOptions;
import io.cleat.model.Ownership;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class JobConversionTest {
    private static final StoredJob STORED =
            new StoredJob(0, 23, 24, 23, "running", "", false, false, 1795232174148481317L);

    @Test
    void aStoredJobComesBackAsRecorded() throws Refused {
        JsonNode recorded = Recorded.of("32-job").body();
        JobSpec spec = JobConversion.toSpec(Json.fromTree(recorded, Job.class));
        assertEquals(
                SortedTree.of(recorded).toPrettyString(),
                SortedTree.of(Json.toTree(JobConversion.toJob(spec, STORED))).toPrettyString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"10-validate-plugin-job", "28-register-job"})
    void whatIsSentSurvivesTheModel(String recording) throws Refused {
        JsonNode sent = Recorded.of(recording).request().get("body").get("Job");
        Job stored = Canonical.stored(Json.fromTree(sent, Job.class));
        assertEquals(List.of(), JobValidation.faults(stored));
        JobSpec spec = JobConversion.toSpec(stored);
        assertEquals(spec, JobConversion.toSpec(JobConversion.toJob(spec, STORED)));
    }

    @Test
    void aPluginWhoseInstancesMayOverlap_comesBackSo() throws Refused {
        Job job = Canonical.stored(Json.read("""
                                {"ID":"j","Type":"system","TaskGroups":[{"Name":"g","Tasks":[
                                 {"Name":"t","Driver":"exec","Config":{"command":"c"},
                                  "CSIPluginConfig":{"ID":"p","Type":"node","Overlap":true}}]}]}
                                """, Job.class));
        JobSpec spec = JobConversion.toSpec(job);
        assertTrue(Objects.requireNonNull(
                        spec.groups().getFirst().tasks().getFirst().csiPlugin())
                .overlap());
        assertEquals(spec, JobConversion.toSpec(JobConversion.toJob(spec, STORED)));
    }

    @Test
    void everyValueOfTheModelComesBack() throws Refused {
        Job job = Canonical.stored(Json.read("""
                                {"ID":"j","Name":"n","Type":"service","Namespace":"ns","Priority":70,
                                "AllAtOnce":true,"Datacenters":["dc1"],"Meta":{"a":"b"},
                                "Constraints":[{"LTarget":"${attr.kernel.name}","RTarget":"linux"}],
                                "TaskGroups":[{"Name":"g","Count":3,"Meta":{"c":"d"},
                                 "Constraints":[{"Operand":"distinct_hosts"}],"ShutdownDelay":5,
                                 "EphemeralDisk":{"SizeMB":400,"Sticky":true,"Migrate":true},
                                 "Volumes":{"v":{"Type":"csi","Source":"s","ReadOnly":true,
                                  "AccessMode":"multi-node-reader-only","AttachmentMode":"file-system",
                                  "PerAlloc":true,"MountOptions":{"FSType":"ext4","MountFlags":["ro"]}}},
                                 "Update":{"MaxParallel":4,"AutoRevert":true},
                                 "Tasks":[{"Name":"t","Driver":"raw_exec","User":"u","Leader":true,
                                  "KillSignal":"SIGINT","KillTimeout":7,"ShutdownDelay":8,
                                  "Env":{"E":"1"},"Meta":{"m":"n"},
                                  "Config":{"command":"c","n":5,"f":1.5,"b":true,"l":["x",{"y":1}]},
                                  "Constraints":[{"LTarget":"a","Operand":"version","RTarget":">= 1"}],
                                  "LogConfig":{"MaxFiles":3,"MaxFileSizeMB":4,"Disabled":true},
                                  "Resources":{"CPU":200,"MemoryMB":64,"MemoryMaxMB":128},
                                  "RestartPolicy":{"Attempts":1,"Mode":"delay"},
                                  "VolumeMounts":[{"Volume":"v","Destination":"/d","ReadOnly":true,
                                   "PropagationMode":"host-to-task","SELinuxLabel":"z"}],
                                  "Templates":[{"SourcePath":"local/a","DestPath":"local/b",
                                   "ChangeMode":"script","ChangeSignal":"SIGHUP","Envvars":true,
                                   "ChangeScript":{"Command":"c","Args":["x"],"Timeout":3,
                                    "FailOnError":true},"Splay":1,"Perms":"600","Uid":1,"Gid":2,
                                   "LeftDelim":"<<","RightDelim":">>","ErrMissingKey":true,
                                   "Once":true,"Wait":{"Min":4,"Max":5}},{"EmbeddedTmpl":"t"}],
                                  "Artifacts":[{"GetterSource":"s","GetterOptions":{"o":"p"},
                                   "GetterHeaders":{"h":"i"},"GetterMode":"dir","RelativeDest":"d",
                                   "Chown":true,"GetterInsecure":true}],
                                  "CSIPluginConfig":{"ID":"p","Type":"node","HealthTimeout":9}}]}]}""", Job.class));
        JobSpec spec = JobConversion.toSpec(job);
        assertEquals(spec, JobConversion.toSpec(JobConversion.toJob(spec, STORED)));
        io.cleat.model.Task task = spec.groups().getFirst().tasks().getFirst();
        assertEquals(
                Map.of("command", "c", "n", 5L, "f", 1.5, "b", true, "l", List.of("x", Map.of("y", 1L))),
                task.config());
        assertEquals(Duration.ofNanos(7), task.killTimeout());
        io.cleat.model.VolumeRequest volume = spec.groups().getFirst().volumes().get("v");
        assertNotNull(volume);
        assertEquals(List.of("ro"), volume.mountOptions().flags());
    }

    @Test
    void whoseAVolumeIs_comesBackSo() throws Refused {
        CsiMountOptions given =
                Json.read("{\"FSType\":\"\",\"Owner\":\"0\",\"Group\":\"27\",\"Mode\":\"750\"}", CsiMountOptions.class);
        MountOptions options = MountOptionsConversion.toModel(given);
        assertEquals(new Ownership(0L, 27L, 0750), options.ownership());
        assertEquals(new CsiMountOptions("", null, "27", "0750", "0"), MountOptionsConversion.toJson(options));
        assertEquals(
                "{\"FSType\":\"\",\"MountFlags\":null}",
                new String(Json.write(MountOptionsConversion.toJson(MountOptions.NONE)), StandardCharsets.UTF_8));
    }

    /** Flags that are not given leave those of the volume; flags that are none take them away. */
    @ParameterizedTest
    @CsvSource({"null, false", "[], true", "'[\"ro\"]', false"})
    void noFlagsAreNotTheSameAsNothingSaidOfFlags(String flags, boolean none) throws Refused {
        CsiMountOptions given = Json.read("{\"FSType\":\"\",\"MountFlags\":" + flags + "}", CsiMountOptions.class);
        assertEquals(none, MountOptionsConversion.toModel(given).noFlags());
    }
}
