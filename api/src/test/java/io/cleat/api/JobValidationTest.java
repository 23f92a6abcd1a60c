package io.cleat.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Refused;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class JobValidationTest {
    private static ObjectNode job() {
        return (ObjectNode) Recorded.of("28-register-job").request().get("body").get("Job");
    }

    private static List<String> faults(ObjectNode job) throws Refused {
        return JobValidation.faults(Canonical.stored(Json.fromTree(job, Job.class)));
    }

    private static ObjectNode group(ObjectNode job) {
        return (ObjectNode) job.get("TaskGroups").get(0);
    }

    private static ObjectNode task(ObjectNode job) {
        return (ObjectNode) group(job).get("Tasks").get(0);
    }

    private static ObjectNode volume(ObjectNode job) {
        return (ObjectNode) group(job).get("Volumes").get("data");
    }

    @Test
    void aRecordedJobHasNoFault() throws Refused {
        assertEquals(List.of(), faults(job()));
    }

    @Test
    void faultsOfPartsAreNestedAsTheWireDoes() throws Refused {
        ObjectNode job = job();
        volume(job).put("Source", "");
        assertEquals(
                List.of("Task group g validation failed: 1 error occurred:\n\t* Task group volume"
                        + " validation for data failed: 1 error occurred:\n\t* volume has an"
                        + " empty source\n\n\n\n"),
                faults(job));
    }

    @Test
    void aJobIsLetThroughOrRefusedAsOneText() throws Refused {
        Job fine = Canonical.stored(Json.fromTree(job(), Job.class));
        JobValidation.require(fine);
        assertEquals(new JobValidateResponse(true, "", null, ""), JobValidation.response(JobValidation.faults(fine)));
        ObjectNode faulty = job().put("Priority", 0);
        Job wrong = Canonical.stored(Json.fromTree(faulty, Job.class));
        String text = "1 error occurred:\n\t* Job priority must be between [1, 100]\n\n";
        assertEquals(
                text,
                assertThrows(Refused.class, () -> JobValidation.require(wrong))
                        .refusal()
                        .message());
        assertEquals(text, JobValidation.response(JobValidation.faults(wrong)).Error());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'args':['a',null]} | expected a value at config.args[1], given null",
                "{'a':{'b':[[null]]}} | expected a value at config.a.b[0][0], given null",
                "{'n':1e999} | the number at config.n is too large",
            })
    void aDriversConfigurationThatCannotBeHeldIsRefusedWithItsPlace(String config, String fault) throws Refused {
        ObjectNode job = job();
        task(job).set("Config", Json.tree(config.replace('\'', '"').getBytes(UTF_8)));
        assertTrue(String.join("\n", faults(job)).contains(fault), faults(job).toString());
    }

    @Test
    void anAbsentMemberOfADriversConfigurationIsNoFault() throws Refused {
        ObjectNode job = job();
        ((ObjectNode) task(job).get("Config")).putNull("work_dir");
        assertEquals(List.of(), faults(job));
    }

    @Test
    void aTextThatMayBecomePartOfAPathOrALabelIsOneLine() throws Refused {
        ObjectNode job = job();
        job.put("Name", "a\u001b[2Jb");
        task(job).put("User", "root\n").putObject("Env").put("A\nB", "fine\nthere");
        String all = String.join("\n", faults(job));
        assertTrue(all.contains("Job.Name holds the control character U+001B at position 1"), all);
        assertTrue(all.contains("Job.TaskGroups[0].Tasks[0].User holds the control"), all);
        assertTrue(all.contains("the name Job.TaskGroups[0].Tasks[0].Env.A\\u000aB holds"), all);
        assertEquals(3, faults(job).size(), all);
    }

    @ParameterizedTest
    @ValueSource(strings = {".", "..", "alloc", "a/b", "a\\b", "a\nb", "\u202e", "a\u001b"})
    void aTaskThatIsCalledLikeADirectoryOrNoLine_isRefused(String name) throws Refused {
        ObjectNode job = job();
        task(job).put("Name", name);
        assertTrue(String.join("\n", faults(job)).toLowerCase(Locale.ROOT).contains("task name"));
    }

    @Test
    void namesThatAreTooLong_areRefusedWithWhatIsAllowed() throws Refused {
        ObjectNode job = job();
        job.put("ID", "x".repeat(256));
        group(job).put("Name", "g".repeat(129));
        task(job).put("Name", "..");
        volume(job).put("Source", "a/../b");
        String all = String.join("\n", faults(job));
        assertTrue(all.contains("has 256 bytes; at most 255 are allowed"), all);
        assertTrue(all.contains("has 129 bytes; at most 128 are allowed"), all);
        assertTrue(all.contains("task name \"..\" has the part \"..\""), all);
        assertTrue(all.contains("volume id \"a/../b\" has the part \"..\""), all);
    }

    @Test
    void aJobThatAsksForTooManyAllocations_isRefused() throws Refused {
        ObjectNode job = job();
        group(job).put("Count", Integer.MAX_VALUE);
        String all = String.join("\n", faults(job));
        assertTrue(all.contains("Job asks for 2147483647 allocations; at most 50000"), all);
    }

    @Test
    void aFreeTextMayHaveLines() throws Refused {
        ObjectNode job = job();
        job.putObject("Meta").put("motd", "hello\n\tworld\u001b");
        task(job).putObject("Env").put("SCRIPT", "a\nb");
        task(job)
                .putArray("Templates")
                .addObject()
                .put("EmbeddedTmpl", "a\nb\r\n")
                .put("DestPath", "local/a");
        assertEquals(List.of(), faults(job));
    }

    @Test
    void allFaultsComeAtOnce() throws Refused {
        ObjectNode job = job();
        job.put("Priority", 101);
        job.put("Type", "cron");
        task(job).put("Driver", "");
        volume(job).put("AccessMode", "");
        String all = String.join("\n", faults(job));
        assertTrue(all.contains("between [1, 100]"), all);
        assertTrue(all.contains("Invalid job type: \"cron\""), all);
        assertTrue(all.contains("Missing task driver"), all);
        assertTrue(all.contains("CSI volumes must have an access mode"), all);
    }

    @ParameterizedTest
    @CsvSource({
        "single-node-writer, false, 2, allows only one writer",
        "single-node-reader-only, true, 2, allows only one reader",
        "single-node-reader-only, false, 1, must be read-only",
        "multi-node-reader-only, false, 1, must be read-only",
        "multi-node-single-writer, false, 2, allows only one writer",
        "sometimes, false, 1, unknown access mode",
    })
    void anAccessModeLimitsTheGroup(String mode, boolean readOnly, int count, String fault) throws Refused {
        ObjectNode job = job();
        volume(job).put("AccessMode", mode).put("ReadOnly", readOnly);
        group(job).put("Count", count);
        String all = String.join("\n", faults(job));
        assertTrue(all.contains(fault), all);
    }

    @ParameterizedTest
    @CsvSource({
        "single-node-writer, false, 2, true",
        "multi-node-multi-writer, false, 9, false",
        "multi-node-reader-only, true, 9, false",
        "multi-node-single-writer, true, 9, false",
    })
    void otherCountsAreFine(String mode, boolean readOnly, int count, boolean perAlloc) throws Refused {
        ObjectNode job = job();
        volume(job).put("AccessMode", mode).put("ReadOnly", readOnly).put("PerAlloc", perAlloc);
        group(job).put("Count", count);
        assertEquals(List.of(), faults(job));
    }

    @ParameterizedTest
    @CsvSource({
        "data, multi-node-multi-writer, file-system, false, 0",
        "data, multi-node-reader-only, file-system, false, 1",
        "more, multi-node-reader-only, file-system, false, 0",
        "data, multi-node-reader-only, file-system, true, 0",
    })
    void oneVolumeUnderTwoNamesIsUsedInOneWay(
            String source, String access, String attachment, boolean perAlloc, int faults) throws Refused {
        ObjectNode job = job();
        volume(job).put("Source", "data").put("AccessMode", "multi-node-multi-writer");
        ObjectNode other = volume(job).deepCopy();
        other.remove("MountOptions");
        other.put("Name", "other")
                .put("Source", source)
                .put("AccessMode", access)
                .put("AttachmentMode", attachment)
                .put("ReadOnly", true)
                .put("PerAlloc", perAlloc);
        ((ObjectNode) group(job).get("Volumes")).set("other", other);
        List<String> found = faults(job);
        assertEquals(faults, found.size(), found.toString());
        assertTrue(found.stream().allMatch(fault -> fault.contains("are the same volume data")), found.toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Multiregion | {\"Regions\":[{}]} | multiregion is not supported",
                "Region | \"elsewhere\" | region \"elsewhere\" is not supported",
            })
    void whatThisVersionCannotDoIsRefusedByName(String name, String value, String fault) throws Refused {
        ObjectNode job = job();
        job.set(name, Json.read(value, tools.jackson.databind.JsonNode.class));
        String all = String.join("\n", faults(job));
        assertTrue(all.contains(fault), all);
    }

    @ParameterizedTest
    @CsvSource({
        "Vault, vault",
        "Identities, identity",
    })
    void partsOfTasksToo(String name, String word) throws Refused {
        ObjectNode job = job();
        task(job).putArray(name).addObject().put("A", 1);
        String all = String.join("\n", faults(job));
        assertTrue(all.contains(word + " is not supported by this version of Cleat"), all);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | Must specify a source path or have an embedded template",
                "{'SourcePath':'a','EmbeddedTmpl':'b'} | source and data are both given",
                "{'EmbeddedTmpl':'b','DestPath':''} | Must specify a destination",
                "{'DestPath':'../../a'} | destination \"../../a\" escapes the allocation directory",
                "{'SourcePath':'local/../../../a'} | source \"local/../../../a\" escapes",
                "{'ChangeMode':'reload'} | Invalid change mode \"reload\": must be one of",
                "{'ChangeMode':'signal'} | Must specify signal value",
                "{'ChangeMode':'signal','ChangeSignal':'sighup','Envvars':true} | Cannot use signals",
                "{'ChangeMode':'signal','ChangeSignal':'sighap'} | unknown change_signal \"SIGHAP\"",
                "{'ChangeMode':'script'} | Must specify the command of a change_script block",
                "{'ChangeMode':'script','ChangeScript':{'Command':'c','Timeout':0}} | the timeout of",
                "{'Splay':-1} | Must specify positive splay value",
                "{'Perms':'rw'} | Failed to parse perms \"rw\": expected an octal mode",
                "{'LeftDelim':'}}'} | left_delimiter and right_delimiter are both \"}}\"",
                "{'Wait':{'Min':2,'Max':1}} | wait min must not be",
            })
    void aTemplateThatCannotBeIsRefusedWithWhatToDo(String given, String fault) throws Refused {
        ObjectNode job = job();
        ObjectNode template = task(job).putArray("Templates").addObject();
        template.put("DestPath", "local/out");
        template.setAll((ObjectNode) Json.tree(given.replace('\'', '"').getBytes(UTF_8)));
        String all = String.join("\n", faults(job));
        assertTrue(all.contains("Template 1 validation failed"), all);
        assertTrue(all.contains(fault), all);
    }

    @Test
    void twoTemplatesOfOneDestinationAreRefused() throws Refused {
        ObjectNode job = job();
        var templates = task(job).putArray("Templates");
        templates.addObject().put("DestPath", "local/out").put("EmbeddedTmpl", "a");
        templates.addObject().put("DestPath", "../alloc/out").put("EmbeddedTmpl", "a");
        assertEquals(List.of(), faults(job));
        templates.addObject().put("DestPath", "local/out").put("EmbeddedTmpl", "a");
        String all = String.join("\n", faults(job));
        assertTrue(all.contains("Template 3 validation failed"), all);
        assertTrue(all.contains("is that of template 1 too"), all);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | source must be specified",
                "{'GetterMode':'zip'} | invalid artifact mode \"zip\"; must be one of: any, file, dir",
                "{'RelativeDest':'../../etc'} | destination \"../../etc\" escapes",
                "{'GetterSource':'s3::https://h/b'} | s3 sources are not fetched; give the object's https",
                "{'GetterSource':'https://h/f','GetterOptions':{'checksum':'sha256:1'}} | not 64 hexadecimal",
            })
    void anArtifactThatCannotBeIsRefused(String given, String fault) throws Refused {
        ObjectNode job = job();
        task(job).putArray("Artifacts").add(Json.tree(given.replace('\'', '"').getBytes(UTF_8)));
        String all = String.join("\n", faults(job));
        assertTrue(all.contains("Artifact 1 validation failed"), all);
        assertTrue(all.contains(fault), all);
    }

    @Test
    void anEmptyListOfAnUnsupportedPartIsFine() throws Refused {
        ObjectNode job = job();
        task(job).putArray("Identities");
        assertEquals(List.of(), faults(job));
    }

    @Test
    void aCanaryBesideASingleWriterIsRefused() throws Refused {
        ObjectNode job = job();
        ((ObjectNode) group(job).get("Update")).put("Canary", 1).put("MaxParallel", 5);
        String all = String.join("\n", faults(job));
        assertTrue(all.contains("allows only one writer"), all);
        assertEquals(1, faults(job).size());
        group(job).remove("Volumes");
        task(job).remove("VolumeMounts");
        assertEquals(List.of(), faults(job));
    }

    /** They take the place of the old ones, and are a percentage of the nodes. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "system | 100 | ''",
                "system | 101 | Canary count of a system job is a percentage of its nodes; 101 is more",
                "sysbatch | 1 | a sysbatch job has no deployment; set canary = 0",
            })
    void canariesOfAJobOnEachNode(String type, int canaries, String fault) throws Refused {
        ObjectNode job = job().put("Type", type);
        group(job).remove("ReschedulePolicy");
        group(job).remove("Migrate");
        ((ObjectNode) group(job).get("Update")).put("Canary", canaries).put("MaxParallel", 5);
        String all = String.join("\n", faults(job));
        assertEquals(fault.isEmpty(), all.isEmpty(), all);
        assertTrue(all.contains(fault), all);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Canary | -1 | Canary count can not be less than zero",
                "AutoPromote | true | Auto Promote requires a Canary count greater than zero",
                "HealthCheck | \"none\" | Invalid health check \"none\"",
                "HealthyDeadline | 0 | Healthy deadline must be greater than zero",
                "ProgressDeadline | 1 | Healthy deadline must be less than progress deadline",
                "MinHealthyTime | 300000000000 | Minimum healthy time must be less than",
            })
    void whatAnUpdateCannotBe(String name, String value, String fault) throws Refused {
        ObjectNode job = job();
        ((ObjectNode) group(job).get("Update")).set(name, Json.read(value, tools.jackson.databind.JsonNode.class));
        String all = String.join("\n", faults(job));
        assertTrue(all.contains(fault), all);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "service | {\"Attempts\":-1} | Reschedule attempts can't be negative",
                "service | {\"Attempts\":3} | 3 attempts and unlimited = true is ambiguous",
                "batch | {\"Attempts\":3,\"Interval\":0} | needs the interval",
                "batch | {\"DelayFunction\":\"sudden\"} | Invalid delay function \"sudden\"",
                "batch | {\"Delay\":0} | Reschedule delay must be greater than zero",
                "service | {\"MaxDelay\":1} | Max Delay cannot be less than Delay PT30S (got PT",
                "system | {\"Attempts\":0} | System jobs should not have a reschedule policy",
            })
    void whatAReschedulePolicyCannotBe(String type, String policy, String fault) throws Refused {
        ObjectNode job = job().put("Type", type);
        group(job).set("ReschedulePolicy", Json.read(policy, tools.jackson.databind.JsonNode.class));
        group(job).putNull("Migrate");
        String all = String.join("\n", faults(job));
        assertTrue(all.contains(fault), all);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "service | {\"Unlimited\":true}",
                "service | {\"Attempts\":3,\"Unlimited\":false,\"Interval\":3600000000000}",
                "service | {\"Attempts\":0,\"Unlimited\":false}",
                "batch | {\"Attempts\":0}",
            })
    void otherReschedulePoliciesAreFine(String type, String policy) throws Refused {
        ObjectNode job = job().put("Type", type);
        group(job).set("ReschedulePolicy", Json.read(policy, tools.jackson.databind.JsonNode.class));
        group(job).putNull("Migrate");
        assertEquals(List.of(), faults(job));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "service | {\"MaxParallel\":0} | migrate max_parallel must be greater than zero",
                "service | {\"HealthCheck\":\"none\"} | Invalid health check \"none\"",
                "service | {\"HealthyDeadline\":1} | Minimum healthy time must be less than",
                "batch | {\"MaxParallel\":1} | Job type \"batch\" does not allow migrate block",
            })
    void whatAMigratePolicyCannotBe(String type, String policy, String fault) throws Refused {
        ObjectNode job = job().put("Type", type);
        group(job).set("Migrate", Json.read(policy, tools.jackson.databind.JsonNode.class));
        group(job).putNull("ReschedulePolicy");
        String all = String.join("\n", faults(job));
        assertTrue(all.contains(fault), all);
    }

    @Test
    void aSignalThatDoesNotExistWouldEndNoTask() throws Refused {
        ObjectNode job = job();
        task(job).put("KillSignal", "SIGINT");
        assertEquals(List.of(), faults(job));
        task(job).put("KillSignal", "INT");
        String all = String.join("\n", faults(job));
        assertTrue(all.contains("unknown kill_signal \"INT\": give a name such as SIGINT"), all);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"Hook\":\"before\"} | invalid hook: before",
                "{\"Hook\":\"\"} | no lifecycle hook provided",
                "{\"Hook\":\"poststop\",\"Sidecar\":true} | a poststop task cannot be a sidecar",
                "{\"Hook\":\"prestart\"} | Task group must have at least one main task",
            })
    void whatALifecycleCannotBe(String lifecycle, String fault) throws Refused {
        ObjectNode job = job();
        task(job).set("Lifecycle", Json.read(lifecycle, tools.jackson.databind.JsonNode.class));
        String all = String.join("\n", faults(job));
        assertTrue(all.contains(fault), all);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "false | false | false | ",
                "true | false | true | ",
                "true | true | false | ",
                "false | true | false | read-only, of a block device that its group may write to",
                "false | false | true | ",
            })
    void aDeviceIsReadOnlyForItsWholeGroupOrForNobody(
            boolean group, boolean mount, boolean isFileSystem, @Nullable String fault) throws Refused {
        ObjectNode job = job();
        volume(job)
                .put("AccessMode", "multi-node-multi-writer")
                .put("AttachmentMode", isFileSystem ? "file-system" : "block-device")
                .put("ReadOnly", group)
                .remove("MountOptions");
        ((ObjectNode) task(job).get("VolumeMounts").get(0)).put("ReadOnly", mount);
        List<String> found = faults(job);
        assertEquals(fault == null ? 0 : 1, found.size(), found.toString());
        assertTrue(fault == null || found.getFirst().contains(fault), found.toString());
    }

    /** Text, and what is said of it; nothing if it is fine. */
    @ParameterizedTest
    @CsvSource({
        "Owner, 0, ''",
        "Owner, 4294967294, ''",
        "Owner, 4294967295, owner is \"4294967295\"; expected a number from 0 to 4294967294",
        "Owner, postgres, 'owner is \"postgres\"; expected a number'",
        "Owner, 007, owner is \"007\"",
        "Group, -1, group is \"-1\"",
        "Group, 27, ''",
        "Mode, 0750, ''",
        "Mode, 750, ''",
        "Mode, 2770, ''",
        "Mode, 4755, 'mode is \"4755\"; expected octal digits from 000 to 3777'",
        "Mode, 0798, mode is \"0798\"",
        "Mode, u+w, mode is \"u+w\""
    })
    void whoseAVolumeIs_isSaidInNumbers(String field, String text, String fault) throws Refused {
        ObjectNode job = job();
        volume(job).putObject("MountOptions").put("FSType", "").put(field, text);
        String all = String.join("\n", faults(job));
        assertEquals(!fault.isEmpty(), all.contains("mount_options: "), all);
        assertTrue(all.contains(fault), all);
    }

    @Test
    void aDeviceHasNoMountOptions() throws Refused {
        ObjectNode job = job();
        volume(job)
                .put("AccessMode", "multi-node-multi-writer")
                .put("AttachmentMode", "block-device")
                .putObject("MountOptions")
                .put("FSType", "ext4");
        String all = String.join("\n", faults(job));
        assertTrue(all.contains("block devices cannot have mount options"), all);
    }

    /** It was accepted, and ignored on the node. */
    @ParameterizedTest
    @CsvSource({
        "raw_exec, private, false",
        "raw_exec, host-to-task, true",
        "raw_exec, bidirectional, true",
        "exec, host-to-task, false",
        "another, host-to-task, false"
    })
    void rawExecBindsPrivatelyAndSaysSoWhereItIsAskedForMore(String driver, String propagation, boolean isFault)
            throws Refused {
        ObjectNode job = job();
        task(job).put("Driver", driver);
        ((ObjectNode) task(job).get("VolumeMounts").get(0)).put("PropagationMode", propagation);
        String all = String.join("\n", faults(job));
        assertEquals(isFault, all.contains("under the driver raw_exec"), all);
    }

    @Test
    void aMountMustNameAVolumeOfTheGroup() throws Refused {
        ObjectNode job = job();
        ((ObjectNode) task(job).get("VolumeMounts").get(0)).put("Volume", "other");
        String all = String.join("\n", faults(job));
        assertTrue(all.contains("referencing undefined volume other"), all);
    }

    @ParameterizedTest
    @CsvSource({
        "true, false, multi-node-multi-writer, the mount is read-only",
        "false, true, multi-node-multi-writer, the volume is read-only",
        "false, false, multi-node-reader-only, its access mode is multi-node-reader-only",
        "false, false, single-node-writer, ''",
    })
    void whatIsMountedInsideGoesOutwardsOnlyFromAVolumeThatIsWritten(
            boolean mount, boolean volume, String access, String why) throws Refused {
        ObjectNode job = job();
        ObjectNode mounted = (ObjectNode) task(job).get("VolumeMounts").get(0);
        task(job).put("Driver", "exec");
        mounted.put("PropagationMode", "bidirectional").put("ReadOnly", mount);
        ((ObjectNode) group(job).get("Volumes").get(mounted.get("Volume").asString()))
                .put("ReadOnly", volume)
                .put("AccessMode", access);
        String all = String.join("\n", faults(job));
        assertEquals(!why.isEmpty(), all.contains("bidirectional"), all);
        assertTrue(all.contains(why), all);
    }

    @Test
    void thePluginsStagingMayNotBeInsideItsSocketDirectory() throws Refused {
        ObjectNode job = job();
        task(job)
                .putObject("CSIPluginConfig")
                .put("ID", "p")
                .put("Type", "node")
                .put("MountDir", "/csi")
                .put("StagePublishBaseDir", "/csi/stage");
        String all = String.join("\n", faults(job));
        assertTrue(all.contains("must not be a subdirectory of MountDir"), all);
    }
}
