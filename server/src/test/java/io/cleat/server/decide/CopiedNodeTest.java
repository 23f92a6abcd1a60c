package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.ClientStatus;
import io.cleat.model.MachinePrint;
import io.cleat.model.NodeFacts;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClaimState;
import io.cleat.state.NodeRow;
import io.cleat.state.NodeStatus;
import io.cleat.state.VolumeProgress;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Somebody comes with a node's id and secret. Situation -> answer. */
final class CopiedNodeTest {
    private final Cluster cluster = new Cluster();

    private NodeFacts facts(String boot, Map<String, String> marks) {
        return cluster.facts("n1", boot, cluster.plugin("n1")).from(boot, new MachinePrint(marks));
    }

    private NodeFacts on(String disk, String boot) {
        return facts(boot, Map.of(MachinePrint.OS, "same", MachinePrint.DISK, disk));
    }

    private RegisterNode.Reply comes(NodeFacts facts, boolean formerAnswers) {
        return cluster.accept(new RegisterNode(facts, "secret-n1", formerAnswers, cluster.id()));
    }

    private String turnedAway(NodeFacts facts, boolean formerAnswers) {
        return assertInstanceOf(RegisterNode.NotLetIn.class, comes(facts, formerAnswers))
                .why();
    }

    private NodeRow node() {
        return cluster.state().node("n1").orElseThrow();
    }

    /** The claim of a on n1 is being released, and its next allocation waits on n2. */
    private AllocationRow lostHolder() {
        comes(on("d1", "boot-1"), false);
        cluster.volume("v", Cluster.WRITER);
        cluster.writer("a", "v");
        cluster.runs("a");
        cluster.node("n2");
        cluster.down("n1");
        return cluster.state().allocationsOnNode("n1").getFirst();
    }

    private ClaimState waiting() {
        return cluster.claim("v", "a").state();
    }

    @Test
    void aCopyOnAnotherMachine_freesNothingAndIsNamed() {
        AllocationRow lost = lostHolder();
        String words = turnedAway(on("d2", "boot-2"), false);
        assertTrue(words.contains("another machine or place: another disk"), words);
        assertTrue(words.contains("Nothing on this machine was touched"), words);
        assertEquals(ClaimState.WAITING, waiting());
        assertEquals("boot-1", node().facts().bootId());
        assertEquals(NodeStatus.DOWN, node().status());
        assertTrue(node().isQuarantined());
        assertEquals("Node quarantined", node().events().getLast().message());
        // What the first machine proves itself is still proof.
        comes(on("d1", "boot-1"), false);
        cluster.report(lost, ClientStatus.COMPLETE, VolumeProgress.Phase.UNPUBLISHED);
        assertEquals(ClaimState.GRANTED, waiting());
    }

    @Test
    void aCopyOnTheSameMachine_isNotLetIn() {
        Map<String, String> first = Map.of(MachinePrint.DIRECTORY, "i1");
        comes(facts("boot-1", first), false);
        String words = turnedAway(facts("boot-1", Map.of(MachinePrint.DIRECTORY, "i2")), true);
        assertTrue(words.contains("another data directory"), words);
    }

    @Test
    void aBootOfTheSameMachine_isProof() {
        lostHolder();
        comes(on("d1", "boot-2"), false);
        assertEquals(ClaimState.GRANTED, waiting());
        assertEquals(List.of("boot-1"), node().proof().overBoots());
        assertFalse(node().isQuarantined());
    }

    @Test
    void aMachineThatSaysNoMarks_isProofByItsBootAsBefore() {
        lostHolder();
        comes(facts("boot-2", Map.of()), false);
        assertEquals(ClaimState.GRANTED, waiting());
    }

    @Test
    void anotherBootWhileTheFormerAnswers_isNoProof() {
        lostHolder();
        String words = turnedAway(on("d1", "boot-2"), true);
        assertTrue(words.contains("boot boot-1 still answers"), words);
        assertEquals(ClaimState.WAITING, waiting());
        words = turnedAway(on("d1", "boot-2"), false);
        assertTrue(words.contains("still answers"), "a person decides, not time: " + words);
        assertEquals(ClaimState.WAITING, waiting());
    }

    @Test
    void bootsThatTakeTurns_areNoticedThoughAllMarksAreEqual() {
        lostHolder();
        comes(on("d1", "boot-2"), false);
        String words = turnedAway(on("d1", "boot-1"), false);
        assertTrue(words.contains("two machines take turns"), words);
        assertTrue(node().isQuarantined());
        assertEquals("boot-2", node().facts().bootId());
    }

    @Test
    void theSameOneAgain_isWrittenOnce() {
        lostHolder();
        turnedAway(on("d2", "boot-2"), false);
        long version = cluster.state().version();
        turnedAway(on("d2", "boot-2"), false);
        assertEquals(version, cluster.state().version());
    }

    @Test
    void aQuarantinedNode_takesNothingNewAndKeepsWhatItHas() {
        comes(on("d1", "boot-1"), false);
        cluster.volume("v", Cluster.WRITER);
        cluster.writer("a", "v");
        cluster.runs("a");
        turnedAway(on("d2", "boot-2"), true);
        assertEquals(ClaimState.GRANTED, waiting());
        assertEquals(ClientStatus.RUNNING, cluster.allocation("a").status());
        cluster.volume("w", Cluster.WRITER);
        cluster.writer("b", "w");
        assertEquals(List.of(), cluster.claims("w"));
        String words = cluster.refuse(new SetEligibility("n1", true, cluster.id()));
        assertTrue(words.contains("while it is quarantined"), words);
        cluster.accept(new EndQuarantine("n1", false, "", cluster.id()));
        cluster.schedule();
        assertEquals(ClaimState.GRANTED, cluster.claim("w", "b").state());
    }

    @Test
    void aMachineThatBootsWhileACopyOfItIsQuarantined_isLetIn() {
        lostHolder();
        turnedAway(on("d2", "boot-2"), false);
        comes(on("d1", "boot-3"), false);
        assertEquals(ClaimState.GRANTED, waiting());
        assertTrue(node().isQuarantined(), "the copy is still there");
    }

    @Test
    void aNodeThatHasMoved_isAcceptedOnTheWordThatItsFormerMachineIsOff() {
        lostHolder();
        String words = cluster.refuse(accept("name-n1"));
        assertEquals("node name-n1 is not quarantined", words);
        turnedAway(on("d2", "boot-2"), false);
        words = cluster.refuse(accept(""));
        assertTrue(words.contains("-machine-is-off=name-n1"), words);
        words = cluster.refuse(accept("name-n2"));
        assertTrue(words.contains("the node is name-n1 (n1)"), words);
        assertEquals(ClaimState.WAITING, waiting());
        cluster.accept(accept("name-n1"));
        assertEquals(ClaimState.GRANTED, waiting());
        assertInstanceOf(RegisterNode.LetIn.class, comes(on("d2", "boot-2"), false));
        assertEquals(NodeStatus.READY, node().status());
        turnedAway(on("d1", "boot-1"), false);
    }

    @Test
    void aMoveWithinOneBoot_freesNothing() {
        lostHolder();
        turnedAway(on("d2", "boot-1"), false);
        cluster.accept(accept("n1"));
        assertEquals(ClaimState.WAITING, waiting(), "what is mounted stays so until a boot");
        comes(on("d2", "boot-1"), false);
        assertEquals(NodeStatus.READY, node().status());
    }

    @Test
    void aNodeWhoseFormerMachineIsHeard_cannotBeAnother() {
        comes(on("d1", "boot-1"), false);
        turnedAway(on("d2", "boot-2"), false);
        String words = cluster.refuse(accept("name-n1"));
        assertTrue(words.contains("can be heard, so it is not off"), words);
    }

    @Test
    void aCopyOfACollectedNode_isNamedToo() {
        lostHolder();
        cluster.accept(CollectGarbage.NOW);
        assertTrue(cluster.state().nodeTombstone("n1").isPresent());
        turnedAway(on("d2", "boot-2"), false);
        assertTrue(node().isQuarantined());
        assertEquals(NodeStatus.INITIALIZING, node().status());
        assertEquals(ClaimState.WAITING, waiting());
        cluster.accept(accept("n1"));
        assertEquals(ClaimState.GRANTED, waiting());
    }

    @Test
    void factsFromAnotherBoot_areNoBoot() {
        lostHolder();
        cluster.refuse(new ReportFacts(on("d1", "boot-2"), cluster.id()));
        assertEquals(ClaimState.WAITING, waiting());
    }

    private EndQuarantine accept(String machineIsOff) {
        return new EndQuarantine("n1", true, machineIsOff, cluster.id());
    }
}
