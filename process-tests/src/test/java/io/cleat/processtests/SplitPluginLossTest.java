package io.cleat.processtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.AllocationStub;
import io.cleat.api.NodeEligibilityRequest;
import io.cleat.api.Params;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A node, then the controller's machine, goes away and comes back. */
class SplitPluginLossTest extends SplitPluginGround {
    private static final String ALONE = "single-node-writer";

    SplitPluginLossTest() throws Exception {}

    @Test
    void aNodeGoesAwayThenTheControllersMachineAndBothComeBack() throws Exception {
        start();
        NodeMachine controls = controls();
        NodeMachine other = controls == one ? two : one;
        api.create(volume("many", MANY));
        api.run(job("beat", "system", "many", MANY, false, BEAT));
        api.create(volume("alone", ALONE));
        takesNew(controls, false);
        api.run(job("count", "service", "alone", ALONE, false, COUNT));
        api.awaitRunning("count", other.name());
        takesNew(controls, true);
        assertEquals(Set.of(provided(other)), api.attachedTo("local", "alone"));

        anAgentDiesAndItsWorkloadGoesOn(controls, other);
        aMachineDiesAndTheControllerIsPlacedElsewhere(controls, other);
        assertOneWriterAtATime("alone");
        assertEndsWithNothing(List.of("many", "alone"), "beat", "count");
    }

    private NodeMachine controls() throws Exception {
        List<String> nodes = api.plugin("local").Controllers().entrySet().stream()
                .filter(node -> node.getValue().Healthy())
                .map(Map.Entry::getKey)
                .toList();
        assertEquals(1, nodes.size());
        return id(one).equals(nodes.getFirst()) ? one : two;
    }

    private void takesNew(NodeMachine machine, boolean eligible) throws Exception {
        api.client()
                .nodes()
                .eligibility(
                        new NodeEligibilityRequest(eligible ? "eligible" : "ineligible", id(machine)), Params.none());
    }

    private void anAgentDiesAndItsWorkloadGoesOn(NodeMachine controls, NodeMachine other) throws Exception {
        other.agent().kill();
        api.awaitNode(other.name(), "down");
        api.awaitPlugin("local", 1, 1);
        awaitReplacementThatWaits(controls, other);
        assertGrows(data("alone").resolve("numbers"));
        aVolumeComesAndGoes(controls);
        assertEquals(Set.of(provided(other)), api.attachedTo("local", "alone"));

        other.agent().start();
        api.awaitRunning("count", controls.name());
        assertGrows(data("alone").resolve("numbers"));
        assertEquals(Set.of(provided(controls)), api.attachedTo("local", "alone"));
        api.awaitPlugin("local", 1, 2);
        awaitBeatsOnBoth();
    }

    private void aMachineDiesAndTheControllerIsPlacedElsewhere(NodeMachine controls, NodeMachine other)
            throws Exception {
        controls.powerOff();
        api.awaitNode(controls.name(), "down");
        api.awaitPlugin("local", 1, 1);
        assertEquals(other, controls());
        awaitReplacementThatWaits(other, controls);
        aVolumeComesAndGoes(other);
        assertEquals(Set.of(provided(controls)), api.attachedTo("local", "alone"));

        controls.boot();
        controls.agent().start();
        api.awaitRunning("count", other.name());
        assertGrows(data("alone").resolve("numbers"));
        api.awaitPlugin("local", 1, 2);
        assertEquals(Set.of(provided(other)), api.attachedTo("local", "alone"));
        awaitBeatsOnBoth();
    }

    /** No proof, no grant: it is placed, and not started. */
    private void awaitReplacementThatWaits(NodeMachine where, NodeMachine former) throws Exception {
        Api.await(
                () -> api.client().volumes().why("alone", Params.none()).body().Claims().stream()
                        .anyMatch(claim -> claim.NodeName().equals(where.name())
                                && claim.State().equals("waiting")),
                "the next writer waits on " + where);
        String why = api.why("alone");
        assertTrue(why.contains("has booted"), why);
        assertTrue(why.contains(id(former)) || why.contains(former.name()), why);
        assertEquals(Optional.empty(), place("count").filter(where::equals));
    }

    /** Created, attached, written, detached and deleted on a node. */
    private void aVolumeComesAndGoes(NodeMachine machine) throws Exception {
        api.create(volume("brief", ALONE));
        api.run(job("brief", "service", "brief", ALONE, false, COUNT));
        api.awaitRunning("brief", machine.name());
        assertGrows(data("brief").resolve("numbers"));
        assertEquals(Set.of(provided(machine)), api.attachedTo("local", "brief"));
        api.stop("brief");
        api.delete("brief");
    }

    private void awaitBeatsOnBoth() throws Exception {
        for (NodeMachine machine : machines) {
            AllocationStub alloc = api.awaitRunning("beat", machine.name());
            assertGrows(data("many").resolve(alloc.ID()));
        }
    }
}
