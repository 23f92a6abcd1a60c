package io.cleat.clusterapi.events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.Json;
import io.cleat.base.Refused;
import io.cleat.clusterapi.PendingCalls;
import io.cleat.clusterapi.Town;
import io.cleat.http.ReadQuery;
import io.cleat.model.ClientStatus;
import io.cleat.model.DesiredStatus;
import io.cleat.model.JobId;
import io.cleat.model.NodeEvent;
import io.cleat.state.AllocationRow;
import io.cleat.state.Change;
import io.cleat.state.ClaimId;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClaimState;
import io.cleat.state.DeploymentRow;
import io.cleat.state.DeploymentStatus;
import io.cleat.state.EvaluationRow;
import io.cleat.state.EvaluationStatus;
import io.cleat.state.JobRow;
import io.cleat.state.NodeDrain;
import io.cleat.state.NodeRow;
import io.cleat.state.NodeStatus;
import io.cleat.state.OperationState;
import io.cleat.state.Trigger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** What is told of each decision: topics, types, keys, and the objects as they were then. */
final class EventViewTest {
    private static final String EVAL = "eeee0000-0000-0000-0000-000000000001";
    private static final String ALLOC = "aaaa1111-0000-0000-0000-000000000001";
    private static final String DEPLOYMENT = "dddd2222-0000-0000-0000-000000000001";
    private static final JobId WEB = new JobId("default", "web");

    /** The events of the last decision, as {@code topic type key [filter keys] namespace}. */
    private static List<String> told(Town town) {
        return EventView.of(town.lastDecision()).stream()
                .map(EventView.Draft::about)
                .map(
                        about ->
                                about.topic()
                                        + " "
                                        + about.type()
                                        + " "
                                        + about.key()
                                        + " "
                                        + about.filterKeys()
                                        + " "
                                        + about.namespace())
                .map(String::strip)
                .toList();
    }

    static Stream<Arguments> decisions() {
        return Stream.of(
                row(
                        "a job is registered",
                        town -> {
                            JobRow job = town.state().job(WEB).orElseThrow();
                            town.apply(
                                    new Change.JobPut(Town.jobRow(job.spec())),
                                    new Change.EvaluationPut(pending(job)));
                        },
                        "Job JobRegistered web [] default",
                        "Evaluation JobRegistered " + EVAL + " [web] default"),
                row(
                        "a job is stopped",
                        town ->
                                town.apply(
                                        new Change.JobStopped(WEB),
                                        new Change.EvaluationPut(
                                                pending(town.state().job(WEB).orElseThrow()))),
                        "Job JobDeregistered web [] default",
                        "Evaluation JobDeregistered " + EVAL + " [web] default"),
                row(
                        "a job that runs a plugin is stopped",
                        town -> town.apply(new Change.JobStopped(new JobId("default", "hostpath"))),
                        "Job JobDeregistered hostpath [] default",
                        "CSIPlugin JobDeregistered hp []"),
                row(
                        "garbage is collected",
                        town ->
                                town.apply(
                                        new Change.JobRemoved(WEB),
                                        new Change.JobRemoved(new JobId("default", "hostpath")),
                                        new Change.AllocationRemoved(Town.WEB_ALLOC),
                                        new Change.EvaluationRemoved(Town.WEB_EVAL)),
                        "Job JobBatchDeregistered web [] default",
                        "Job JobBatchDeregistered hostpath [] default",
                        "CSIPlugin JobBatchDeregistered hp []"),
                row(
                        "a node comes",
                        town -> town.apply(new Change.NodePut(Town.nodeRow("n-2", List.of()))),
                        "Node NodeRegistration n-2 []"),
                row(
                        "a node comes with a plugin",
                        town ->
                                town.apply(
                                        new Change.NodePut(
                                                Town.nodeRow("n-2", List.of(Town.instance(true))))),
                        "Node NodeRegistration n-2 []",
                        "CSIPlugin NodeRegistration hp []"),
                row(
                        "a plugin works on a volume that is not registered yet",
                        town -> town.apply(PendingCalls.creating(town, OperationState.SENT)),
                        "CSIVolume CSIVolumeOperation v9 [hp] default"),
                row(
                        "a node is drained",
                        town -> town.apply(new Change.NodePut(drained(node(town)))),
                        "Node NodeDrain " + Town.NODE + " []"),
                row(
                        "a node is made ineligible",
                        town -> town.apply(new Change.NodePut(node(town).withDrain(null, false))),
                        "Node NodeEligibility " + Town.NODE + " []"),
                row(
                        "something happened on a node",
                        town ->
                                town.apply(
                                        new Change.NodeEventsAdded(
                                                Town.NODE,
                                                List.of(
                                                        new NodeEvent(
                                                                "Storage",
                                                                "Mount volume",
                                                                Map.of(),
                                                                Town.AT)))),
                        "Node NodeStreamEvent " + Town.NODE + " []"),
                row(
                        "a node is not heard any more, and its allocation is lost",
                        town ->
                                town.apply(
                                        new Change.NodeStatusChanged(
                                                Town.NODE, NodeStatus.DOWN, "not heard"),
                                        new Change.AllocationPut(
                                                web(town)
                                                        .edit()
                                                        .status(ClientStatus.LOST, "node down")
                                                        .done())),
                        "Node NodeStreamEvent " + Town.NODE + " []",
                        "Allocation AllocationUpdateDesiredStatus "
                                + Town.WEB_ALLOC
                                + " [web] default",
                        "CSIPlugin NodeStreamEvent hp []"),
                row(
                        "a node is gone",
                        town -> town.apply(new Change.NodeRemoved(Town.NODE)),
                        "Node NodeDeregistration " + Town.NODE + " []",
                        "CSIPlugin NodeDeregistration hp []"),
                row(
                        "a plan places an allocation and its claim",
                        town -> {
                            JobRow job = town.state().job(WEB).orElseThrow();
                            town.apply(
                                    new Change.AllocationPut(
                                            Town.allocation(job, "g", ALLOC, EVAL, Map.of())),
                                    new Change.ClaimPut(granted(town)),
                                    new Change.EvaluationPut(
                                            pending(job)
                                                    .edit()
                                                    .status(EvaluationStatus.COMPLETE, "", Town.AT)
                                                    .done()));
                        },
                        "Evaluation PlanResult " + EVAL + " [web] default",
                        "Allocation PlanResult " + ALLOC + " [web] default",
                        "CSIVolume CSIVolumeClaim v1 [v1, hp] default"),
                row(
                        "a node reports, which ends a claim",
                        town ->
                                town.apply(
                                        new Change.AllocationReported(
                                                Town.WEB_ALLOC,
                                                ClientStatus.COMPLETE,
                                                "",
                                                Map.of(),
                                                Map.of(),
                                                null,
                                                null),
                                        new Change.ClaimRemoved(Town.CLAIM)),
                        "Allocation AllocationUpdated " + Town.WEB_ALLOC + " [web] default",
                        "CSIVolume CSIVolumeClaim v1 [v1, hp] default"),
                row(
                        "a job begins to change",
                        town ->
                                town.apply(
                                        new Change.DeploymentPut(deployment(false)),
                                        new Change.EvaluationPut(
                                                pending(town.state().job(WEB).orElseThrow()))),
                        "Evaluation DeploymentStatusUpdate " + EVAL + " [web] default",
                        "Deployment DeploymentStatusUpdate " + DEPLOYMENT + " [web] default"),
                row(
                        "canaries are promoted",
                        town -> {
                            town.apply(new Change.DeploymentPut(deployment(false)));
                            town.apply(new Change.DeploymentPut(deployment(true)));
                        },
                        "Deployment DeploymentPromotion " + DEPLOYMENT + " [web] default"),
                row(
                        "an allocation is stopped on request",
                        town ->
                                town.apply(
                                        new Change.AllocationPut(
                                                web(town)
                                                        .edit()
                                                        .desired(DesiredStatus.STOP, "on request")
                                                        .done()),
                                        new Change.EvaluationPut(
                                                pending(town.state().job(WEB).orElseThrow()))),
                        "Evaluation AllocationUpdateDesiredStatus " + EVAL + " [web] default",
                        "Allocation AllocationUpdateDesiredStatus "
                                + Town.WEB_ALLOC
                                + " [web] default"),
                row(
                        "a volume is registered again",
                        town ->
                                town.apply(
                                        new Change.VolumePut(
                                                town.state().volume(Town.VOLUME).orElseThrow())),
                        "CSIVolume CSIVolumeRegistered v1 [v1, hp] default"),
                row(
                        "a call was made for a volume",
                        Town::volumeEvent,
                        "CSIVolume CSIVolumeEvent v1 [v1, hp] default"),
                row(
                        "a volume is deregistered",
                        town -> town.apply(new Change.VolumeRemoved(Town.VOLUME)),
                        "CSIVolume CSIVolumeDeregistered v1 [v1, hp] default"),
                row(
                        "what is not shown changes",
                        town -> town.apply(new Change.RequestExpired("r"))));
    }

    private static Arguments row(String what, Consumer<Town> decision, String... events) {
        return Arguments.of(what, decision, List.of(events));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("decisions")
    void eachDecisionTellsEachObjectOnce(String what, Consumer<Town> decision, List<String> events)
            throws Refused {
        Town town = Town.whole();
        decision.accept(town);
        assertEquals(events, told(town), what);
    }

    private static DeploymentRow deployment(boolean promoted) {
        return new DeploymentRow(
                DEPLOYMENT,
                WEB,
                1,
                1,
                DeploymentStatus.RUNNING,
                "",
                Map.of(
                        "g",
                        new DeploymentRow.Group(false, false, promoted, 1, 1, Duration.ZERO, null)),
                Town.AT,
                Town.AT,
                0,
                0);
    }

    private static EvaluationRow pending(JobRow job) {
        return EvaluationRow.pending(EVAL, job, 50, Trigger.JOB_REGISTER, "", Town.AT);
    }

    private static NodeRow node(Town town) {
        return town.state().node(Town.NODE).orElseThrow();
    }

    private static NodeRow drained(NodeRow row) {
        return row.withDrain(
                new NodeDrain(
                        NodeDrain.Status.DRAINING,
                        Duration.ZERO,
                        false,
                        Town.AT,
                        null,
                        null,
                        Map.of()),
                false);
    }

    private static AllocationRow web(Town town) {
        return town.state().allocation(Town.WEB_ALLOC).orElseThrow();
    }

    private static ClaimRow granted(Town town) {
        return Town.claim(
                new ClaimId(ALLOC, "data"),
                true,
                ClaimState.GRANTED,
                town.state().version() + 1,
                null);
    }

    @Test
    void payloadsAreTheObjectsOfTheApiWithoutSecrets() throws Exception {
        Town town = Town.whole();
        List<String> texts = new ArrayList<>();
        for (var decision : town.decisions()) {
            for (EventView.Draft draft : EventView.of(decision)) {
                texts.add(
                        Json.text(
                                draft.about()
                                        .with(
                                                decision.version(),
                                                draft.payload().apply(decision.after()))));
            }
        }
        assertFalse(texts.isEmpty());
        texts.forEach(text -> assertFalse(text.contains(Town.SECRET), text));
        JsonNode volume = payload(town, "Volume");
        assertEquals(
                Json.text(
                        town.cluster()
                                .volumes()
                                .get(ReadQuery.now("default"), "v1")
                                .body()
                                .orElseThrow()),
                volume.toString());
    }

    @Test
    void anAllocationComesWithoutItsJob() throws Exception {
        Town town = Town.start().node().web();
        JsonNode allocation = payload(town, "Allocation");
        assertEquals("web", allocation.at("/JobID").asString());
        assertFalse(allocation.has("Job"));
    }

    @Test
    void whatIsGoneIsShownAsItLastWas() throws Exception {
        Town town = Town.whole().apply(new Change.VolumeRemoved(Town.VOLUME));
        assertEquals("v1", payload(town, "Volume").at("/ID").asString());
    }

    private static JsonNode payload(Town town, String kind) {
        return EventView.of(town.lastDecision()).stream()
                .map(draft -> draft.payload().apply(town.lastDecision().after()))
                .filter(payload -> payload.containsKey(kind))
                .map(payload -> Json.toTree(payload).get(kind))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void everyTopicIsWantedByItsName() throws Exception {
        Town town = Town.whole();
        EventQuery all = EventQuery.of(List.of(), 0, "*");
        for (var decision : town.decisions()) {
            EventView.of(decision).forEach(draft -> assertTrue(all.wants(draft.about())));
        }
    }
}
