package io.cleat.csi;

import static io.cleat.testkit.Behaviour.answer;
import static io.cleat.testkit.Behaviour.answerHuge;
import static io.cleat.testkit.Behaviour.crash;
import static io.cleat.testkit.Behaviour.doThen;
import static io.cleat.testkit.Behaviour.ok;
import static io.cleat.testkit.Behaviour.refuse;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.base.Secrets;
import io.cleat.base.SystemTime;
import io.cleat.csi.v1.CreateVolumeResponse;
import io.cleat.testkit.Behaviour;
import io.grpc.Status.Code;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** What is known of a call's effect, for each way it can end. */
final class OutcomeTest {
    @TempDir
    private Path dir;

    /** What a staging call met, and what is then known. */
    private record Row(
            String situation,
            List<Behaviour> plugin,
            Class<? extends CsiTrouble> kind,
            Effect effect,
            Retry retry,
            int tries) {}

    private static Row refused(Code code) {
        return new Row(
                code + " -> surely not done, not repeated",
                List.of(refuse(code, "no")),
                CsiRejected.class,
                Effect.NONE,
                Retry.NEVER,
                1);
    }

    private static Row open(Code code, Class<? extends CsiTrouble> kind, int tries) {
        return new Row(
                code + " -> unknown after " + tries + " tries",
                List.of(refuse(code, "perhaps")),
                kind,
                Effect.UNKNOWN,
                Retry.SAME_CALL,
                tries);
    }

    private static Row unknown(String situation, Class<? extends CsiTrouble> kind, int tries, Behaviour... plugin) {
        return new Row(situation, List.of(plugin), kind, Effect.UNKNOWN, Retry.SAME_CALL, tries);
    }

    private static Stream<Row> rows() {
        return Stream.of(
                refused(Code.INVALID_ARGUMENT),
                refused(Code.NOT_FOUND),
                refused(Code.ALREADY_EXISTS),
                refused(Code.FAILED_PRECONDITION),
                refused(Code.OUT_OF_RANGE),
                refused(Code.UNIMPLEMENTED),
                refused(Code.PERMISSION_DENIED),
                refused(Code.UNAUTHENTICATED),
                open(Code.CANCELLED, CsiRejected.class, 1),
                open(Code.DEADLINE_EXCEEDED, CsiTimedOut.class, 1),
                open(Code.UNAVAILABLE, CsiUnavailable.class, 3),
                open(Code.RESOURCE_EXHAUSTED, CsiRejected.class, 3),
                open(Code.ABORTED, CsiRejected.class, 1),
                open(Code.INTERNAL, CsiRejected.class, 1),
                open(Code.UNKNOWN, CsiRejected.class, 1),
                open(Code.DATA_LOSS, CsiRejected.class, 1),
                unknown(
                        "done, then unavailable, then refused -> the refusal settles nothing",
                        CsiRejected.class,
                        2,
                        doThen(refuse(Code.UNAVAILABLE, "lost")),
                        refuse(Code.NOT_FOUND, "gone")),
                unknown(
                        "exhausted, then failed precondition -> the refusal settles nothing",
                        CsiRejected.class,
                        2,
                        refuse(Code.RESOURCE_EXHAUSTED, "busy"),
                        refuse(Code.FAILED_PRECONDITION, "no")),
                unknown(
                        "crash before doing anything, nobody listens after -> unknown",
                        CsiUnavailable.class,
                        1,
                        crash()),
                unknown("done, then crash, nobody listens after -> unknown", CsiUnavailable.class, 1, doThen(crash())));
    }

    @TestFactory
    Stream<DynamicTest> situationToOutcome() {
        return rows().map(row -> DynamicTest.dynamicTest(row.situation(), () -> check(row)));
    }

    private void check(Row row) throws Exception {
        try (PluginRig rig = new PluginRig(dir)) {
            rig.plugin.script("NodeStageVolume", row.plugin().toArray(Behaviour[]::new));
            CsiTrouble trouble = assertThrows(CsiTrouble.class, rig::stage);
            assertInstanceOf(row.kind(), trouble, trouble.reason());
            assertEquals(row.effect(), trouble.effect(), trouble.reason());
            assertEquals(row.retry(), trouble.retry(), trouble.reason());
            assertEquals(row.tries(), trouble.tries(), trouble.reason());
            assertEquals(row.tries(), rig.tries.size());
            assertEquals(row.tries() - 1, rig.waits.size());
        }
    }

    /** It was asked for ever, and nobody was told why. */
    @Test
    void aVolumeThatThereIsNoRoomFor_isRefusedAtOnce() throws Exception {
        try (PluginRig rig = new PluginRig(dir)) {
            rig.plugin.script("CreateVolume", refuse(Code.RESOURCE_EXHAUSTED, "the pool is full"));
            CsiTrouble refused = assertThrows(CsiRejected.class, () -> create(rig));
            assertEquals(Effect.NONE, refused.effect());
            assertEquals(Retry.NEVER, refused.retry());
            assertEquals(1, refused.tries());
            assertTrue(refused.reason().contains("the pool is full"), refused.reason());

            // After one that may have had an effect it settles nothing.
            rig.plugin.script(
                    "CreateVolume",
                    doThen(refuse(Code.UNAVAILABLE, "lost")),
                    refuse(Code.RESOURCE_EXHAUSTED, "the pool is full"));
            assertEquals(
                    Effect.UNKNOWN,
                    assertThrows(CsiRejected.class, () -> create(rig)).effect());
        }
    }

    /** It was asked for ever, and its claim waited without the plugin's words. */
    @Test
    void aVolumeThatANodeHasNoSlotFor_isNotAttachedAndRefusedAtOnce() throws Exception {
        try (PluginRig rig = new PluginRig(dir)) {
            rig.plugin.script("ControllerPublishVolume", refuse(Code.RESOURCE_EXHAUSTED, "25 volumes are attached"));
            ControllerPublication publication = new ControllerPublication(
                    PluginRig.VOLUME, "node-1", PluginRig.USE, false, Secrets.none(), Map.of());
            CsiTrouble refused = assertThrows(
                    CsiRejected.class, () -> rig.channel.controller().publish(publication, PluginRig.minute()));
            assertEquals(Effect.NONE, refused.effect());
            assertEquals(1, refused.tries());
            assertTrue(refused.reason().contains("25 volumes are attached"), refused.reason());
        }
    }

    @Test
    void unknownThenSuccessIsDone() throws Exception {
        try (PluginRig rig = new PluginRig(dir)) {
            rig.plugin.script("NodeStageVolume", doThen(refuse(Code.UNAVAILABLE, "lost")), ok());
            rig.stage();
            assertEquals(2, rig.plugin.calls("NodeStageVolume").size());
            assertEquals(
                    rig.plugin.calls().getFirst().request(),
                    rig.plugin.calls().getLast().request(),
                    "the same call with the same arguments");
        }
    }

    @Test
    void nobodyListensFromTheStartIsSurelyNotDone() throws Exception {
        try (PluginRig rig = new PluginRig(dir)) {
            rig.plugin.crash();
            CsiTrouble trouble = assertThrows(CsiUnavailable.class, rig::stage);
            assertEquals(Effect.NONE, trouble.effect());
            assertEquals(Retry.SAME_CALL, trouble.retry());
            assertEquals(3, trouble.tries());
        }
    }

    @Test
    void nobodyListensAtFirstThenTheRefusalIsDefinite() throws Exception {
        try (PluginRig rig = new PluginRig(dir)) {
            rig.plugin.crash();
            rig.plugin.script("NodeStageVolume", refuse(Code.NOT_FOUND, "no"));
            PluginChannel patient = PluginChannel.open(
                    "fake", rig.plugin.socket(), PluginRig.POLICY, new SystemTime(), bound -> 0, made -> {
                        if (made.number() == 1) {
                            rig.plugin.restart();
                        }
                    });
            try (patient) {
                CsiTrouble trouble = assertThrows(
                        CsiRejected.class, () -> patient.node().stage(PluginRig.staging(), PluginRig.minute()));
                assertEquals(Effect.NONE, trouble.effect());
                assertEquals(2, trouble.tries());
            }
        }
    }

    @Test
    void aCallThatChangesNothingNeverHasAnUnknownEffect() throws Exception {
        try (PluginRig rig = new PluginRig(dir)) {
            rig.plugin.script("NodeGetInfo", refuse(Code.UNAVAILABLE, "busy"));
            CsiTrouble trouble =
                    assertThrows(CsiUnavailable.class, () -> rig.channel.node().info(PluginRig.minute()));
            assertEquals(Effect.NONE, trouble.effect());
        }
    }

    @Test
    void aBadReplyToACallThatChangesLeavesItsEffectUnknown() throws Exception {
        try (PluginRig rig = new PluginRig(dir)) {
            rig.plugin.script("CreateVolume", answer(CreateVolumeResponse.getDefaultInstance()));
            CsiTrouble trouble = assertThrows(CsiProtocol.class, () -> create(rig));
            assertEquals(Effect.UNKNOWN, trouble.effect());
            assertEquals(Retry.AFTER_OBSERVING, trouble.retry());
            assertEquals(CsiCode.OK, trouble.code());
            assertEquals(1, rig.tries.size());
        }
    }

    @Test
    void aReplyLargerThanIsReadIsNotRepeatedAndUnknown() throws Exception {
        try (PluginRig rig = new PluginRig(dir)) {
            rig.plugin.script("CreateVolume", answerHuge(17 << 20));
            CsiTrouble trouble = assertThrows(CsiProtocol.class, () -> create(rig));
            assertEquals(Effect.UNKNOWN, trouble.effect());
            assertEquals(1, rig.tries.size());
            assertTrue(trouble.reason().length() < 1_000, trouble.reason());
        }
    }

    private static PluginVolume create(PluginRig rig) throws CsiTrouble, InterruptedException {
        return rig.channel
                .controller()
                .create(VolumeOrder.of("v1", CapacityRange.ANY, PluginRig.USE), PluginRig.minute());
    }

    @Test
    void notFoundWhileTakingAwayIsAnAnswerOfItsOwn() throws Exception {
        try (PluginRig rig = new PluginRig(dir)) {
            NodeClient node = rig.channel.node();
            assertEquals(Removal.NOT_FOUND, node.unpublish("ext-no", "/target", PluginRig.minute()));
            assertEquals(Removal.NOT_FOUND, node.unstage("ext-no", "/stage", PluginRig.minute()));
            assertEquals(
                    Removal.NOT_FOUND,
                    rig.channel.controller().unpublish("ext-no", "n1", Secrets.none(), PluginRig.minute()));
            assertEquals(Removal.DONE, node.unpublish(PluginRig.VOLUME, "/target", PluginRig.minute()));
        }
    }

    @Test
    void notFoundAfterAnUnknownTryIsStillUnknown() throws Exception {
        try (PluginRig rig = new PluginRig(dir)) {
            rig.plugin.script(
                    "NodeUnpublishVolume", refuse(Code.UNAVAILABLE, "lost"), refuse(Code.NOT_FOUND, "no such volume"));
            CsiTrouble trouble = assertThrows(
                    CsiRejected.class,
                    () -> rig.channel.node().unpublish(PluginRig.VOLUME, "/target", PluginRig.minute()));
            assertEquals(Effect.UNKNOWN, trouble.effect());
            assertEquals(CsiCode.NOT_FOUND, trouble.code());
        }
    }
}
