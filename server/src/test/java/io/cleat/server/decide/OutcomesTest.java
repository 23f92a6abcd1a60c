package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Effect;
import io.cleat.model.BlockedBy;
import io.cleat.model.CallEnd;
import io.cleat.model.ListedSnapshot;
import io.cleat.model.MountOptions;
import io.cleat.model.VolumeId;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.AttachmentId;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.Encrypted;
import io.cleat.state.OperationCall;
import io.cleat.state.OperationOutcome;
import io.cleat.state.OperationPast;
import io.cleat.state.OperationRow;
import io.cleat.state.OperationState;
import io.cleat.state.VolumeKey;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Call and answer -> what the call's row comes to: a table over each call and each answer. */
final class OutcomesTest {
    private static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");
    private static final VolumeId V = Cluster.volumeId("v");
    private static final AttachmentId ATTACHMENT = new AttachmentId(new VolumeKey(Cluster.PLUGIN, "ext-v"), "n1");

    private static final OperationOutcome CREATED = new OperationOutcome.Created("ext-v", 1, Map.of(), List.of());
    private static final OperationOutcome DELETED = new OperationOutcome.Deleted();
    private static final OperationOutcome PUBLISHED = new OperationOutcome.Published(Encrypted.NONE);
    private static final OperationOutcome UNPUBLISHED = new OperationOutcome.Unpublished();
    private static final OperationOutcome CONFIRMED = new OperationOutcome.Confirmed();
    private static final OperationOutcome EXPANDED = new OperationOutcome.Expanded(1, false);
    private static final OperationOutcome SNAPSHOT =
            new OperationOutcome.SnapshotCreated(new ListedSnapshot("snap", "ext-v", 1, Instant.EPOCH, true));
    private static final OperationOutcome SNAPSHOT_DELETED = new OperationOutcome.SnapshotDeleted();
    private static final List<OperationOutcome> ANSWERS =
            List.of(CREATED, DELETED, PUBLISHED, UNPUBLISHED, CONFIRMED, EXPANDED, SNAPSHOT, SNAPSHOT_DELETED);

    /** Each call but the question, and the answer that is one to it. */
    private static Map<OperationCall, OperationOutcome> calls() {
        Map<OperationCall, OperationOutcome> calls = new LinkedHashMap<>();
        var spec = Cluster.volume("v", "ext-v", Cluster.WRITER);
        calls.put(new OperationCall.Create(spec, Encrypted.NONE), CREATED);
        calls.put(new OperationCall.Delete(V, "ext-v", Encrypted.NONE), DELETED);
        calls.put(
                new OperationCall.Publish(V, ATTACHMENT, "ext-n1", Cluster.WRITER, MountOptions.NONE, false, Map.of()),
                PUBLISHED);
        calls.put(new OperationCall.Unpublish(V, ATTACHMENT, "ext-n1"), UNPUBLISHED);
        calls.put(new OperationCall.Expand(spec, Encrypted.NONE, null), EXPANDED);
        calls.put(new OperationCall.CreateSnapshot(V, "ext-v", "s", Map.of(), Encrypted.NONE), SNAPSHOT);
        calls.put(new OperationCall.DeleteSnapshot("snap", Encrypted.NONE), SNAPSHOT_DELETED);
        return calls;
    }

    private static OperationRow sent(OperationCall call, boolean wasUnknown) {
        return new OperationRow(
                "o",
                Cluster.PLUGIN,
                "n1",
                "p",
                1,
                call,
                OperationState.SENT,
                wasUnknown,
                null,
                1,
                null,
                NOW,
                null,
                OperationPast.NONE,
                0,
                0);
    }

    private static OperationRow after(OperationRow row, OperationOutcome answer) {
        return after(row, answer, 1);
    }

    private static OperationRow after(OperationRow row, OperationOutcome answer, int level) {
        ClusterState empty = ClusterState.empty();
        Work work = new Work(empty, new DecideContext(1, NOW, Optional.empty(), level));
        Outcomes.take(work, row, answer, new NewIds("00000000-0000-0000-0000-000000000000"));
        return work.state().operations().get("o").orElseThrow();
    }

    /** Answered twice, and sent anew in between, a minute apart. */
    private static OperationRow triedTwice(int level) {
        OperationCall call = new OperationCall.DeleteSnapshot("snap", Encrypted.NONE);
        OperationOutcome broken = new OperationOutcome.Failed(Effect.UNKNOWN, "", "broken");
        NewIds ids = new NewIds("00000000-0000-0000-0000-000000000000");
        Instant later = NOW.plusSeconds(60);
        Work first = new Work(ClusterState.empty(), new DecideContext(1, NOW, Optional.empty(), level));
        Outcomes.take(first, sent(call, false), broken, ids);
        DecideContext then = new DecideContext(2, later, Optional.empty(), level);
        ClusterState resent = first.state()
                .apply(
                        ((Decision.Accept<Change, SendOperation.Reply>)
                                        new SendOperation("o", 1, "n1", "p").decide(first.state(), then))
                                .changes(),
                        2,
                        later);
        Work second = new Work(resent, new DecideContext(3, later, Optional.empty(), level));
        Outcomes.take(second, resent.operations().get("o").orElseThrow(), broken, ids);
        return second.state().operations().get("o").orElseThrow();
    }

    @Test
    void aCallThatIsMadeAgain_isUnknownSinceItsFirstTry() {
        OperationRow row = triedTwice(Change.PAST_LEVEL);
        assertEquals(NOW, row.unknownSince());
        assertEquals(NOW, Objects.requireNonNull(row.blockedBy()).since());
        String words = Words.operation(row, NOW.plusSeconds(90));
        assertEquals("DeleteSnapshot (operation o, unknown for 1m30s)", words);
    }

    /** It was made again at each new instance, until the plugin was out of restarts. */
    @Test
    void aCallThatEndsItsPlugin_waitsForAPersonAndSaysWhatToDo_untilItIsMadeAgain() {
        OperationCall call = new OperationCall.DeleteSnapshot("snap", Encrypted.NONE);
        int level = Change.PAST_LEVEL;
        OperationRow once = after(sent(call, false), failed(CallEnd.PLUGIN_ENDED), level);
        assertEquals(new OperationPast(NOW, 1, false, false), once.past());
        OperationRow sent = once.sent(2, Objects.requireNonNull(once.blockedBy()), NOW);
        OperationRow twice = after(sent, failed(CallEnd.WITHHELD), level);
        assertEquals(OperationState.UNKNOWN, twice.state());
        assertEquals(new OperationPast(NOW, 2, true, false), twice.past());
        String hint = Objects.requireNonNull(twice.blockedBy()).hint();
        assertTrue(hint.contains("cleat alloc restart p "), hint);
        OperationRow asked = twice.sent(3, Objects.requireNonNull(twice.blockedBy()), NOW);
        assertEquals(twice.past(), after(asked, failed(CallEnd.WITHHELD), level).past());
        OperationRow again = after(asked, failed("Unavailable"), level);
        assertEquals(new OperationPast(NOW, 2, false, false), again.past());
    }

    /** An attach for an instance that had just ended failed the allocation for good. */
    @Test
    void aCallWhoseInstanceIsGone_isMadeByTheNext() {
        OperationOutcome.Failed gone = new OperationOutcome.Failed(Effect.NONE, CallEnd.NOT_MADE, "not on this node");
        for (OperationCall call : calls().keySet()) {
            OperationRow row = after(sent(call, false), gone);
            assertEquals(OperationState.LOGGED, row.state(), call.toString());
            BlockedBy why = Objects.requireNonNull(row.blockedBy());
            assertTrue(why.holder().contains("not on this node"), why.holder());
            assertTrue(Objects.requireNonNull(why.nextTry()).isAfter(NOW), why.toString());
            OperationRow unknown = after(sent(call, true), gone);
            assertEquals(OperationState.UNKNOWN, unknown.state(), call.toString());
        }
        OperationCall question =
                new OperationCall.Validate(Cluster.volume("v", "ext-v", Cluster.WRITER), Encrypted.NONE);
        assertEquals(OperationState.DONE, after(sent(question, false), gone).state());
    }

    private static OperationOutcome failed(String code) {
        return new OperationOutcome.Failed(Effect.UNKNOWN, code, "the plugin's words");
    }

    /** It is decided all the same: a member of the release before could not read it. */
    @Test
    void aMemberThatKnowsNoPastOfCalls_isWrittenNone() {
        assertEquals(OperationPast.NONE, triedTwice(Change.PAST_LEVEL - 1).past());
    }

    @Test
    void anAnswerToTheCall_settlesIt_andOneToAnotherIsAsGoodAsNone() {
        calls().forEach((call, right) -> {
            for (OperationOutcome answer : ANSWERS) {
                for (boolean wasUnknown : new boolean[] {false, true}) {
                    OperationRow row = after(sent(call, wasUnknown), answer);
                    String what = call + " -> " + answer;
                    boolean isRight = answer.equals(right);
                    assertEquals(isRight ? OperationState.DONE : OperationState.UNKNOWN, row.state(), what);
                    assertEquals(isRight ? answer : null, row.outcome(), what);
                }
            }
        });
    }

    /** Each new try replaced them with "the plugin is working on it". */
    @Test
    void aCallThatIsSentAgain_keepsTheWordsOfThePluginAboutTheTryBefore() {
        OperationCall call = new OperationCall.Create(Cluster.volume("v", "ext-v", Cluster.WRITER), Encrypted.NONE);
        OperationRow first =
                after(sent(call, false), new OperationOutcome.Failed(Effect.UNKNOWN, "Internal", "the pool (p) is"));
        assertEquals(Optional.of("the pool (p) is"), CallProgress.said(first));

        OperationRow again = sentAgain(first);
        BlockedBy wait = Objects.requireNonNull(again.blockedBy());
        assertEquals(
                "the plugin is working on CreateVolume since 2026-03-01T00:01:00Z (try 2); before"
                        + " that: the pool (p) is",
                wait.hint());
        assertEquals(Optional.of("the pool (p) is"), CallProgress.said(again));
    }

    /** For minutes there was no word of a call that hangs. */
    @Test
    void aCallThatIsSent_saysSinceWhenThePluginWorksOnIt() {
        OperationCall call = new OperationCall.DeleteSnapshot("snap", Encrypted.NONE);
        OperationRow logged = new OperationRow(
                "o",
                Cluster.PLUGIN,
                "n1",
                "p",
                0,
                call,
                OperationState.LOGGED,
                false,
                null,
                0,
                null,
                NOW,
                new BlockedBy("call", "plugin", NOW, null, "its turn comes"),
                OperationPast.NONE,
                0,
                0);
        assertEquals(
                "the plugin is working on DeleteSnapshot since 2026-03-01T00:01:00Z",
                Objects.requireNonNull(sentAgain(logged).blockedBy()).hint());
    }

    private static OperationRow sentAgain(OperationRow row) {
        Instant later = NOW.plusSeconds(60).plusNanos(1);
        ClusterState before = ClusterState.empty().apply(List.of(new Change.OperationPut(row)), 1, NOW);
        Decision<Change, SendOperation.Reply> sent =
                new SendOperation("o", 1, "n1", "p").decide(before, new DecideContext(2, later, Optional.empty(), 1));
        return ((Decision.Accept<Change, SendOperation.Reply>) sent).reply().operation();
    }

    @Test
    void aFailureThatSurelyHadNoEffect_settlesAllButADetach() {
        OperationOutcome failed = new OperationOutcome.Failed(Effect.NONE, "Internal", "no");
        calls().keySet()
                .forEach(call -> assertEquals(
                        call instanceof OperationCall.Unpublish ? OperationState.LOGGED : OperationState.DONE,
                        after(sent(call, false), failed).state(),
                        call.toString()));
    }

    @Test
    void aFailureThatMayHaveHadAnEffect_orComesAfterOne_settlesNothing() {
        OperationOutcome unknown = new OperationOutcome.Failed(Effect.UNKNOWN, "Internal", "?");
        OperationOutcome none = new OperationOutcome.Failed(Effect.NONE, "Internal", "no");
        for (OperationCall call : calls().keySet()) {
            OperationState first = after(sent(call, false), unknown).state();
            assertEquals(OperationState.UNKNOWN, first, call.toString());
            OperationState then = after(sent(call, true), none).state();
            assertEquals(OperationState.UNKNOWN, then, call.toString());
        }
    }

    @Test
    void whatAnOperatorVouchesFor_isOver() {
        OperationOutcome abandoned = new OperationOutcome.Abandoned("ada");
        for (OperationCall call : calls().keySet()) {
            OperationRow row = after(sent(call, true), abandoned);
            assertEquals(OperationState.DONE, row.state(), call.toString());
            assertEquals(abandoned, row.outcome(), call.toString());
        }
    }

    @Test
    void aQuestion_isOverWhateverTheAnswer() {
        OperationCall question =
                new OperationCall.Validate(Cluster.volume("v", "ext-v", Cluster.WRITER), Encrypted.NONE);
        assertEquals(CONFIRMED, after(sent(question, false), CONFIRMED).outcome());
        OperationOutcome unknown = new OperationOutcome.Failed(Effect.UNKNOWN, "Internal", "?");
        assertEquals(unknown, after(sent(question, false), unknown).outcome());
        for (String code : new String[] {"NotFound", CallEnd.WITHHELD, CallEnd.NOT_MADE}) {
            OperationOutcome no = new OperationOutcome.Failed(Effect.NONE, code, "no such volume");
            assertEquals(no, after(sent(question, false), no).outcome());
        }
        for (OperationOutcome answer : ANSWERS) {
            assertEquals(
                    OperationState.DONE, after(sent(question, false), answer).state(), "" + answer);
        }
    }
}
