package io.cleat.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.cleat.base.Refused;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.node.ObjectNode;

class CanonicalTest {
    private static final List<String> SET_BY_SERVER =
            List.of("CreateIndex", "JobModifyIndex", "ModifyIndex", "Status", "SubmitTime");

    private static Job job(JsonNode json) throws Refused {
        return Json.fromTree(json, Job.class);
    }

    private static String pretty(Object json) {
        return new ObjectMapper().readTree(Json.write(json)).toPrettyString();
    }

    @Test
    void aParsedJobIsShownAsRecorded() throws Refused {
        JsonNode body = Recorded.of("24-parse").body();
        assertEquals(pretty(body), pretty(ParsedJob.json(job(body))));
    }

    @Test
    void aParsedJobFilledInIsAsRecorded() throws Refused {
        Job parsed = job(Recorded.of("24-parse").body());
        assertEquals(
                pretty(sorted(Recorded.of("25-parse-canonical").body())),
                pretty(sorted(ParsedJob.json(Canonical.sent(parsed)))));
    }

    @Test
    void aSystemJobFilledInIsAsRecorded() throws Refused {
        JsonNode sent =
                Recorded.of("10-validate-plugin-job").request().get("body").get("Job");
        assertEquals(pretty(sorted(sent)), pretty(sorted(ParsedJob.json(Canonical.sent(job(sent))))));
    }

    @Test
    void aStoredJobIsAsRecorded() throws Refused {
        JsonNode sent = Recorded.of("28-register-job").request().get("body").get("Job");
        ObjectNode expected = (ObjectNode) Recorded.of("32-job").body();
        ObjectNode stored = (ObjectNode) Json.toTree(Canonical.stored(job(sent)));
        for (String name : SET_BY_SERVER) {
            stored.set(name, expected.get(name));
        }
        assertEquals(pretty(sorted(expected)), pretty(sorted(stored)));
    }

    @Test
    void fillingInTwiceChangesNothing() throws Refused {
        Job stored = Canonical.stored(job(Recorded.of("24-parse").body()));
        assertEquals(pretty(stored), pretty(Canonical.stored(stored)));
    }

    @Test
    void aBatchJobHasItsOwnPolicies() throws Refused {
        Job job = Canonical.stored(Json.read("""
                                {"ID":"b","Type":"batch","TaskGroups":[{"Name":"g",
                                "Tasks":[{"Name":"t","Driver":"raw_exec"}]}]}""", Job.class));
        assertNotNull(job.TaskGroups());
        TaskGroup group = job.TaskGroups().getFirst();
        assertEquals(new RestartPolicy(3, 15_000_000_000L, 86_400_000_000_000L, "fail", false), group.RestartPolicy());
        assertEquals(
                new ReschedulePolicy(1, 5_000_000_000L, "constant", 86_400_000_000_000L, 0L, false),
                group.ReschedulePolicy());
        assertNull(group.Update());
        assertNull(group.Migrate());
    }

    @Test
    void aBlockOfTheJobReachesItsGroupsAndTheirOwnWins() throws Refused {
        Job job = Canonical.stored(Json.read("""
                                {"ID":"s","Update":{"MaxParallel":3,"Canary":0},
                                "Reschedule":{"Attempts":7},
                                "TaskGroups":[{"Name":"g","Update":{"MaxParallel":2}}]}""", Job.class));
        assertNotNull(job.TaskGroups());
        TaskGroup group = job.TaskGroups().getFirst();
        assertNotNull(group.Update());
        assertEquals(2, group.Update().MaxParallel());
        assertNotNull(group.ReschedulePolicy());
        assertEquals(7, group.ReschedulePolicy().Attempts());
        assertNull(job.Reschedule());
    }

    @Test
    void theOldOppositeOfDisabledIsRead() throws Refused {
        Job job = Canonical.stored(Json.read("""
                                {"ID":"s","TaskGroups":[{"Name":"g","Tasks":[{"Name":"t",
                                "LogConfig":{"Enabled":false}}]}]}""", Job.class));
        assertNotNull(job.TaskGroups());
        assertNotNull(job.TaskGroups().getFirst().Tasks());
        assertEquals(
                new LogConfig(true, null, 10, 10),
                job.TaskGroups().getFirst().Tasks().getFirst().LogConfig());
    }

    @Test
    void templatesAndArtifactsGetTheirDefaults() throws Refused {
        Job job = Canonical.stored(Json.read("""
                                {"ID":"s","TaskGroups":[{"Name":"g","Tasks":[{"Name":"t",
                                "Templates":[{"EmbeddedTmpl":"x","ChangeSignal":"sighup",
                                 "ChangeScript":{"Command":"c"},"Wait":{"Min":2}}],
                                "Artifacts":[{"GetterSource":"http://h/a.zip"},{"GetterMode":"file",
                                 "GetterSource":"http://h/d/f.txt?checksum=md5:0"}]}]}]}""", Job.class));
        assertNotNull(job.TaskGroups());
        assertNotNull(job.TaskGroups().getFirst().Tasks());
        Task task = job.TaskGroups().getFirst().Tasks().getFirst();
        assertEquals("""
                [{"ChangeMode":"restart","ChangeScript":{"Args":[],"Command":"c",\
                "FailOnError":false,"Timeout":5000000000},"ChangeSignal":"SIGHUP","DestPath":"",\
                "EmbeddedTmpl":"x","Envvars":false,"ErrMissingKey":false,"Gid":null,\
                "LeftDelim":"{{","Once":false,"Perms":"0644","RightDelim":"}}","SourcePath":"",\
                "Splay":5000000000,"Uid":null,"VaultGrace":0,"Wait":{"Max":8,"Min":2}}]""", Json.text(task.Templates()));
        assertEquals("""
                [{"Chown":false,"GetterHeaders":null,"GetterInsecure":false,"GetterMode":"any",\
                "GetterOptions":null,"GetterSource":"http://h/a.zip","RelativeDest":"local/"},\
                {"Chown":false,"GetterHeaders":null,"GetterInsecure":false,"GetterMode":"file",\
                "GetterOptions":null,"GetterSource":"http://h/d/f.txt?checksum=md5:0",\
                "RelativeDest":"local/f.txt"}]""", Json.text(task.Artifacts()));
    }

    /** The order of a driver's names and of a map's is arbitrary on the wire. */
    private static JsonNode sorted(JsonNode node) {
        return SortedTree.of(node);
    }
}
