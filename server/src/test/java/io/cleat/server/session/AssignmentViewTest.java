package io.cleat.server.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.cleat.model.ClientStatus;
import io.cleat.model.ControllerCapability;
import io.cleat.model.DesiredStatus;
import io.cleat.model.JobType;
import io.cleat.model.PluginInstance;
import io.cleat.server.decide.Cluster;
import io.cleat.server.decide.ReportFacts;
import io.cleat.server.vault.NoSecrets;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClaimRow;
import io.cleat.state.VolumeProgress;
import io.cleat.wire.ToNode;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A plugin of two parts: a controller that attaches nothing, and a node service beside it. */
class AssignmentViewTest {
    private final Cluster cluster = new Cluster();

    AssignmentViewTest() {
        cluster.register(cluster.facts("n1", "boot-1", instance(false)));
        cluster.volume("v", Cluster.WRITER);
        cluster.run(Cluster.job("controller", JobType.SERVICE, 1, Cluster.pluginSpec("/local/csi"), "/bin/true"));
        cluster.accept(new ReportFacts(cluster.facts("n1", "boot-1", instance(true)), cluster.id()));
        cluster.writer("a", "v");
    }

    private PluginInstance instance(boolean hasController) {
        return new PluginInstance(
                Cluster.PLUGIN,
                "plugin-alloc",
                true,
                "healthy",
                "org.example",
                "1",
                true,
                false,
                Instant.EPOCH,
                hasController
                        ? new PluginInstance.Controller(Set.of(ControllerCapability.CREATE_DELETE_VOLUME), false)
                        : null,
                new PluginInstance.Node("ext-n1", 1000, null, Set.of()));
    }

    private void controllerEnds() {
        cluster.accept(new ReportFacts(cluster.facts("n1", "boot-1", instance(false)), cluster.id()));
    }

    private AssignmentView view() {
        return new AssignmentView(cluster.state(), "n1");
    }

    private ToNode.@Nullable Grant grant(String job) {
        String alloc = cluster.allocation(job).id();
        return Objects.requireNonNull(assignment(alloc).volumes().get("v")).grant();
    }

    private ToNode.Assignment assignment(String allocId) {
        AllocationRow row = view().allocation(allocId).orElseThrow();
        return view().assignment(row, new NoSecrets());
    }

    /** A node that had lost its file began it once more, beside its replacement. */
    @Test
    void whatHasFailed_isToStop_alsoForANodeThatHasForgottenIt() {
        cluster.runs("a");
        AllocationRow failed = cluster.allocation("a");
        cluster.ends(failed, ClientStatus.FAILED);
        assertEquals(
                DesiredStatus.RUN,
                cluster.state().allocation(failed.id()).orElseThrow().desired());
        assertEquals(DesiredStatus.STOP, assignment(failed.id()).desired());
    }

    /** It waited for the controller: nothing lost was mounted anew after the agent's restart. */
    @Test
    void controllerIsGone_whatWasMountedIsStillGranted() {
        cluster.runs("a");
        controllerEnds();
        ToNode.Grant grant = Objects.requireNonNull(grant("a"), "no grant");
        assertEquals(cluster.claim("v", "a").epoch(), grant.epoch());
    }

    @Test
    void controllerIsGone_whatWasBegunIsStillGranted() {
        cluster.report(cluster.allocation("a"), ClientStatus.PENDING, VolumeProgress.Phase.MOUNTING);
        controllerEnds();
        assertNotNull(grant("a"));
    }

    /** Whether it is to be attached is not known, so nothing is begun. */
    @Test
    void controllerIsGone_whatNoNodeHasBegunWaits() {
        controllerEnds();
        assertNull(grant("a"));
    }

    /** What a node did by another grant says nothing of this one. */
    @Test
    void controllerIsGone_andTheNodeTellsOfAnotherEpoch_waits() {
        AllocationRow row = cluster.allocation("a");
        ClaimRow claim = cluster.claim("v", "a");
        cluster.report(
                row,
                ClientStatus.RUNNING,
                Map.of(
                        "v",
                        new VolumeProgress(
                                claim.volume(), claim.epoch() - 1, VolumeProgress.Phase.PUBLISHED, 0, null)));
        controllerEnds();
        assertNull(grant("a"));
    }

    /** A session sends its assignments only when these differ. */
    @Test
    void grantThatComesWithTheNodesReport_isAnotherSource() {
        controllerEnds();
        AllocationRow row = cluster.allocation("a");
        var before = view().source(row);
        cluster.runs("a");
        assertNotEquals(before, view().source(cluster.allocation("a")));
    }
}
