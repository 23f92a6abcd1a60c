package io.cleat.clusterapi.events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.Json;
import io.cleat.base.Refused;
import io.cleat.clusterapi.PendingCalls;
import io.cleat.clusterapi.SampleCluster;
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
    private static List<String> told(SampleCluster sample) {
        return EventView.of(sample.lastDecision()).stream()
                .map(EventView.Draft::about)
                .map(about -> about.topic()
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
                        sample -> {
                            JobRow job = sample.state().job(WEB).orElseThrow();
                            sample.apply(
                                    new Change.JobPut(SampleCluster.jobRow(job.spec())),
                                    new Change.EvaluationPut(pending(job)));
                        },
                        "Job JobRegistered web [] default",
                        "Evaluation JobRegistered " + EVAL + " [web] default"),
                row(
                        "a job is stopped",
                        sample -> sample.apply(
                                new Change.JobStopped(WEB),
                                new Change.EvaluationPut(
                                        pending(sample.state().job(WEB).orElseThrow()))),
                        "Job JobDeregistered web [] default",
                        "Evaluation JobDeregistered " + EVAL + " [web] default"),
                row(
                        "a job that runs a plugin is stopped",
                        sample -> sample.apply(new Change.JobStopped(new JobId("default", "hostpath"))),
                        "Job JobDeregistered hostpath [] default",
                        "CSIPlugin JobDeregistered hp []"),
                row(
                        "garbage is collected",
                        sample -> sample.apply(
                                new Change.JobRemoved(WEB),
                                new Change.JobRemoved(new JobId("default", "hostpath")),
                                new Change.AllocationRemoved(SampleCluster.WEB_ALLOC),
                                new Change.EvaluationRemoved(SampleCluster.WEB_EVAL)),
                        "Job JobBatchDeregistered web [] default",
                        "Job JobBatchDeregistered hostpath [] default",
                        "CSIPlugin JobBatchDeregistered hp []"),
                row(
                        "a node comes",
                        sample -> sample.apply(new Change.NodePut(SampleCluster.nodeRow("n-2", List.of()))),
                        "Node NodeRegistration n-2 []"),
                row(
                        "a node comes with a plugin",
                        sample -> sample.apply(new Change.NodePut(
                                SampleCluster.nodeRow("n-2", List.of(SampleCluster.instance(true))))),
                        "Node NodeRegistration n-2 []",
                        "CSIPlugin NodeRegistration hp []"),
                row(
                        "a plugin works on a volume that is not registered yet",
                        sample -> sample.apply(PendingCalls.creating(sample, OperationState.SENT)),
                        "CSIVolume CSIVolumeOperation v9 [hp] default"),
                row(
                        "a node is drained",
                        sample -> sample.apply(new Change.NodePut(drained(node(sample)))),
                        "Node NodeDrain " + SampleCluster.NODE + " []"),
                row(
                        "a node is made ineligible",
                        sample -> sample.apply(new Change.NodePut(node(sample).withDrain(null, false))),
                        "Node NodeEligibility " + SampleCluster.NODE + " []"),
                row(
                        "something happened on a node",
                        sample -> sample.apply(new Change.NodeEventsAdded(
                                SampleCluster.NODE,
                                List.of(new NodeEvent("Storage", "Mount volume", Map.of(), SampleCluster.AT)))),
                        "Node NodeStreamEvent " + SampleCluster.NODE + " []"),
                row(
                        "a node is not heard any more, and its allocation is lost",
                        sample -> sample.apply(
                                new Change.NodeStatusChanged(SampleCluster.NODE, NodeStatus.DOWN, "not heard"),
                                new Change.AllocationPut(web(sample).status(ClientStatus.LOST, "node down"))),
                        "Node NodeStreamEvent " + SampleCluster.NODE + " []",
                        "Allocation AllocationUpdateDesiredStatus " + SampleCluster.WEB_ALLOC + " [web] default",
                        "CSIPlugin NodeStreamEvent hp []"),
                row(
                        "a node is gone",
                        sample -> sample.apply(new Change.NodeRemoved(SampleCluster.NODE)),
                        "Node NodeDeregistration " + SampleCluster.NODE + " []",
                        "CSIPlugin NodeDeregistration hp []"),
                row(
                        "a plan places an allocation and its claim",
                        sample -> {
                            JobRow job = sample.state().job(WEB).orElseThrow();
                            sample.apply(
                                    new Change.AllocationPut(SampleCluster.allocation(job, "g", ALLOC, EVAL, Map.of())),
                                    new Change.ClaimPut(granted(sample)),
                                    new Change.EvaluationPut(
                                            pending(job).status(EvaluationStatus.COMPLETE, "", SampleCluster.AT)));
                        },
                        "Evaluation PlanResult " + EVAL + " [web] default",
                        "Allocation PlanResult " + ALLOC + " [web] default",
                        "CSIVolume CSIVolumeClaim v1 [v1, hp] default"),
                row(
                        "a node reports, which ends a claim",
                        sample -> sample.apply(
                                new Change.AllocationReported(
                                        SampleCluster.WEB_ALLOC,
                                        ClientStatus.COMPLETE,
                                        "",
                                        Map.of(),
                                        Map.of(),
                                        null,
                                        null),
                                new Change.ClaimRemoved(SampleCluster.CLAIM)),
                        "Allocation AllocationUpdated " + SampleCluster.WEB_ALLOC + " [web] default",
                        "CSIVolume CSIVolumeClaim v1 [v1, hp] default"),
                row(
                        "a job begins to change",
                        sample -> sample.apply(
                                new Change.DeploymentPut(deployment(false)),
                                new Change.EvaluationPut(
                                        pending(sample.state().job(WEB).orElseThrow()))),
                        "Evaluation DeploymentStatusUpdate " + EVAL + " [web] default",
                        "Deployment DeploymentStatusUpdate " + DEPLOYMENT + " [web] default"),
                row(
                        "canaries are promoted",
                        sample -> {
                            sample.apply(new Change.DeploymentPut(deployment(false)));
                            sample.apply(new Change.DeploymentPut(deployment(true)));
                        },
                        "Deployment DeploymentPromotion " + DEPLOYMENT + " [web] default"),
                row(
                        "an allocation is stopped on request",
                        sample -> sample.apply(
                                new Change.AllocationPut(web(sample).desired(DesiredStatus.STOP, "on request")),
                                new Change.EvaluationPut(
                                        pending(sample.state().job(WEB).orElseThrow()))),
                        "Evaluation AllocationUpdateDesiredStatus " + EVAL + " [web] default",
                        "Allocation AllocationUpdateDesiredStatus " + SampleCluster.WEB_ALLOC + " [web] default"),
                row(
                        "a volume is registered again",
                        sample -> sample.apply(new Change.VolumePut(
                                sample.state().volume(SampleCluster.VOLUME).orElseThrow())),
                        "CSIVolume CSIVolumeRegistered v1 [v1, hp] default"),
                row(
                        "a call was made for a volume",
                        SampleCluster::volumeEvent,
                        "CSIVolume CSIVolumeEvent v1 [v1, hp] default"),
                row(
                        "a volume is deregistered",
                        sample -> sample.apply(new Change.VolumeRemoved(SampleCluster.VOLUME)),
                        "CSIVolume CSIVolumeDeregistered v1 [v1, hp] default"),
                row("what is not shown changes", sample -> sample.apply(new Change.RequestExpired("r"))));
    }

    private static Arguments row(String what, Consumer<SampleCluster> decision, String... events) {
        return Arguments.of(what, decision, List.of(events));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("decisions")
    void eachDecisionTellsEachObjectOnce(String what, Consumer<SampleCluster> decision, List<String> events)
            throws Refused {
        SampleCluster sample = SampleCluster.whole();
        decision.accept(sample);
        assertEquals(events, told(sample), what);
    }

    private static DeploymentRow deployment(boolean promoted) {
        return new DeploymentRow(
                DEPLOYMENT,
                WEB,
                1,
                1,
                DeploymentStatus.RUNNING,
                "",
                Map.of("g", new DeploymentRow.Group(false, false, promoted, 1, 1, Duration.ZERO, null)),
                SampleCluster.AT,
                SampleCluster.AT,
                0,
                0);
    }

    private static EvaluationRow pending(JobRow job) {
        return EvaluationRow.pending(EVAL, job, 50, Trigger.JOB_REGISTER, "", SampleCluster.AT);
    }

    private static NodeRow node(SampleCluster sample) {
        return sample.state().node(SampleCluster.NODE).orElseThrow();
    }

    private static NodeRow drained(NodeRow row) {
        return row.withDrain(
                new NodeDrain(NodeDrain.Status.DRAINING, Duration.ZERO, false, SampleCluster.AT, null, null, Map.of()),
                false);
    }

    private static AllocationRow web(SampleCluster sample) {
        return sample.state().allocation(SampleCluster.WEB_ALLOC).orElseThrow();
    }

    private static ClaimRow granted(SampleCluster sample) {
        return SampleCluster.claim(
                new ClaimId(ALLOC, "data"),
                true,
                ClaimState.GRANTED,
                sample.state().version() + 1,
                null);
    }

    @Test
    void payloadsAreTheObjectsOfTheApiWithoutSecrets() throws Exception {
        SampleCluster sample = SampleCluster.whole();
        List<String> texts = new ArrayList<>();
        for (var decision : sample.decisions()) {
            for (EventView.Draft draft : EventView.of(decision)) {
                texts.add(Json.text(
                        draft.about().with(decision.version(), draft.payload().apply(decision.after()))));
            }
        }
        assertFalse(texts.isEmpty());
        texts.forEach(text -> assertFalse(text.contains(SampleCluster.SECRET), text));
        JsonNode volume = payload(sample, "Volume");
        assertEquals(
                Json.text(sample.cluster()
                        .volumes()
                        .get(ReadQuery.now("default"), "v1")
                        .body()
                        .orElseThrow()),
                volume.toString());
    }

    @Test
    void anAllocationComesWithoutItsJob() throws Exception {
        SampleCluster sample = SampleCluster.start().node().web();
        JsonNode allocation = payload(sample, "Allocation");
        assertEquals("web", allocation.at("/JobID").asString());
        assertFalse(allocation.has("Job"));
    }

    @Test
    void whatIsGoneIsShownAsItLastWas() throws Exception {
        SampleCluster sample = SampleCluster.whole().apply(new Change.VolumeRemoved(SampleCluster.VOLUME));
        assertEquals("v1", payload(sample, "Volume").at("/ID").asString());
    }

    private static JsonNode payload(SampleCluster sample, String kind) {
        return EventView.of(sample.lastDecision()).stream()
                .map(draft -> draft.payload().apply(sample.lastDecision().after()))
                .filter(payload -> payload.containsKey(kind))
                .map(payload -> Json.toTree(payload).get(kind))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void everyTopicIsWantedByItsName() throws Exception {
        SampleCluster sample = SampleCluster.whole();
        EventQuery all = EventQuery.of(List.of(), 0, "*");
        for (var decision : sample.decisions()) {
            EventView.of(decision).forEach(draft -> assertTrue(all.wants(draft.about())));
        }
    }
}
