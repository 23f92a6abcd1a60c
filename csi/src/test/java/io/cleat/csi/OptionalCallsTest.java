package io.cleat.csi;

import static io.cleat.testkit.Behaviour.doThen;
import static io.cleat.testkit.Behaviour.refuse;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.base.Secrets;
import io.cleat.csi.v1.ControllerGetVolumeRequest;
import io.cleat.csi.v1.ControllerGrpc;
import io.cleat.csi.v1.ControllerServiceCapability;
import io.cleat.csi.v1.NodeServiceCapability;
import io.cleat.csi.v1.PluginCapability.Service;
import io.cleat.testkit.Behaviour;
import io.cleat.testkit.FakeCsiSetup;
import io.cleat.testkit.FakeTime;
import io.grpc.Status.Code;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Each optional call: asked first, and its outcome by the rules of all calls. */
final class OptionalCallsTest {
    @TempDir
    private Path dir;

    /** How a call goes, and what is then known of its effect if it changes something. */
    private record Row(String situation, Effect effect, Retry retry, int tries, List<Behaviour> plugin) {
        Row(String situation, Effect effect, Retry retry, int tries, Behaviour... plugin) {
            this(situation, effect, retry, tries, List.of(plugin));
        }
    }

    private static Row refused(Code code) {
        return new Row(code + " -> surely not done", Effect.NONE, Retry.NEVER, 1, refuse(code, "no"));
    }

    private static Row open(Code code, int tries) {
        return new Row(code + " -> unknown", Effect.UNKNOWN, Retry.SAME_CALL, tries, refuse(code, "perhaps"));
    }

    /** Whether it is left open what was done: what makes something says that there is no room. */
    private static Row full(OptionalCalls call) {
        return Set.of("CreateSnapshot", "CreateVolumeGroupSnapshot").contains(call.csiName)
                ? refused(Code.RESOURCE_EXHAUSTED)
                : open(Code.RESOURCE_EXHAUSTED, 3);
    }

    private static List<Row> rows(OptionalCalls call) {
        return List.of(
                refused(Code.INVALID_ARGUMENT),
                refused(Code.NOT_FOUND),
                refused(Code.ALREADY_EXISTS),
                refused(Code.FAILED_PRECONDITION),
                refused(Code.OUT_OF_RANGE),
                refused(Code.UNIMPLEMENTED),
                refused(Code.PERMISSION_DENIED),
                refused(Code.UNAUTHENTICATED),
                open(Code.CANCELLED, 1),
                open(Code.UNAVAILABLE, 3),
                full(call),
                open(Code.ABORTED, 1),
                open(Code.INTERNAL, 1),
                open(Code.UNKNOWN, 1),
                open(Code.DATA_LOSS, 1),
                new Row(
                        "unavailable, then refused -> the refusal settles nothing",
                        Effect.UNKNOWN,
                        Retry.SAME_CALL,
                        2,
                        refuse(Code.UNAVAILABLE, "lost"),
                        refuse(Code.NOT_FOUND, "gone")),
                new Row(
                        "crash -> unknown, and made again only by who knows whether it ended",
                        Effect.UNKNOWN,
                        Retry.SAME_CALL,
                        ABOUT_NOTHING.contains(call.csiName) ? 3 : 1,
                        Behaviour.crash()));
    }

    /** Lists, and streams: they are about no volume or snapshot, and change nothing. */
    private static final Set<String> ABOUT_NOTHING = Set.of(
            "ListSnapshots",
            "ControllerListVolumeHealth",
            "NodeGetStorageHealth",
            "GetMetadataAllocated",
            "GetMetadataDelta");

    private PluginRig rig(FakeCsiSetup setup) {
        return new PluginRig(dir, PluginRig.POLICY, setup);
    }

    @TestFactory
    Stream<DynamicTest> callAndSituationToOutcome() {
        List<DynamicTest> tests = new ArrayList<>();
        OptionalCalls.all()
                .forEach(call -> rows(call)
                        .forEach(row -> tests.add(
                                DynamicTest.dynamicTest(call + ": " + row.situation(), () -> check(call, row)))));
        return tests.stream();
    }

    private void check(OptionalCalls call, Row row) throws Exception {
        try (PluginRig rig = rig(FakeCsiSetup.whole())) {
            rig.plugin.script(call.csiName, row.plugin().toArray(Behaviour[]::new));
            CsiTrouble trouble = assertThrows(CsiTrouble.class, () -> call.make(rig.channel));
            assertEquals(call.changes ? row.effect() : Effect.NONE, trouble.effect(), trouble.reason());
            if (call.changes) {
                assertEquals(row.retry(), trouble.retry(), trouble.reason());
            }
            assertEquals(row.tries(), trouble.tries(), trouble.reason());
            assertEquals(call.csiName, trouble.call());
        }
    }

    @TestFactory
    Stream<DynamicTest> unknownThenSuccessIsDone() {
        return OptionalCalls.all()
                .filter(call -> call.changes)
                .map(call -> DynamicTest.dynamicTest(call.toString(), () -> {
                    try (PluginRig rig = rig(FakeCsiSetup.whole())) {
                        rig.plugin.addVolume(PluginRig.VOLUME, 2 << 20);
                        rig.stage();
                        rig.channel.node().publish(publication(), PluginRig.minute());
                        rig.plugin.script(call.csiName, doThen(refuse(Code.UNAVAILABLE, "lost")), Behaviour.ok());
                        call.make(rig.channel);
                        assertEquals(2, rig.plugin.calls(call.csiName).size());
                    }
                }));
    }

    private static NodePublication publication() {
        return new NodePublication(
                PluginRig.VOLUME,
                PublishContext.none(),
                "/stage",
                "/target",
                PluginRig.USE,
                false,
                Secrets.none(),
                Map.of());
    }

    @TestFactory
    Stream<DynamicTest> aCallThatIsNotAnnouncedIsNotSent() {
        return OptionalCalls.all()
                .map(call -> DynamicTest.dynamicTest(call + " without " + call.capability, () -> notSent(call)));
    }

    private void notSent(OptionalCalls call) throws Exception {
        try (PluginRig rig = rig(without(call.capability))) {
            CsiTrouble trouble = assertThrows(CsiRejected.class, () -> call.make(rig.channel));
            assertEquals(CsiCode.UNIMPLEMENTED, trouble.code());
            assertEquals(Effect.NONE, trouble.effect());
            assertEquals(Retry.NEVER, trouble.retry());
            assertEquals(0, trouble.tries());
            assertTrue(trouble.reason().contains(call.capability), trouble.reason());
            assertTrue(trouble.reason().contains("nothing was sent"), trouble.reason());
            assertEquals(List.of(), rig.plugin.calls(call.csiName));
        }
    }

    private static FakeCsiSetup without(String capability) {
        FakeCsiSetup whole = FakeCsiSetup.whole();
        Set<Service.Type> services = new TreeSet<>(whole.services());
        services.removeIf(each -> each.name().equals(capability)
                || (each == Service.Type.GROUP_CONTROLLER_SERVICE && capability.contains("GROUP")));
        Set<ControllerServiceCapability.RPC.Type> controller = new TreeSet<>(whole.controller());
        controller.removeIf(each -> each.name().equals(capability));
        Set<NodeServiceCapability.RPC.Type> node = new TreeSet<>(whole.node());
        node.removeIf(each -> each.name().equals(capability));
        return whole.withServices(services, Set.of()).withCapabilities(controller, node);
    }

    @Test
    void anAnnouncementIsAskedOnceForManyCalls() throws Exception {
        try (PluginRig rig = rig(FakeCsiSetup.whole())) {
            for (int i = 0; i < 5; i++) {
                OptionalCalls.EXPAND.make(rig.channel);
                OptionalCalls.CREATE_SNAPSHOT.make(rig.channel);
            }
            assertEquals(1, rig.plugin.calls("ControllerGetCapabilities").size());
        }
    }

    /** Behind its socket there may be another plugin by now. */
    @Test
    void anAnnouncementIsBelievedForHalfAMinute() throws Exception {
        FakeTime time = new FakeTime();
        AtomicInteger asked = new AtomicInteger();
        Abilities<ControllerCapability> abilities = new Abilities<>("fake", time, deadline -> {
            asked.incrementAndGet();
            return Set.of(ControllerCapability.GET_VOLUME);
        });
        for (int[] secondsAndAsked : new int[][] {{0, 1}, {29, 1}, {1, 2}, {29, 2}}) {
            time.advance(Duration.ofSeconds(secondsAndAsked[0]));
            abilities.require(ControllerCapability.GET_VOLUME, get(), PluginRig.minute());
            assertEquals(secondsAndAsked[1], asked.get());
        }
        assertThrows(
                CsiRejected.class,
                () -> abilities.require(ControllerCapability.EXPAND_VOLUME, get(), PluginRig.minute()));
        assertEquals(3, asked.get());
        Thread other = Thread.ofVirtual().start(() -> {
            try {
                abilities.require(ControllerCapability.GET_VOLUME, get(), PluginRig.minute());
            } catch (CsiTrouble | InterruptedException end) {
                asked.set(0);
            }
        });
        assertTrue(other.join(Duration.ofSeconds(30)), "nobody is kept out");
        assertEquals(3, asked.get());
    }

    private static Call<?, ?, ?> get() {
        return Call.look(
                "Controller",
                ControllerGrpc.getControllerGetVolumeMethod(),
                ControllerGetVolumeRequest.getDefaultInstance(),
                "",
                List.of(),
                reply -> reply);
    }

    @Test
    void whatIsNotAnnouncedIsAskedAgainEachTime() throws Exception {
        try (PluginRig rig = rig(FakeCsiSetup.standard())) {
            assertThrows(CsiRejected.class, () -> OptionalCalls.EXPAND.make(rig.channel));
            rig.plugin.restart(FakeCsiSetup.whole());
            OptionalCalls.EXPAND.make(rig.channel);
        }
    }

    @Test
    void aPluginThatCannotBeAskedIsSentNothing() throws Exception {
        try (PluginRig rig = rig(FakeCsiSetup.whole())) {
            rig.plugin.script("ControllerGetCapabilities", refuse(Code.UNAVAILABLE, "busy"));
            CsiTrouble trouble = assertThrows(CsiUnavailable.class, () -> OptionalCalls.EXPAND.make(rig.channel));
            assertEquals(Effect.NONE, trouble.effect());
            assertEquals(List.of(), rig.plugin.calls("ControllerExpandVolume"));
        }
    }

    @TestFactory
    Stream<DynamicTest> secretsReachThePluginAndNoMessage() {
        return OptionalCalls.all()
                .filter(call -> !Set.of("GET", "STATS", "NODE_HEALTH").contains(call.name()))
                .map(call -> DynamicTest.dynamicTest(call.toString(), () -> hidden(call)));
    }

    private void hidden(OptionalCalls call) throws Exception {
        try (PluginRig rig = rig(FakeCsiSetup.whole())) {
            rig.plugin.script(call.csiName, refuse(Code.INVALID_ARGUMENT, "login with hunter2-secret"));
            CsiTrouble trouble = assertThrows(
                    CsiRejected.class, () -> call.make(rig.channel, Secrets.of(Map.of("key", "hunter2-secret"))));
            StringWriter all = new StringWriter();
            trouble.printStackTrace(new PrintWriter(all));
            assertFalse(all.toString().contains("hunter2"), all.toString());
            assertEquals("login with [REDACTED]", trouble.words());
            assertTrue(rig.plugin
                    .calls(call.csiName)
                    .getFirst()
                    .request()
                    .toString()
                    .contains("hunter2-secret"));
        }
    }
}
