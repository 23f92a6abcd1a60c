package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Effect;
import io.cleat.model.BlockedBy;
import io.cleat.model.ControllerCapability;
import io.cleat.model.ListedSnapshot;
import io.cleat.model.MountOptions;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeSpec;
import io.cleat.state.AttachmentId;
import io.cleat.state.Change;
import io.cleat.state.Encrypted;
import io.cleat.state.OperationCall;
import io.cleat.state.OperationOutcome;
import io.cleat.state.OperationRow;
import io.cleat.state.OperationState;
import io.cleat.state.VolumeKey;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A person cancels a call: situation -> how it is settled, and that its name is free then. */
final class CancelOperationTest {
    private static final VolumeId V = Cluster.volumeId("v");
    private static final OperationOutcome UNKNOWN = new OperationOutcome.Failed(Effect.UNKNOWN, "Internal", "perhaps");
    private static final OperationOutcome CREATED = new OperationOutcome.Created("ext-v", 1, Map.of(), List.of());

    private final Cluster cluster = new Cluster();
    private final VolumeSpec spec = Cluster.volume("v", "", Cluster.WRITER);

    @BeforeEach
    void plugin() {
        cluster.level = Change.PAST_LEVEL;
        cluster.register(cluster.facts(
                "n1",
                "boot-1",
                cluster.plugin(
                        "n1", ControllerCapability.CREATE_DELETE_VOLUME, ControllerCapability.CREATE_DELETE_SNAPSHOT)));
    }

    private String create() {
        String id = cluster.id();
        cluster.accept(new CreateVolume(spec, Encrypted.NONE, id));
        return id;
    }

    private void send(String operation) {
        cluster.accept(new SendOperation(operation, 1, "n1", "plugin-alloc-n1"));
    }

    private void answer(String operation, OperationOutcome outcome) {
        cluster.accept(new EndOperation(operation, "n1", outcome, cluster.id()));
    }

    private void end(String operation, OperationOutcome outcome) {
        send(operation);
        answer(operation, outcome);
    }

    private String cancel(String operation) {
        return cluster.accept(new CancelOperation(operation, "me")).message();
    }

    private OperationRow row(String operation) {
        return cluster.state().operations().get(operation).orElseThrow();
    }

    private String ended(String operation) {
        OperationRow row = row(operation);
        assertEquals(OperationState.DONE, row.state());
        return assertInstanceOf(OperationOutcome.Failed.class, row.outcome()).message();
    }

    /** The operation that deletes something. */
    private Optional<OperationRow> deletion() {
        return cluster.state().operations().all().stream()
                .filter(row -> !row.isDone())
                .filter(row -> row.call() instanceof OperationCall.Delete
                        || row.call() instanceof OperationCall.DeleteSnapshot)
                .findFirst();
    }

    @Test
    void aCreationThatWasNeverSent_endsAtOnce() {
        String id = create();
        assertEquals("CreateVolume of volume v is cancelled: it was never sent to the plugin", cancel(id));
        assertEquals("cancelled by me before it was sent to the plugin", ended(id));
        create();
    }

    /** Its volume came to light 11 minutes later. */
    @Test
    void aCreationThatIsUnknown_isMadeAgain_andWhatItMadeIsDeleted() {
        String id = create();
        end(id, UNKNOWN);
        assertTrue(cancel(id).contains("made again to learn what it made"));
        BlockedBy wait = Objects.requireNonNull(row(id).blockedBy());
        assertEquals(
                "it is being cancelled: the same call is made again to learn what it made, and that is deleted",
                wait.hint());
        assertEquals(cluster.now(), wait.nextTry(), "at once");
        assertEquals(cancel(id), cancel(id));

        end(id, CREATED);
        assertEquals(Optional.empty(), cluster.state().volume(V), "it is not registered");
        OperationRow deletion = deletion().orElseThrow();
        assertTrue(cluster.refuse(new SendOperation(id, 1, "n1", "plugin-alloc-n1"))
                .endsWith("settles both"));
        assertTrue(cluster.refuse(new CreateVolume(spec, Encrypted.NONE, cluster.id()))
                .contains("is busy"));

        end(deletion.id(), new OperationOutcome.Deleted());
        assertEquals("cancelled: what the plugin had made, ext-v, is deleted", ended(id));
        create();
    }

    @Test
    void aCreationThatThePluginIsWorkingOn_isDeletedWhenItIsMade() {
        String id = create();
        send(id);
        cancel(id);
        assertEquals(OperationState.SENT, row(id).state());
        answer(id, CREATED);
        assertEquals(Optional.empty(), cluster.state().volume(V));
        assertTrue(deletion().isPresent());
    }

    @Test
    void aDeletionOfWhatWasMadeThatIsRefused_isTriedAgain() {
        String id = create();
        end(id, UNKNOWN);
        cancel(id);
        end(id, CREATED);
        end(deletion().orElseThrow().id(), new OperationOutcome.Failed(Effect.NONE, "FailedPrecondition", "in use"));
        assertEquals(OperationState.UNKNOWN, row(id).state());
        end(id, CREATED);
        end(deletion().orElseThrow().id(), new OperationOutcome.Deleted());
        assertTrue(row(id).isDone());
    }

    @Test
    void aCreationThatIsRefusedWhenItIsMadeAgain_madeNothing() {
        String id = create();
        end(id, UNKNOWN);
        cancel(id);
        // Who could not be asked has said nothing.
        end(id, new OperationOutcome.Failed(Effect.NONE, "Unavailable", "no instance"));
        assertEquals(OperationState.UNKNOWN, row(id).state());
        assertTrue(
                Objects.requireNonNull(row(id).blockedBy()).hint().startsWith("it is being"),
                () -> "" + row(id).blockedBy());
        end(id, new OperationOutcome.Failed(Effect.NONE, "OutOfRange", "at most 8 TiB"));
        assertTrue(ended(id).endsWith("so it is not there: at most 8 TiB"), ended(id));
    }

    @Test
    void aDeletionThatWasSent_goesOnUntilThePluginAnswers() {
        end(create(), CREATED);
        String id = cluster.id();
        cluster.accept(new DeleteVolume(V, Encrypted.NONE, id));
        end(id, UNKNOWN);
        assertTrue(cancel(id).contains("a deletion cannot be undone"));
        end(id, new OperationOutcome.Deleted());
        assertEquals(Optional.empty(), cluster.state().volume(V));
    }

    @Test
    void aSnapshotThatWasMade_isDeleted() {
        end(create(), CREATED);
        String id = cluster.id();
        cluster.accept(new CreateSnapshot(V, "s", Map.of(), Encrypted.NONE, id));
        end(id, UNKNOWN);
        cancel(id);
        end(id, new OperationOutcome.SnapshotCreated(new ListedSnapshot("snap", "ext-v", 1, Instant.EPOCH, true)));
        OperationRow deletion = deletion().orElseThrow();
        assertEquals("snapshot snap", deletion.call().subject());
        assertEquals(
                "cancelled: the plugin had made snapshot snap; operation " + deletion.id() + " deletes it", ended(id));
    }

    @Test
    void aCallThatOnlyAsks_cannotBeUndoneOnceItIsSent() {
        String id = cluster.id();
        cluster.accept(new RegisterVolume(Cluster.volume("w", "ext-w", Cluster.WRITER), Encrypted.NONE, id));
        send(id);
        assertTrue(cluster.refuse(new CancelOperation(id, "me"))
                .endsWith("was sent to the plugin and cannot be undone; it ends when the plugin answers"));
    }

    @Test
    void whatMakesOrDeletes_canBeUndone_andNothingElse() {
        AttachmentId attachment = new AttachmentId(new VolumeKey(Cluster.PLUGIN, "ext-v"), "n1");
        Map<OperationCall, Boolean> table = new LinkedHashMap<>();
        table.put(new OperationCall.Create(spec, Encrypted.NONE), true);
        table.put(new OperationCall.Delete(V, "ext-v", Encrypted.NONE), true);
        table.put(new OperationCall.CreateSnapshot(V, "ext-v", "s", Map.of(), Encrypted.NONE), true);
        table.put(new OperationCall.DeleteSnapshot("snap", Encrypted.NONE), true);
        table.put(new OperationCall.Validate(spec, Encrypted.NONE), false);
        table.put(new OperationCall.Expand(spec, Encrypted.NONE, Cluster.WRITER), false);
        table.put(new OperationCall.Unpublish(V, attachment, "ext-n1"), false);
        table.put(
                new OperationCall.Publish(V, attachment, "ext-n1", Cluster.WRITER, MountOptions.NONE, false, Map.of()),
                false);
        table.forEach((call, is) -> assertEquals(is, Cancelling.canBeUndone(call), call.toString()));
        table.forEach((call, is) ->
                assertEquals(call instanceof OperationCall.Validate, Operations.isQuestion(call), call.toString()));
    }

    @Test
    void theWaitBetweenTwoTries_growsToAMinute() {
        assertEquals(
                List.of(1L, 1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L, 60L),
                IntStream.of(0, 1, 2, 3, 4, 5, 6, 7, 12, Integer.MAX_VALUE)
                        .mapToObj(tries -> Operations.waitAfter(tries).toSeconds())
                        .toList());
    }

    @Test
    void whatCannotBeCancelled_isRefusedWithTheReason() {
        assertTrue(cluster.refuse(new CancelOperation("none", "me")).startsWith("operation none is"));
        String id = create();
        end(id, UNKNOWN);
        cluster.level = 1;
        assertTrue(cluster.refuse(new CancelOperation(id, "me")).contains("update all servers first"));
    }
}
