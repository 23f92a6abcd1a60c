package io.cleat.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.cleat.base.Refused;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

class JobDiffsTest {
    private static final DesiredUpdates PLACE_ONE =
            new DesiredUpdates(0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0);

    private static ObjectNode sent(String recording) {
        return (ObjectNode) Recorded.of(recording).request().get("body").get("Job");
    }

    private static Job stored(JsonNode job) throws Refused {
        return Canonical.stored(Json.fromTree(job, Job.class));
    }

    /**
     * Two things differ on purpose. The peer shows the identity that it adds to each task itself;
     * no user asked for it. The peer does not show the plugin block, though a user changes it.
     */
    private static void removePeculiarities(JsonNode diff, String block) {
        for (JsonNode group : diff.get("TaskGroups")) {
            for (JsonNode task : group.get("Tasks")) {
                ArrayNode objects = (ArrayNode) task.get("Objects");
                objects.removeIf(object -> object.get("Name").stringValue().equals(block));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"11-plan-plugin-job", "27-plan"})
    void aNewJobIsShownAsRecorded(String recording) throws Refused {
        JsonNode expected = Recorded.of(recording).body().get("Diff");
        removePeculiarities(expected, "Identity");
        String group = expected.get("TaskGroups").get(0).get("Name").stringValue();
        JsonNode diff =
                Json.toTree(
                        JobDiffs.between(null, stored(sent(recording)), Map.of(group, PLACE_ONE)));
        removePeculiarities(diff, "CSIPluginConfig");
        assertEquals(expected.toPrettyString(), diff.toPrettyString());
    }

    @Test
    void theSameJobHasNoDifference() throws Refused {
        Job job = stored(sent("28-register-job"));
        JobDiff diff = JobDiffs.between(job, job, Map.of());
        assertEquals("None", diff.Type());
        assertNull(diff.Fields());
        assertNotNull(diff.TaskGroups());
        assertEquals("None", diff.TaskGroups().getFirst().Type());
    }

    @Test
    void whatWasChangedIsNamed() throws Refused {
        Job before = stored(sent("28-register-job"));
        ObjectNode json = sent("28-register-job").put("Priority", 60);
        json.putObject("Meta").put("team", "x");
        ObjectNode group = (ObjectNode) json.get("TaskGroups").get(0);
        group.put("Count", 3);
        ((ObjectNode) group.get("Tasks").get(0).get("Resources")).put("CPU", 70);
        JobDiff diff = JobDiffs.between(before, stored(json), Map.of());
        assertEquals("Edited", diff.Type());
        assertEquals(
                List.of(
                        new FieldDiff(null, "Meta[team]", "x", "", "Added"),
                        new FieldDiff(null, "Priority", "60", "50", "Edited")),
                diff.Fields());
        assertNotNull(diff.TaskGroups());
        TaskGroupDiff changed = diff.TaskGroups().getFirst();
        assertEquals(
                List.of(new FieldDiff(List.of("forces create"), "Count", "3", "1", "Edited")),
                changed.Fields());
        assertNotNull(changed.Tasks());
        TaskDiff task = changed.Tasks().getFirst();
        assertEquals(List.of("forces create/destroy update"), task.Annotations());
        assertNotNull(task.Objects());
        ObjectDiff resources = task.Objects().getFirst();
        assertEquals("Resources", resources.Name());
        assertEquals("Edited", resources.Type());
        assertNotNull(resources.Fields());
        assertEquals(
                new FieldDiff(null, "CPU", "70", "50", "Edited"), resources.Fields().getFirst());
    }

    @Test
    void aGroupThatIsGoneIsDeleted() throws Refused {
        Job before = stored(sent("28-register-job"));
        ObjectNode json = sent("28-register-job");
        ((ObjectNode) json.get("TaskGroups").get(0)).put("Name", "other");
        JobDiff diff = JobDiffs.between(before, stored(json), Map.of());
        assertNotNull(diff.TaskGroups());
        assertEquals(
                List.of("Deleted", "Added"),
                diff.TaskGroups().stream().map(TaskGroupDiff::Type).toList());
    }
}
