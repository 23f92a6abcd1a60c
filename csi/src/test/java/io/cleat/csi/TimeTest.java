package io.cleat.csi;

import static io.cleat.testkit.Behaviour.hang;
import static io.cleat.testkit.Behaviour.ok;
import static io.cleat.testkit.Behaviour.refuse;
import static io.cleat.testkit.Behaviour.waitFor;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Effect;
import io.cleat.base.SystemTime;
import io.cleat.testkit.Eventually;
import io.grpc.Status;
import io.grpc.Status.Code;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tries, waits, deadlines, interrupts, and connections that come and go. */
final class TimeTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    private Path dir;

    @Test
    void waitsGrowFromAHundredMilliseconds() throws Exception {
        try (PluginRig rig = new PluginRig(dir, PluginRig.POLICY.withTries(5))) {
            rig.plugin.script("NodeStageVolume", refuse(Code.UNAVAILABLE, "busy"));
            assertThrows(CsiUnavailable.class, rig::stage);
            assertEquals(
                    List.of(
                            Duration.ofMillis(100),
                            Duration.ofMillis(200),
                            Duration.ofMillis(400),
                            Duration.ofMillis(800)),
                    rig.waits);
        }
    }

    @Test
    void whoLooksAgainItselfIsAnsweredAfterOneTry() throws Exception {
        try (PluginRig rig = new PluginRig(dir)) {
            rig.plugin.script("Probe", refuse(Code.UNAVAILABLE, "starting"), ok());
            assertThrows(CsiUnavailable.class, () -> rig.channel.identity().isReadyNow(PluginRig.minute()));
            assertEquals(List.of(), rig.waits);
            assertTrue(rig.channel.identity().isReadyNow(PluginRig.minute()));
        }
    }

    @Test
    void aTryThatHangsIsRepeatedAndTheNextSuccessSettlesIt() throws Exception {
        CallPolicy hasty = PluginRig.POLICY.withTryTimeout(Duration.ofSeconds(2));
        try (PluginRig rig = new PluginRig(dir, hasty).warm()) {
            rig.plugin.script("NodeStageVolume", hang(), ok());
            rig.stage();
            assertEquals(
                    List.of(CsiCode.DEADLINE_EXCEEDED, CsiCode.OK),
                    rig.tries.stream().map(CallTry::code).toList());
            assertTrue(rig.tries.getFirst().took().compareTo(Duration.ofMillis(1_900)) > 0);
        }
    }

    @Test
    void triesThatAllHangEndTimedOutAndUnknown() throws Exception {
        CallPolicy hasty = PluginRig.POLICY.withTryTimeout(Duration.ofMillis(300));
        try (PluginRig rig = new PluginRig(dir, hasty).warm()) {
            rig.plugin.script("NodeStageVolume", hang());
            CsiTrouble trouble = assertThrows(CsiTimedOut.class, rig::stage);
            assertEquals(Effect.UNKNOWN, trouble.effect());
            assertEquals(3, trouble.tries());
        }
    }

    @Test
    void theDeadlineCutsATryShort() throws Exception {
        try (PluginRig rig = new PluginRig(dir).warm()) {
            rig.plugin.script("NodeStageVolume", hang());
            long start = System.nanoTime();
            CsiTrouble trouble = assertThrows(CsiTimedOut.class, () -> rig.stage(PluginRig.in(Duration.ofMillis(500))));
            assertEquals(Effect.UNKNOWN, trouble.effect());
            assertEquals(1, trouble.tries());
            assertTrue(System.nanoTime() - start < Duration.ofSeconds(10).toNanos());
        }
    }

    @Test
    void aWaitThatWouldPassTheDeadlineIsNotBegun() throws Exception {
        try (PluginRig rig = new PluginRig(dir, PluginRig.POLICY.withTries(50)).warm()) {
            rig.plugin.script("NodeStageVolume", refuse(Code.UNAVAILABLE, "busy"));
            CsiTrouble trouble =
                    assertThrows(CsiUnavailable.class, () -> rig.stage(PluginRig.in(Duration.ofSeconds(5))));
            assertEquals(Effect.UNKNOWN, trouble.effect());
            assertTrue(trouble.tries() < 8, trouble.reason());
        }
    }

    @Test
    void anExpiredDeadlineSendsNothing() throws Exception {
        try (PluginRig rig = new PluginRig(dir)) {
            CsiTrouble trouble = assertThrows(CsiTimedOut.class, () -> rig.stage(PluginRig.in(Duration.ZERO)));
            assertEquals(Effect.NONE, trouble.effect());
            assertEquals(0, trouble.tries());
            assertEquals(List.of(), rig.plugin.calls());
        }
    }

    /** Given up, it was done after what had to undo it, and a mount stayed. */
    @Test
    void aMountThatIsUnderWay_isAwaitedByWhoIsInterrupted() throws Exception {
        try (PluginRig rig = new PluginRig(dir, PluginRig.POLICY.awaitingMounts())) {
            CountDownLatch gate = new CountDownLatch(1);
            rig.plugin.script("NodeStageVolume", waitFor(gate));
            AtomicReference<String> end = new AtomicReference<>("none");
            Thread caller = Thread.ofVirtual().start(() -> {
                try {
                    rig.stage();
                    end.set("staged " + Thread.interrupted());
                } catch (CsiTrouble | InterruptedException early) {
                    end.set(early.toString());
                }
            });
            rig.plugin.awaitCalls("NodeStageVolume", 1, PATIENCE);
            caller.interrupt();
            assertFalse(caller.join(Duration.ofMillis(200)));
            gate.countDown();
            assertTrue(caller.join(PATIENCE));
            assertEquals("staged true", end.get());
        }
    }

    @Test
    void anInterruptEndsACallThatHangs() throws Exception {
        try (PluginRig rig = new PluginRig(dir)) {
            rig.plugin.script("NodeStageVolume", hang());
            AtomicReference<Throwable> end = new AtomicReference<>();
            Thread caller = caller(rig, end);
            rig.plugin.awaitCalls("NodeStageVolume", 1, PATIENCE);
            caller.interrupt();
            assertTrue(caller.join(PATIENCE));
            assertInstanceOf(InterruptedException.class, end.get());
            assertEquals(
                    List.of(CsiCode.CANCELLED),
                    rig.tries.stream().map(CallTry::code).toList());
        }
    }

    @Test
    void closingTheChannelEndsACallThatHangsAndRefusesLaterOnes() throws Exception {
        try (PluginRig rig = new PluginRig(dir)) {
            rig.plugin.script("NodeStageVolume", hang());
            AtomicReference<Throwable> end = new AtomicReference<>();
            Thread caller = caller(rig, end);
            rig.plugin.awaitCalls("NodeStageVolume", 1, PATIENCE);
            rig.channel.close();
            assertTrue(caller.join(PATIENCE));
            assertEquals(
                    Effect.UNKNOWN,
                    assertInstanceOf(CsiTrouble.class, end.get()).effect());
            CsiTrouble later = assertThrows(CsiUnavailable.class, rig::stage);
            assertEquals(Effect.NONE, later.effect());
            assertEquals(1, rig.plugin.calls().size());
        }
    }

    private static Thread caller(PluginRig rig, AtomicReference<Throwable> end) {
        return Thread.ofVirtual().start(() -> {
            try {
                rig.stage();
            } catch (CsiTrouble | InterruptedException ended) {
                end.set(ended);
            }
        });
    }

    @Test
    void aPluginThatComesBackIsSpokenToAtOnce() throws Exception {
        try (PluginRig rig = new PluginRig(dir).warm()) {
            rig.stage();
            rig.plugin.crash();
            CsiTrouble trouble = assertThrows(CsiUnavailable.class, rig::stage);
            assertEquals(CsiCode.UNAVAILABLE, trouble.code());
            rig.plugin.restart();
            rig.tries.clear();
            rig.stage();
            assertEquals(1, rig.tries.size(), "no wait for the library's own back-off");
        }
    }

    /** A call that goes out just as the plugin dies was taken for the plugin's refusal. */
    @Test
    void aConnectionThatBreaksAsACallGoesOut_isAPluginThatIsNotAvailable() {
        Status broken = Status.UNKNOWN.withDescription("channel closed").withCause(new ClosedChannelException());
        assertEquals(CsiCode.UNAVAILABLE, UnixTransport.code(broken));
        assertEquals(CsiCode.UNKNOWN, UnixTransport.code(Status.UNKNOWN));
        assertEquals(CsiCode.ABORTED, UnixTransport.code(Status.ABORTED));
    }

    @Test
    void aSocketThatNobodyServesIsSurelyNotDone() throws Exception {
        Path mute = dir.resolve("mute.sock");
        try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listener.bind(UnixDomainSocketAddress.of(mute));
            CsiTrouble trouble = stageOver(mute, CsiTimedOut.class);
            assertEquals(Effect.NONE, trouble.effect());
            assertTrue(trouble.reason().contains("nothing was sent"), trouble.reason());
        }
    }

    @Test
    void aSocketThatSpeaksSomethingElseIsTrouble() throws Exception {
        Path other = dir.resolve("other.sock");
        ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        listener.bind(UnixDomainSocketAddress.of(other));
        Thread server = Thread.ofVirtual().start(() -> greetAll(listener));
        try (listener) {
            CsiTrouble trouble = stageOver(other, CsiUnavailable.class);
            assertEquals(Effect.NONE, trouble.effect(), trouble.reason());
        }
        assertTrue(server.join(PATIENCE));
    }

    private static void greetAll(ServerSocketChannel listener) {
        while (listener.isOpen()) {
            try (SocketChannel peer = listener.accept()) {
                ByteBuffer hello =
                        ByteBuffer.wrap("SSH-2.0-nonsense\r\n".repeat(10).getBytes(UTF_8));
                while (hello.hasRemaining()) {
                    peer.write(hello);
                }
            } catch (IOException gone) {
                // The other side hung up, or the test is over: the loop's condition tells.
            }
        }
    }

    private static CsiTrouble stageOver(Path socket, Class<? extends CsiTrouble> kind) {
        CallPolicy hasty =
                CallPolicy.standard().withTryTimeout(Duration.ofSeconds(1)).withTries(2);
        PluginChannel channel =
                PluginChannel.open("other", socket, hasty, new SystemTime(), bound -> 0, CallObserver.NONE);
        try (channel) {
            return assertThrows(kind, () -> channel.node().stage(PluginRig.staging(), PluginRig.minute()));
        }
    }

    @Test
    void aFullPluginMakesOthersWaitButNotItsProbe() throws Exception {
        try (PluginRig rig = new PluginRig(dir, PluginRig.POLICY.withMostAtOnce(1)).warm()) {
            CountDownLatch gate = new CountDownLatch(1);
            rig.plugin.script("NodeStageVolume", waitFor(gate));
            AtomicReference<Throwable> end = new AtomicReference<>();
            Thread first = caller(rig, end);
            rig.plugin.awaitCalls("NodeStageVolume", 1, PATIENCE);
            CsiTrouble trouble = assertThrows(CsiTimedOut.class, () -> rig.stage(PluginRig.in(Duration.ofMillis(100))));
            assertEquals(Effect.NONE, trouble.effect());
            assertTrue(rig.channel.identity().isReady(PluginRig.minute()));
            assertTrue(trouble.reason().contains("1 other calls"), trouble.reason());
            gate.countDown();
            assertTrue(first.join(PATIENCE));
            rig.stage();
            assertEquals(2, rig.plugin.calls("NodeStageVolume").size());
        }
    }

    /** Else it sleeps until its own deadline, though the plugin has long been free. */
    @Test
    void whoWaitsForAPlace_hasItWhenAnotherLeaves() throws Exception {
        try (PluginRig rig = new PluginRig(dir, PluginRig.POLICY.withMostAtOnce(1)).warm()) {
            CountDownLatch gate = new CountDownLatch(1);
            rig.plugin.script("NodeStageVolume", waitFor(gate), ok());
            AtomicReference<Throwable> end = new AtomicReference<>();
            Thread first = caller(rig, end);
            rig.plugin.awaitCalls("NodeStageVolume", 1, PATIENCE);
            Thread second = caller(rig, end);
            Eventually.holds(() -> second.getState() == Thread.State.TIMED_WAITING, "it waits");
            gate.countDown();
            assertTrue(first.join(PATIENCE));
            assertTrue(second.join(PATIENCE));
            assertEquals(null, end.get());
            assertEquals(2, rig.plugin.calls("NodeStageVolume").size());
        }
    }

    /** Else a limit holds until it was reached once, and never again. */
    @Test
    void afterManyCallsThereAreStillNoMorePlaces() throws Exception {
        try (PluginRig rig = new PluginRig(dir, PluginRig.POLICY.withMostAtOnce(1)).warm()) {
            rig.stage();
            assertThrows(CsiTimedOut.class, () -> rig.stage(PluginRig.in(Duration.ZERO)));
            CountDownLatch gate = new CountDownLatch(1);
            rig.plugin.script("NodeStageVolume", waitFor(gate));
            Thread first = caller(rig, new AtomicReference<>());
            rig.plugin.awaitCalls("NodeStageVolume", 2, PATIENCE);
            for (int i = 0; i < 2; i++) {
                CsiTrouble trouble =
                        assertThrows(CsiTimedOut.class, () -> rig.stage(PluginRig.in(Duration.ofMillis(50))));
                assertTrue(trouble.reason().contains("1 other calls"), trouble.reason());
            }
            gate.countDown();
            assertTrue(first.join(PATIENCE));
        }
    }

    @Test
    void theAuthorityIsOneThatStrictServersTake() throws Exception {
        try (PluginRig rig = new PluginRig(dir)) {
            rig.stage();
            assertEquals("localhost", rig.plugin.calls().getFirst().authority());
        }
    }

    @Test
    void aSocketPathThatIsTooLongIsRefusedByName() {
        Path deep = dir.resolve("x".repeat(120));
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> PluginChannel.open("fake", deep));
        assertTrue(String.valueOf(refused.getMessage()).contains(deep.toString()));
    }
}
