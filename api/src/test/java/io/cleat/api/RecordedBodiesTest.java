package io.cleat.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.base.Refused;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Each recorded body, read into our record and written again, is the recorded body. */
class RecordedBodiesTest {
    private static final ObjectMapper PLAIN = new ObjectMapper();

    @ParameterizedTest
    @CsvSource({
        "10-validate-plugin-job, JobValidateResponse",
        "11-plan-plugin-job, JobPlanResponse",
        "12-register-plugin-job, JobRegisterResponse",
        "13-plugins, CsiPluginStub",
        "14-plugin, CsiPlugin",
        "15-create, CsiVolumeResponse",
        "16-volumes, CsiVolumeStub",
        "17-volume, CsiVolume",
        "20-expand, CsiVolumeResponse",
        "21-external, ExternalVolumeResponse",
        "27-plan, JobPlanResponse",
        "29-evaluation, Evaluation",
        "30-job-allocations, AllocationStub",
        "31-jobs, JobStub",
        "32-job, Job",
        "33-job-summary, JobSummary",
        "34-job-evaluations, Evaluation",
        "35-job-versions, JobVersionsResponse",
        "37-allocations, AllocationStub",
        "38-allocation, Allocation",
        "39-alloc-stats, AllocStats",
        "42-alloc-logs-frames, LogFrame",
        "43-volume-claimed, CsiVolume",
        "44-volumes-claimed, CsiVolumeStub",
        "45-nodes, NodeStub",
        "46-agent-members, AgentMembers",
        "48-agent-health, AgentHealth",
        "52-namespaces, Namespace",
        "53-raft-configuration, RaftConfiguration",
        "54-evaluations, Evaluation",
        "55-node, Node",
        "56-node-allocations, Allocation",
        "57-search, SearchResponse",
        "59-second-writer-plan, JobPlanResponse",
        "60-stop-job, JobDeregisterResponse",
        "61-volume-released, CsiVolume",
        "66-stop-unknown-job, JobDeregisterResponse",
    })
    void isReadAndWrittenUnchanged(String recording, String record) throws Refused, ClassNotFoundException {
        Class<?> type = Class.forName("io.cleat.api." + record);
        JsonNode body = Recorded.of(recording).body();
        List<JsonNode> objects = new ArrayList<>();
        if (body.isArray()) {
            body.forEach(objects::add);
        } else {
            objects.add(body);
        }
        for (JsonNode object : objects) {
            byte[] plain = PLAIN.writeValueAsBytes(object);
            byte[] ours = Json.write(Json.read(plain, type));
            assertEquals(
                    PLAIN.readTree(plain).toPrettyString(), PLAIN.readTree(ours).toPrettyString(), recording);
            assertNamesAreInOrder(PLAIN.readTree(ours), type);
        }
    }

    /** The names of our own objects are in the order of their characters. */
    private static void assertNamesAreInOrder(JsonNode object, Class<?> type) {
        List<String> names = new ArrayList<>(object.propertyNames());
        assertEquals(names.stream().sorted().toList(), names, type.getSimpleName());
    }
}
