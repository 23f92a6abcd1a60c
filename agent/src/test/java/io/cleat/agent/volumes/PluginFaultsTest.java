package io.cleat.agent.volumes;

import static io.cleat.agent.volumes.Ground.SHARED;
import static io.cleat.agent.volumes.Ground.SINGLE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.SystemTime;
import io.cleat.base.Time;
import io.cleat.base.Trouble;
import io.cleat.kernel.Mounts;
import io.cleat.model.BlockedBy;
import io.cleat.model.VolumeEvent;
import io.cleat.testkit.Behaviour;
import io.cleat.wire.ToServer.VolumePhase;
import io.grpc.Status;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import org.junit.jupiter.api.Test;

/** What a plugin may do wrong to volumes, and what is made of it. */
class PluginFaultsTest extends OnGround {
    PluginFaultsTest() throws Exception {}

    /** kubernetes#82426: a timeout was taken for a failure, and the directory went. */
    @Test
    void kubernetes82426AfterATimeoutTheSameCallIsMadeAgainAndNothingIsCleanedUp() throws Exception {
        ground.plugin.script("NodeStageVolume", Behaviour.hang(), Behaviour.hang(), Behaviour.ok());
        Thread waiting = publishing("a1", "ext-1", SINGLE, new AtomicReference<>());
        BlockedBy told = awaitWait();
        assertEquals("stage", told.step());
        assertTrue(told.holder().contains("DeadlineExceeded"), told.holder());
        assertTrue(told.nextTry() != null && !told.nextTry().isBefore(told.since()));
        assertTrue(Files.isDirectory(ground.staging("ext-1-name")));
        join(waiting);
        var calls = ground.plugin.calls("NodeStageVolume");
        assertEquals(3, calls.size());
        assertEquals(1, calls.stream().map(call -> call.request()).distinct().count());
        assertEquals(List.of(), ground.plugin.calls("NodeUnstageVolume"));
        assertTrue(ground.volumes.published("a1", "data").isPresent());
    }

    /** It showed "mount" and no event for two minutes, and forgot what had been said before. */
    @Test
    void aStageThatHangs_isNamedWithItsPluginAndToldAsAnEvent_andEarlierWordsStay() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        ground.plugin.script(
                "NodeStageVolume",
                Behaviour.refuse(Status.Code.INTERNAL, "the pool is degraded"),
                Behaviour.waitFor(gate));
        ManualTime clock = new ManualTime();
        ground.time = clock;
        ground.restart();
        Thread waiting = publishing("a1", "ext-1", SINGLE, new AtomicReference<>());
        ground.plugin.awaitCalls("NodeStageVolume", 2, Duration.ofSeconds(60));
        BlockedBy last = ground.told.await("the pool is degraded");
        assertEquals("stage", last.step());
        SlowCalls slow = new SlowCalls(ground.newestParts());
        slow.look();
        assertEquals(List.of(), pending(), "it takes no 5 s yet");
        clock.ahead = CallsUnderWay.LONG;
        slow.look();
        slow.look();
        BlockedBy told = ground.told.await("has not answered NodeStageVolume yet");
        assertTrue(told.holder().contains("\"" + Ground.PLUGIN + "\""), told.holder());
        assertEquals(List.of("NodeStageVolume"), pending());
        assertEquals(1, ground.told.silences.size(), "only before the first try");
        gate.countDown();
        join(waiting);
        slow.look();
        assertEquals(List.of("NodeStageVolume"), pending());
    }

    private List<String> pending() {
        return ground.news.volume.stream()
                .filter(event -> event.code().equals("Pending"))
                .map(VolumeEvent::call)
                .toList();
    }

    /** The machine's clock, and ahead of it. */
    private static final class ManualTime implements Time {
        private final Time real = new SystemTime();
        volatile Duration ahead = Duration.ZERO;

        @Override
        public Instant now() {
            return real.now().plus(ahead);
        }

        @Override
        public long nanos() {
            return real.nanos() + ahead.toNanos();
        }

        @Override
        public void sleep(Duration duration) throws InterruptedException {
            real.sleep(duration);
        }

        @Override
        public boolean await(Condition condition, Deadline deadline) throws InterruptedException {
            return real.await(condition, deadline);
        }
    }

    /** kubernetes#7317: an unmount failed, and a recursive removal followed. */
    @Test
    void kubernetes7317WhatCannotBeUnmountedKeepsItsData() throws Exception {
        Publication publication = ground.publish("a1", "ext-1", SINGLE);
        Files.writeString(publication.path().resolve("canary"), "alive");
        ground.plugin.script(
                "NodeUnpublishVolume",
                Behaviour.refuse(Status.Code.INTERNAL, "device is busy"),
                Behaviour.refuse(Status.Code.FAILED_PRECONDITION, "still busy"),
                Behaviour.lie(),
                Behaviour.ok());
        ground.unpublish("a1");
        assertEquals(4, ground.plugin.calls("NodeUnpublishVolume").size());
        ground.assertNothingLeft();
        assertEquals("alive", Files.readString(ground.storage.files("ext-1").resolve("canary")));
    }

    /** nomad#19440: the restart of a plugin took the mounts of its consumers. */
    @Test
    void nomad19440ARestartOfThePluginLeavesMountsAlone() throws Exception {
        Publication publication = ground.publish("a1", "ext-1", SINGLE);
        Files.writeString(publication.path().resolve("f"), "data");
        ground.plugin.crash();
        ground.plugins.vanish(Ground.PLUGIN);
        ground.sweeper.sweep(List::of);
        assertEquals("data", Files.readString(publication.path().resolve("f")));
        ground.plugin.restart(ground.setup);
        ground.appear();
        assertEquals(publication, ground.publish("a1", "ext-1", SINGLE));
        assertEquals(List.of("NodeStageVolume", "NodePublishVolume"), ground.calls());
    }

    /** democratic-csi#536: unstaging said OK and left the mount, day after day. */
    @Test
    void democraticCsi536AStagingThatStaysMountedIsUnstagedAgain() throws Exception {
        ground.publish("a1", "ext-1", SINGLE);
        ground.plugin.script("NodeUnstageVolume", Behaviour.lie(), Behaviour.lie(), Behaviour.ok());
        ground.unpublish("a1");
        assertEquals(3, ground.plugin.calls("NodeUnstageVolume").size());
        assertTrue(ground.news.volume.stream().anyMatch(event -> event.message().contains("is still mounted")));
        ground.assertNothingLeft();
    }

    /** What it could not see when it was asked, it has undone for ever; the claim stayed with it. */
    @Test
    void stagingThatItsPluginHasUnstagedBefore_isUnmountedByTheAgentAfterThreeAnswers() throws Exception {
        ground.publish("a1", "ext-1", SINGLE);
        ground.plugin.script("NodeUnstageVolume", Behaviour.lie(), Behaviour.lie(), Behaviour.lie(), Behaviour.lie());
        ground.unpublish("a1");
        assertEquals(3, ground.plugin.calls("NodeUnstageVolume").size());
        assertTrue(ground.news.volume.stream().anyMatch(event -> event.message().contains("the agent unmounted it")));
        assertEquals(0, ground.mounted().size());
    }

    /** A permanent fault that is answered with Internal was tried for ever. */
    @Test
    void internalForEver_isGivenUpAfterTheBoundWithItsWordsAndNothingIsTakenForUndone() throws Exception {
        ground.mounting = Duration.ofMillis(300);
        ground.restart();
        ground.plugin.script("NodePublishVolume", Behaviour.refuse(Status.Code.INTERNAL, "wrong fs type"));
        Trouble givenUp = assertThrows(Trouble.class, () -> ground.publish("a1", "ext-1", SINGLE));
        assertTrue(givenUp.reason().contains("wrong fs type"), givenUp.reason());
        assertEquals(Effect.UNKNOWN, givenUp.effect());
        assertEquals(List.of(), ground.plugin.calls("NodeUnpublishVolume"));
        assertEquals(Map.of("data", VolumePhase.MOUNTING), ground.volumes.phases("a1"));
        ground.unpublish("a1");
        ground.assertNothingLeft();
    }

    @Test
    void aPluginThatIsNotThere_isWaitedForBeyondTheBound() throws Exception {
        ground.mounting = Duration.ofMillis(1);
        ground.restart();
        ground.plugins.vanish(Ground.PLUGIN);
        Thread waiting = publishing("a1", "ext-1", SINGLE, new AtomicReference<>());
        assertTrue(awaitWait().holder().contains("does not run"));
        ground.appear();
        join(waiting);
        assertTrue(ground.volumes.published("a1", "data").isPresent());
    }

    /** The plugin had unmounted the target, and failed for ever to unmount it once more. */
    @Test
    void internalForATargetThatIsNowhere_countsAsUnpublishedAndIsTold() throws Exception {
        ground.publish("a1", "ext-1", SINGLE);
        ground.plugin.script(
                "NodeUnpublishVolume", Behaviour.doThen(Behaviour.refuse(Status.Code.INTERNAL, "umount: exit 32")));
        ground.unpublish("a1");
        assertEquals(1, ground.plugin.calls("NodeUnpublishVolume").size());
        ground.assertNothingLeft();
        assertTrue(ground.news.volume.stream().anyMatch(e -> e.message().contains("umount: exit 32")));
        assertTrue(ground.news.volume.stream().anyMatch(e -> e.message().contains("it counts as unpublished")));
    }

    @Test
    void anUnknownFailureForATargetThatIsNowhere_countsAsUnpublished() throws Exception {
        ground.publish("a1", "ext-1", SINGLE);
        ground.plugin.script(
                "NodeUnpublishVolume", Behaviour.doThen(Behaviour.refuse(Status.Code.UNKNOWN, "umount: exit 32")));
        ground.unpublish("a1");
        assertEquals(1, ground.plugin.calls("NodeUnpublishVolume").size());
        ground.assertNothingLeft();
    }

    /** Some say so of what they did, for ever; of what is still there nobody believes it. */
    @Test
    void noMountPoint_isBelievedOfATargetThatIsGoneAndOfNoOther() throws Exception {
        ground.publish("a1", "ext-1", SINGLE);
        Behaviour says = Behaviour.refuse(Status.Code.FAILED_PRECONDITION, "No mount point");
        ground.plugin.script("NodeUnpublishVolume", says, Behaviour.doThen(says));
        ground.unpublish("a1");
        assertEquals(2, ground.plugin.calls("NodeUnpublishVolume").size());
        ground.assertNothingLeft();

        Publication publication = ground.publish("a1", "ext-1", SINGLE);
        Mounts.linux().unmount(publication.path());
        ground.plugin.clearCalls();
        ground.plugin.script("NodeUnpublishVolume", says, says, Behaviour.ok());
        ground.unpublish("a1");
        assertEquals(3, ground.plugin.calls("NodeUnpublishVolume").size());
        ground.assertNothingLeft();
    }

    @Test
    void abortedForATargetThatIsNowhere_isAskedAgain() throws Exception {
        Publication publication = ground.publish("a1", "ext-1", SINGLE);
        Mounts.linux().unmount(publication.path());
        ground.plugin.script(
                "NodeUnpublishVolume",
                Behaviour.refuse(Status.Code.ABORTED, "at it"),
                Behaviour.refuse(Status.Code.ABORTED, "at it"),
                Behaviour.ok());
        ground.unpublish("a1");
        assertEquals(3, ground.plugin.calls("NodeUnpublishVolume").size());
        ground.assertNothingLeft();
    }

    @Test
    void aPluginThatPublishesNothingAndSaysOkIsCaughtSaidAndAskedAgain() throws Exception {
        ground.plugin.script("NodePublishVolume", Behaviour.lie(), Behaviour.lie(), Behaviour.ok());
        ground.publish("a1", "ext-1", SINGLE);
        assertEquals(3, ground.plugin.calls("NodePublishVolume").size());
        assertEquals(
                2,
                ground.news.node.stream()
                        .filter(e -> "false".equals(e.details().get("success")))
                        .count());
        String error = String.valueOf(ground.news.node.getFirst().details().get("error"));
        assertTrue(error.contains("answered OK") && error.contains("nothing is mounted"), error);
    }

    /** It was accepted, and the volume published through it. */
    @Test
    void aStageThatIsALinkIsThePluginsFault() throws Exception {
        Path canary = Files.createDirectory(ground.directory.resolve("canary"));
        Files.writeString(canary.resolve("f"), "alive");
        ground.storage.stageAsLinkTo(canary);
        Trouble refused = assertThrows(Trouble.class, () -> ground.publish("a1", "ext-1", SINGLE));
        assertTrue(refused.reason().contains("is a link"), refused.reason());
        assertTrue(ground.news.volume.stream()
                .anyMatch(event -> event.message().contains("answered OK to NodeStageVolume")));
        assertEquals(List.of(), ground.plugin.calls("NodePublishVolume"));
        assertEquals("alive", Files.readString(canary.resolve("f")));
        Files.delete(ground.hostRoot.resolve("staging/default/ext-1-name"));
        ground.sweeper.sweep(List::of);
        ground.assertNothingLeft();
    }

    @Test
    void notFoundIsNotBelievedWhileItIsMounted() throws Exception {
        ground.publish("a1", "ext-1", SINGLE);
        ground.plugin.script("NodeUnpublishVolume", Behaviour.refuse(Status.Code.NOT_FOUND, "no such volume"));
        ground.plugin.script("NodeUnstageVolume", Behaviour.refuse(Status.Code.NOT_FOUND, "no such volume"));
        ground.unpublish("a1");
        assertEquals(List.of(), ground.mounted());
        assertEquals(List.of(), ground.entries());
        assertEquals(List.of(), ground.journal.volumes());
        assertEquals(
                2,
                ground.news.volume.stream()
                        .filter(event -> event.message().contains("the agent unmounted it"))
                        .count());
    }

    @Test
    void aPluginThatRestartsBetweenStageAndPublishIsWaitedFor() throws Exception {
        ground.plugin.script("NodePublishVolume", Behaviour.crash(), Behaviour.ok());
        Thread waiting = publishing("a1", "ext-1", SINGLE, new AtomicReference<>());
        assertEquals("publish", awaitWait().step());
        ground.plugins.vanish(Ground.PLUGIN);
        BlockedBy told = awaitWait();
        while (!told.holder().contains("does not run")) {
            told = awaitWait();
        }
        assertTrue(told.holder().contains("\"" + Ground.PLUGIN + "\""), told.holder());
        assertTrue(told.hint().contains("plugin status"), told.hint());
        ground.plugin.restart(ground.setup);
        ground.appear();
        join(waiting);
        assertTrue(ground.volumes.published("a1", "data").isPresent());
        assertEquals(1, ground.plugin.calls("NodeStageVolume").size());
    }

    @Test
    void aRefusalAfterAnUnknownTryIsUndoneByTheInverseCalls() throws Exception {
        // It timed out, and did its work all the same; then it refuses.
        ground.plugin.script(
                "NodePublishVolume",
                Behaviour.doThen(Behaviour.hang()),
                Behaviour.refuse(Status.Code.FAILED_PRECONDITION, "no more of this"));
        ground.plugin.script("NodeUnpublishVolume", Behaviour.hang(), Behaviour.ok());
        Trouble trouble = assertThrows(Trouble.class, () -> ground.publish("a1", "ext-1", SINGLE));
        assertTrue(trouble.reason().contains("no more of this"), trouble.reason());
        // The first inverse call is unknown too: so is the whole, and the journal still owes.
        assertEquals(Effect.UNKNOWN, trouble.effect());
        assertEquals(Map.of("data", VolumePhase.UNMOUNTING), ground.volumes.phases("a1"));
        ground.unpublish("a1");
        ground.assertNothingLeft();
    }

    @Test
    void aRefusalLeavesNothingOfThisClaimAndAllOfTheOthers() throws Exception {
        Publication other = ground.publish("a1", "ext-1", SHARED);
        ground.plugin.script("NodePublishVolume", Behaviour.refuse(Status.Code.INVALID_ARGUMENT, "not like this"));
        Trouble trouble = assertThrows(Trouble.class, () -> ground.publish("a2", "ext-1", SHARED));
        assertEquals(Effect.NONE, trouble.effect());
        assertEquals(Optional.of(other), ground.volumes.published("a1", "data"));
        assertEquals(Map.of(), ground.volumes.phases("a2"));
        assertEquals(List.of(), ground.plugin.calls("NodeUnstageVolume"));
        assertFalse(Files.exists(ground.hostRoot.resolve("per-alloc/a2")));

        ground.plugin.script("NodeStageVolume", Behaviour.refuse(Status.Code.INVALID_ARGUMENT, "nor this"));
        assertThrows(Trouble.class, () -> ground.publish("a3", "ext-2", SINGLE));
        assertEquals(1, ground.plugin.calls("NodeUnstageVolume").size());
        ground.plugin.script("NodeUnpublishVolume", Behaviour.ok());
        ground.unpublish("a1");
        ground.assertNothingLeft();
    }

    @Test
    void aPluginThatPublishesAndThenFails_isAskedAgainAndMountsOnce() throws Exception {
        ground.plugin.script(
                "NodePublishVolume",
                Behaviour.doThen(Behaviour.refuse(Status.Code.INTERNAL, "half done")),
                Behaviour.ok());
        ground.publish("a1", "ext-1", SINGLE);
        assertEquals(2, ground.plugin.calls("NodePublishVolume").size());
        assertEquals(2, ground.mounted().size());
        ground.unpublish("a1");
        ground.assertNothingLeft();
    }

    @Test
    void aPluginThatMountsTwice_isAskedUntilNothingIsMounted() throws Exception {
        Publication publication = ground.publish("a1", "ext-1", SINGLE);
        Mounts.linux().bind(ground.staging("ext-1-name"), publication.path());
        ground.plugin.script(
                "NodeUnpublishVolume", Behaviour.refuse(Status.Code.NOT_FOUND, "no such volume"), Behaviour.ok());
        ground.unpublish("a1");
        ground.assertNothingLeft();
        assertTrue(
                ground.news.volume.stream().anyMatch(event -> event.message().contains("still mounted")),
                ground.news.volume.toString());
    }

    /** As by a plugin that did the one call late, after the other: else the mount is left. */
    @Test
    void whatIsMountedAgainAfterItWasUndone_isUndoneOnceMore() throws Exception {
        ground.publish("a1", "ext-1", SINGLE);
        VolumeRecord record = ground.journal.volumes().getFirst();
        ground.journal.keep(record.with(record.uses().getFirst().at(Use.Phase.UNPUBLISHED)));
        ground.plugin.script("NodeUnstageVolume", Behaviour.hang());
        Thread stopping = ground.threads.vitalWork("test/stop", () -> ground.unpublish("a1"));
        ground.plugin.awaitCalls("NodeUnstageVolume", 1, SOON);
        stopping.interrupt();
        join(stopping);
        assertEquals(1, ground.plugin.calls("NodeUnpublishVolume").size());

        VolumeRecord left = ground.journal.volumes().getFirst();
        Staging staging = Objects.requireNonNull(left.staging());
        ground.journal.keep(left.with(staging.at(Staging.Phase.UNSTAGED)));
        ground.plugin.clearCalls();
        ground.plugin.script("NodeUnstageVolume", Behaviour.ok());
        ground.unpublish("a1");
        assertEquals(List.of("NodeUnstageVolume"), ground.calls());
        ground.assertNothingLeft();
    }

    @Test
    void aPluginThatNoLongerSaysThatItStages_isStillAskedToUnstage() throws Exception {
        ground.publish("a1", "ext-1", SHARED);
        ground.setup = ground.setup.withCapabilities(Set.of(), Set.of());
        ground.appear();
        // What is staged is published from there, also now.
        ground.publish("a2", "ext-1", SHARED);
        ground.unpublish("a1");
        ground.unpublish("a2");
        assertEquals(1, ground.plugin.calls("NodeUnstageVolume").size());
        ground.assertNothingLeft();
    }

    @Test
    void aClockThatJumps_neitherShortensNorLengthensAWait() throws Exception {
        ground.time = new JumpingTime();
        ground.restart();
        ground.plugin.script(
                "NodeStageVolume",
                Behaviour.refuse(Status.Code.UNAVAILABLE, "not now"),
                Behaviour.refuse(Status.Code.UNAVAILABLE, "not now"),
                Behaviour.ok());
        long begin = System.nanoTime();
        ground.publish("a1", "ext-1", SINGLE);
        ground.unpublish("a1");
        assertTrue(Duration.ofNanos(System.nanoTime() - begin).compareTo(SOON) < 0);
        assertEquals(3, ground.plugin.calls("NodeStageVolume").size());
        ground.assertNothingLeft();
    }

    /** Each look at the clock finds it a day off, in turns to the past and to the future. */
    private static final class JumpingTime implements Time {
        private final SystemTime real = new SystemTime();
        private final AtomicInteger looks = new AtomicInteger();

        @Override
        public Instant now() {
            int days = looks.incrementAndGet() % 2 == 0 ? 1 : -1;
            return real.now().plus(Duration.ofDays(days));
        }

        @Override
        public long nanos() {
            return real.nanos();
        }

        @Override
        public void sleep(Duration duration) throws InterruptedException {
            real.sleep(duration);
        }

        @Override
        public boolean await(Condition condition, Deadline deadline) throws InterruptedException {
            return real.await(condition, deadline);
        }
    }
}
