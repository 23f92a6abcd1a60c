package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Effect;
import io.cleat.model.BlockedBy;
import io.cleat.model.CallEnd;
import io.cleat.model.ClientStatus;
import io.cleat.model.ControllerCapability;
import io.cleat.model.VolumeEvent;
import io.cleat.state.AttachmentRow;
import io.cleat.state.Change;
import io.cleat.state.Encrypted;
import io.cleat.state.OperationOutcome;
import io.cleat.state.OperationRow;
import io.cleat.state.OperationState;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What people are told of the answer to a controller call: the events of its volume, and what the attachment waits for.
 */
final class OutcomeWordsTest {
    private final Cluster cluster = new Cluster();

    @BeforeEach
    void aVolumeThatIsBeingAttached() {
        cluster.level = Change.PAST_LEVEL;
        cluster.register(cluster.facts(
                "n1",
                "boot-1",
                cluster.plugin(
                        "n1",
                        ControllerCapability.CREATE_DELETE_VOLUME,
                        ControllerCapability.PUBLISH_UNPUBLISH_VOLUME)));
        String register = cluster.id();
        cluster.accept(new RegisterVolume(Cluster.volume("v", "e", Cluster.WRITER), Encrypted.NONE, register));
        answered(register, new OperationOutcome.Confirmed());
        cluster.writer("a", "v");
    }

    private String attach() {
        String id = cluster.id();
        cluster.accept(new Attach(cluster.claim("v", "a").id(), id));
        return id;
    }

    private void answered(String id, OperationOutcome outcome) {
        OperationRow row = operation(id);
        cluster.accept(new SendOperation(id, 1, row.nodeId(), row.allocId()));
        cluster.accept(new EndOperation(id, row.nodeId(), outcome, cluster.id()));
    }

    private OperationRow operation(String id) {
        return cluster.state().operations().get(id).orElseThrow();
    }

    private AttachmentRow attachment() {
        return cluster.state().attachments().all().iterator().next();
    }

    /** Code and words of what the volume's events have of its attaching. */
    private List<String> told() {
        return cluster.state().volume(Cluster.volumeId("v")).orElseThrow().events().stream()
                .filter(event -> event.call().equals("ControllerPublishVolume"))
                .map(OutcomeWordsTest::words)
                .toList();
    }

    private static String words(VolumeEvent event) {
        return event.code() + ": " + event.message();
    }

    private static OperationOutcome.Failed failed(Effect effect, String code, String words) {
        return new OperationOutcome.Failed(effect, code, words);
    }

    @Test
    void anAnswerThatLeavesItOpen_isAnEvent_andOneMoreOnlyWhereItSaysSomethingElse() {
        String id = attach();
        answered(id, failed(Effect.UNKNOWN, "Internal", "the bus is busy"));
        assertEquals(List.of("Unknown: the bus is busy"), told());
        answered(id, failed(Effect.UNKNOWN, "Internal", "the bus is busy"));
        assertEquals(List.of("Unknown: the bus is busy"), told());
        answered(id, failed(Effect.UNKNOWN, "Internal", "the bus is gone"));
        assertEquals(List.of("Unknown: the bus is busy", "Unknown: the bus is gone"), told());
        assertEquals(OperationState.UNKNOWN, operation(id).state());
        assertEquals(operation(id).blockedBy(), attachment().blockedBy());
    }

    @Test
    void aRefusal_isAnEvent_withACodeAlsoWhereThePluginGaveNone() {
        String id = attach();
        answered(id, failed(Effect.NONE, "", "no such node"));
        assertEquals(List.of("Failed: no such node"), told());
        assertEquals(OperationState.DONE, operation(id).state());
    }

    @Test
    void aCallThatIsMadeByTheNextInstance_saysSoInTheAttachmentToo() {
        String id = attach();
        answered(id, failed(Effect.NONE, CallEnd.NOT_MADE, "it is not on this node"));
        assertEquals(OperationState.LOGGED, operation(id).state());
        assertEquals(List.of("NotMade: it is not on this node"), told());
        BlockedBy waits = Objects.requireNonNull(attachment().blockedBy());
        assertEquals("it is made by the next instance of the plugin that is healthy", waits.hint());
        assertEquals(operation(id).blockedBy(), waits);
    }

    @Test
    void aCallThatIsWithheldThoughItIsOwed_saysWhatAPersonCanDo() {
        String id = attach();
        answered(id, failed(Effect.UNKNOWN, CallEnd.PLUGIN_ENDED, "the plugin ended"));
        answered(id, failed(Effect.NONE, CallEnd.WITHHELD, "the plugin ends by it"));
        assertEquals(OperationState.UNKNOWN, operation(id).state());
        assertTrue(operation(id).past().waitsForPerson());
        assertEquals(List.of("Unknown: the plugin ended", "Withheld: the plugin ends by it"), told());
        BlockedBy waits = Objects.requireNonNull(attachment().blockedBy());
        assertTrue(waits.hint().contains("cleat alloc restart plugin-alloc-n1 "), waits.hint());
    }

    /** No try of it can have worked, so nothing is owed to the provider. */
    @Test
    void aCallThatIsWithheldAndWasNeverMade_isOver() {
        String id = attach();
        answered(id, failed(Effect.NONE, CallEnd.WITHHELD, "the plugin ends by it"));
        assertEquals(OperationState.DONE, operation(id).state());
        assertEquals(List.of("Withheld: the plugin ends by it"), told());
    }

    @Test
    void aDetachThatIsWithheld_isOwedThoughItWasNeverMade() {
        answered(attach(), new OperationOutcome.Published(Encrypted.NONE));
        cluster.runs("a");
        cluster.stop("a");
        cluster.ends(cluster.allocation("a"), ClientStatus.COMPLETE);
        String id = cluster.id();
        cluster.accept(new Detach(attachment().id(), id));
        answered(id, failed(Effect.NONE, CallEnd.WITHHELD, "the plugin ends by it"));
        assertEquals(OperationState.UNKNOWN, operation(id).state());
        assertTrue(operation(id).past().waitsForPerson());
    }

    /** Both were let in, since none was registered yet. */
    @Test
    void ofTwoRegistrationsOfOneDisk_thatAreAskedAtOnce_theSecondIsRefusedOnceItIsConfirmed() {
        String first = cluster.id();
        cluster.accept(new RegisterVolume(Cluster.volume("w", "disk", Cluster.WRITER), Encrypted.NONE, first));
        String second = cluster.id();
        cluster.accept(new RegisterVolume(Cluster.volume("x", "disk", Cluster.WRITER), Encrypted.NONE, second));
        answered(first, new OperationOutcome.Confirmed());
        answered(second, new OperationOutcome.Confirmed());
        OperationOutcome.Failed refused = assertInstanceOf(
                OperationOutcome.Failed.class, operation(second).outcome());
        assertTrue(refused.message().contains("disk is already registered as"), refused.message());
        assertTrue(cluster.state().volume(Cluster.volumeId("w")).isPresent());
        assertTrue(cluster.state().volume(Cluster.volumeId("x")).isEmpty());
    }
}
