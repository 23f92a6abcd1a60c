package io.cleat.server.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.AddressMode;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.OnUpdate;
import io.cleat.model.Service;
import io.cleat.server.decide.Cluster;
import io.cleat.state.AllocationRow;
import io.cleat.state.Change;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The services that a node is told of. */
final class SentServicesTest {
    private final Cluster cluster = new Cluster();
    private final List<ToNode.ServicePlaces> said = new ArrayList<>();
    private final SentServices told = new SentServices("n1");
    private final AllocationRow web;

    SentServicesTest() {
        cluster.level = Change.NEWEST_LEVEL;
        cluster.node("n1");
        cluster.run(serving("web"));
        cluster.run(serving("other"));
        web = cluster.allocation("web");
    }

    private static JobSpec serving(String id) {
        Service service = new Service(
                "front",
                "80",
                AddressMode.AUTO,
                "10.0.0.7",
                List.of(id),
                List.of(),
                Map.of(),
                Map.of(),
                OnUpdate.REQUIRE_HEALTHY,
                "",
                List.of());
        JobSpec plain = Cluster.job(id, JobType.SERVICE, 1);
        return plain.withGroups(List.of(plain.groups().getFirst().serving(List.of(service))));
    }

    private boolean want(String allocId, String name, boolean wanted) {
        return told.want(cluster.state(), new ToServer.ServicesWanted(allocId, name, wanted));
    }

    private List<ToNode.ServicePlaces> tell() throws Exception {
        said.clear();
        told.tell(cluster.state(), message -> said.add((ToNode.ServicePlaces) message));
        return said;
    }

    @Test
    void whoAsks_isTold_andAgainOnlyWhatIsDifferent() throws Exception {
        assertTrue(want(web.id(), "front", true));
        assertEquals(List.of(), tell().getFirst().places(), "nothing runs yet");
        assertEquals(List.of(), tell());
        cluster.runs("other");
        ToNode.ServicePlace place = tell().getFirst().places().getFirst();
        assertEquals("other", place.jobId());
        assertEquals("10.0.0.7:80", place.address() + ":" + place.port());
        assertEquals(List.of(), tell());
        want(web.id(), "front", false);
        want(web.id(), "front", true);
        assertEquals(1, tell().size(), "who asks again may have lost it");
    }

    @Test
    void aListHasEachNameOnce_withTheTagsOfAll() throws Exception {
        cluster.runs("web");
        cluster.runs("other");
        want(web.id(), "", true);
        List<ToNode.ServicePlace> names = tell().getFirst().places();
        assertEquals(1, names.size());
        assertEquals("front", names.getFirst().name());
        assertEquals(List.of("other", "web"), names.getFirst().tags());
    }

    @Test
    void whoDoesNotRunThere_isToldNothing() throws Exception {
        assertFalse(want("made-up", "front", true));
        assertFalse(new SentServices("n2").want(cluster.state(), new ToServer.ServicesWanted(web.id(), "front", true)));
        assertFalse(told.areWanted());
        assertEquals(List.of(), tell());
    }

    @Test
    void aServiceThatComesOrGoes_touchesThoseWhoRead_andAnotherReportDoesNot() {
        List<Change> runs = List.of(new Change.AllocationReported(
                web.id(), io.cleat.model.ClientStatus.RUNNING, "", Map.of(), Map.of(), null, null));
        var before = cluster.state();
        var after = before.apply(runs, before.version() + 1, cluster.now());
        assertTrue(AffectedAllocations.by(before, runs, after).areServices());
        var later = after.apply(runs, after.version() + 1, cluster.now());
        assertFalse(AffectedAllocations.by(after, runs, later).areServices());
    }
}
