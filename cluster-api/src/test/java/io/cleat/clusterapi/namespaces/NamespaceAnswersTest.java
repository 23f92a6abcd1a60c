package io.cleat.clusterapi.namespaces;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.Namespace;
import io.cleat.api.NamespaceCapabilities;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.clusterapi.Intake;
import io.cleat.clusterapi.SampleCluster;
import io.cleat.http.ListQuery;
import io.cleat.http.ReadQuery;
import io.cleat.http.WriteQuery;
import io.cleat.state.Change;
import io.cleat.state.NamespaceRow;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class NamespaceAnswersTest {
    private static final ReadQuery NOW = ReadQuery.now("default");
    private static final WriteQuery WRITE = new WriteQuery("default", "");
    private static final NamespaceRow TEAM =
            new NamespaceRow("team", "of the team", Map.of("owner", "a"), List.of("exec"), List.of("raw_exec"), 0, 0);

    private static Namespace wanted(
            String name, String description, String quota, @Nullable NamespaceCapabilities able) {
        return new Namespace(able, null, 0, description, null, null, 0, name, null, null, quota, null, null);
    }

    private static SampleCluster sample() {
        return SampleCluster.start().apply(new Change.NamespacePut(TEAM));
    }

    @Test
    void allAreListed_theDefaultOneToo() throws Exception {
        assertEquals(
                List.of("default", "team"),
                sample().cluster().namespaces().list(ListQuery.all("default")).body().toList().stream()
                        .map(Namespace::Name)
                        .toList());
    }

    @Test
    void oneIsShownAsItWasMade() throws Exception {
        Namespace team = sample().cluster().namespaces().get(NOW, "team").body().orElseThrow();
        assertEquals("of the team", team.Description());
        assertEquals(Map.of("owner", "a"), team.Meta());
        assertEquals(new NamespaceCapabilities(List.of("exec"), List.of("raw_exec"), null, null), team.Capabilities());
        assertEquals(team.CreateIndex(), team.ModifyIndex());
    }

    @Test
    void theDefaultOne_isThereFromTheFirstDay_untilItIsDescribed() throws Exception {
        Namespace first = get(SampleCluster.start(), "default");
        assertEquals("Default shared namespace", first.Description());
        assertNull(first.Capabilities());
        SampleCluster described = SampleCluster.start()
                .apply(new Change.NamespacePut(
                        new NamespaceRow("default", "ours", Map.of(), List.of(), List.of(), 0, 0)));
        assertEquals("ours", get(described, "default").Description());
    }

    private static Namespace get(SampleCluster sample, String name) throws Exception {
        return sample.cluster().namespaces().get(NOW, name).body().orElseThrow();
    }

    @Test
    void oneThatIsNotThere_isMissing() throws Exception {
        assertEquals(
                Optional.empty(),
                sample().cluster().namespaces().get(NOW, "tea").body());
    }

    @Test
    void whatIsNotSupportedOrTooLong_isRefusedAllAtOnce() {
        Refused refused = assertThrows(
                Refused.class,
                () -> sample().cluster()
                        .namespaces()
                        .apply(
                                WRITE,
                                wanted(
                                        "a b",
                                        "x".repeat(300),
                                        "q",
                                        new NamespaceCapabilities(null, null, List.of("bridge"), null))));
        Refusal.Invalid invalid = (Refusal.Invalid) refused.refusal();
        assertEquals(4, invalid.faults().size(), invalid.message());
    }

    @Test
    void whatIsWanted_isStored_andDeleted() throws Exception {
        SampleCluster sample = SampleCluster.start();
        try (Intake intake = Intake.over(sample.state())) {
            appliesAndDeletes(intake);
        }
    }

    private static void appliesAndDeletes(Intake intake) throws Exception {
        NamespaceAnswers namespaces = intake.cluster().namespaces();
        namespaces.apply(
                WRITE, wanted("team", "ours", "", new NamespaceCapabilities(List.of("exec"), null, List.of(), null)));
        NamespaceRow row = intake.state().namespace("team").orElseThrow();
        assertEquals(
                new NamespaceRow(
                        "team", "ours", Map.of(), List.of("exec"), List.of(), row.createVersion(), row.modifyVersion()),
                row);
        namespaces.delete(WRITE, "team");
        assertTrue(intake.state().namespace("team").isEmpty());
    }
}
