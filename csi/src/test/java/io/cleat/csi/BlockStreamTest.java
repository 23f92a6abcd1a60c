package io.cleat.csi;

import static io.cleat.testkit.Behaviour.answer;
import static io.cleat.testkit.Behaviour.crash;
import static io.cleat.testkit.Behaviour.hang;
import static io.cleat.testkit.Behaviour.ok;
import static io.cleat.testkit.Behaviour.part;
import static io.cleat.testkit.Behaviour.refuse;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Effect;
import io.cleat.base.Secrets;
import io.cleat.csi.v1.BlockMetadata;
import io.cleat.csi.v1.BlockMetadataType;
import io.cleat.csi.v1.GetMetadataAllocatedRequest;
import io.cleat.csi.v1.GetMetadataAllocatedResponse;
import io.cleat.testkit.Behaviour;
import io.cleat.testkit.Eventually;
import io.cleat.testkit.FakeCsiSetup;
import io.grpc.Status.Code;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Block metadata is streamed: whole, in order, at the reader's speed, within its limits. */
final class BlockStreamTest {
    private static final long BLOCK = 4_096;

    /** Of a snapshot of 1 MiB whose every second block is allocated. */
    private static final List<Long> ALL =
            LongStream.range(0, 128).map(i -> 2 * i * BLOCK).boxed().toList();

    @TempDir
    private Path dir;

    private final List<Long> offsets = new ArrayList<>();

    private PluginRig rig(CallPolicy policy) throws Exception {
        PluginRig rig = new PluginRig(dir, policy, FakeCsiSetup.whole()).warm();
        rig.channel.snapshots().create(SnapshotOrder.of(PluginRig.VOLUME, "a"), PluginRig.minute());
        return rig;
    }

    private PluginRig rig() throws Exception {
        return rig(PluginRig.POLICY);
    }

    private boolean note(BlockPage page) {
        page.ranges().forEach(range -> offsets.add(range.offset()));
        return true;
    }

    private BlockRead read(PluginRig rig, BlockQuery query) throws CsiTrouble, InterruptedException {
        return rig.channel.snapshotMetadata().allocated(query, this::note, PluginRig.minute());
    }

    @Test
    void allThatIsAllocatedIsRead() throws Exception {
        try (PluginRig rig = rig()) {
            assertEquals(new BlockRead(true, 255 * BLOCK), read(rig, BlockQuery.of("snap-a")));
            assertEquals(ALL, offsets);
        }
    }

    @Test
    void whatChangedSinceAnotherSnapshotIsRead() throws Exception {
        try (PluginRig rig = rig()) {
            rig.channel.snapshots().create(SnapshotOrder.of(PluginRig.VOLUME, "b"), PluginRig.minute());
            BlockRead read = rig.channel
                    .snapshotMetadata()
                    .changed("snap-a", BlockQuery.of("snap-b").from(512 << 10), this::note, PluginRig.minute());
            assertTrue(read.complete());
            assertEquals(
                    LongStream.range(32, 64).map(i -> 4 * i * BLOCK).boxed().toList(), offsets);
        }
    }

    @Test
    void theReaderEndsItAndGoesOnLater() throws Exception {
        try (PluginRig rig = rig()) {
            BlockRead read = rig.channel
                    .snapshotMetadata()
                    .allocated(BlockQuery.of("snap-a"), page -> note(page) && offsets.size() < 6, PluginRig.minute());
            assertEquals(new BlockRead(false, 11 * BLOCK), read);
            assertTrue(
                    read(rig, BlockQuery.of("snap-a").from(read.nextOffset())).complete());
            assertEquals(ALL, offsets);
        }
    }

    @Test
    void theLimitOfBytesEndsItWhereItCanGoOn() throws Exception {
        try (PluginRig rig = rig()) {
            BlockQuery little = new BlockQuery("snap-a", 0, 4, 100, Secrets.none());
            int readings = 0;
            for (BlockRead read = read(rig, little);
                    !read.complete();
                    read = read(rig, little.from(read.nextOffset()))) {
                readings++;
            }
            assertEquals(ALL, offsets);
            assertTrue(readings > 5, readings + " readings");
        }
    }

    @Test
    void aSlowReaderHoldsThePluginBack() throws Exception {
        try (PluginRig rig = rig()) {
            rig.plugin.addVolume("ext-large", 4L << 30);
            rig.channel.snapshots().create(SnapshotOrder.of("ext-large", "large"), PluginRig.minute());
            BlockQuery query = new BlockQuery("snap-large", 0, 1_000, 1 << 30, Secrets.none());
            BlockRead read = rig.channel
                    .snapshotMetadata()
                    .allocated(
                            query,
                            page -> {
                                if (offsets.isEmpty()) {
                                    held(rig);
                                }
                                return note(page);
                            },
                            PluginRig.minute());
            assertTrue(read.complete());
            assertEquals(1 << 19, offsets.size());
        }
    }

    /** The plugin waits for us, long before it has sent its 525 pages. */
    private static void held(PluginRig rig) throws InterruptedException {
        try {
            Eventually.holds(() -> rig.plugin.heldBack() > 0, "the plugin is held back");
        } catch (InterruptedException end) {
            throw end;
        } catch (Exception failed) {
            throw new AssertionError(failed);
        }
        assertTrue(rig.plugin.streamed() < 400, rig.plugin.streamed() + " pages sent");
    }

    @TestFactory
    Stream<DynamicTest> aBrokenStreamIsOpenedAgainBehindWhatWasRead() {
        return Stream.of(part(5, refuse(Code.UNAVAILABLE, "lost")), part(5, refuse(Code.RESOURCE_EXHAUSTED, "busy")))
                .map(broken -> DynamicTest.dynamicTest(broken.toString(), () -> {
                    offsets.clear();
                    try (PluginRig rig = rig()) {
                        rig.plugin.script("GetMetadataAllocated", broken, broken, broken, broken, ok());
                        assertTrue(read(rig, BlockQuery.of("snap-a")).complete());
                        assertEquals(ALL, offsets);
                        assertEquals(
                                Collections.nCopies(4, Duration.ofMillis(100)), rig.waits, "each brought something");
                        assertEquals(19 * BLOCK, started(rig).get(1), "behind ten ranges");
                    }
                }));
    }

    private static List<Long> started(PluginRig rig) {
        return rig.plugin.calls("GetMetadataAllocated").stream()
                .map(call -> ((GetMetadataAllocatedRequest) call.request()).getStartingOffset())
                .toList();
    }

    @Test
    void aStreamThatStallsIsOpenedAgain() throws Exception {
        try (PluginRig rig = rig(PluginRig.POLICY.withTryTimeout(Duration.ofSeconds(2)))) {
            rig.plugin.script("GetMetadataAllocated", part(3, hang()), ok());
            assertTrue(read(rig, BlockQuery.of("snap-a")).complete());
            assertEquals(ALL, offsets);
        }
    }

    @Test
    void streamsThatBringNothingAreTriedThreeTimes() throws Exception {
        try (PluginRig rig = rig()) {
            rig.plugin.script("GetMetadataAllocated", refuse(Code.UNAVAILABLE, "busy"));
            CsiTrouble trouble = assertThrows(CsiUnavailable.class, () -> read(rig, BlockQuery.of("snap-a")));
            assertEquals(3, trouble.tries());
            assertEquals(Effect.NONE, trouble.effect());
            assertEquals(List.of(Duration.ofMillis(100), Duration.ofMillis(200)), rig.waits);
        }
    }

    /** Else each stream takes one for ever, and at last no call to the plugin is made. */
    @Test
    void aStreamThatEnded_leavesItsPlaceAmongTheCallsInFlight() throws Exception {
        try (PluginRig rig = rig(PluginRig.POLICY.withMostAtOnce(1))) {
            rig.plugin.script("GetMetadataAllocated", refuse(Code.INTERNAL, "no"), ok());
            assertThrows(CsiRejected.class, () -> read(rig, BlockQuery.of("snap-a")));
            assertTrue(read(rig, BlockQuery.of("snap-a")).complete());
            assertTrue(read(rig, BlockQuery.of("snap-a")).complete());
            rig.stage(PluginRig.in(Duration.ofSeconds(20)));
        }
    }

    @Test
    void aCrashAmidAStreamIsToldWhenNobodyListensAfter() throws Exception {
        try (PluginRig rig = rig()) {
            rig.plugin.script("GetMetadataAllocated", part(2, crash()));
            assertThrows(CsiUnavailable.class, () -> read(rig, BlockQuery.of("snap-a")));
            assertEquals(ALL.subList(0, 4), offsets);
        }
    }

    @Test
    void theDeadlineEndsAStreamThatHangs() throws Exception {
        try (PluginRig rig = rig()) {
            rig.plugin.script("GetMetadataAllocated", hang());
            CsiTrouble trouble = assertThrows(
                    CsiTimedOut.class,
                    () -> rig.channel
                            .snapshotMetadata()
                            .allocated(BlockQuery.of("snap-a"), this::note, PluginRig.in(Duration.ofMillis(400))));
            assertEquals(Effect.NONE, trouble.effect());
        }
    }

    @Test
    void anInterruptEndsAStream() throws Exception {
        try (PluginRig rig = rig()) {
            rig.plugin.script("GetMetadataAllocated", hang());
            CountDownLatch ended = new CountDownLatch(1);
            AtomicReference<Exception> thrown = new AtomicReference<>();
            Thread reader = Thread.ofVirtual().start(() -> {
                try {
                    read(rig, BlockQuery.of("snap-a"));
                } catch (CsiTrouble | InterruptedException end) {
                    thrown.set(end);
                }
                ended.countDown();
            });
            rig.plugin.awaitCalls("GetMetadataAllocated", 1, Duration.ofSeconds(30));
            reader.interrupt();
            ended.await();
            assertInstanceOf(InterruptedException.class, thrown.get());
        }
    }

    private record Bad(String reply, GetMetadataAllocatedResponse message, String says) {}

    private static GetMetadataAllocatedResponse page(BlockMetadataType type, long capacity, long... ranges) {
        GetMetadataAllocatedResponse.Builder page = GetMetadataAllocatedResponse.newBuilder()
                .setBlockMetadataType(type)
                .setVolumeCapacityBytes(capacity);
        for (int i = 0; i < ranges.length; i += 2) {
            page.addBlockMetadata(
                    BlockMetadata.newBuilder().setByteOffset(ranges[i]).setSizeBytes(ranges[i + 1]));
        }
        return page.build();
    }

    private static Stream<Bad> bad() {
        BlockMetadataType any = BlockMetadataType.VARIABLE_LENGTH;
        return Stream.of(
                new Bad("no type", page(BlockMetadataType.UNKNOWN, 9), "no block_metadata_type"),
                new Bad("no capacity", page(any, 0), "volume_capacity_bytes 0"),
                new Bad("an empty range", page(any, 9, 100, 0), "a range of 0 bytes"),
                new Bad("a negative place", page(any, 9, -1, 5), "at -1"),
                new Bad("a range beyond all numbers", page(any, 9, 5, Long.MAX_VALUE), "at 5"),
                new Bad("ranges that overlap", page(any, 9, 100, 10, 109, 5), "not after 110"),
                new Bad("ranges that go back", page(any, 9, 100, 10, 90, 5), "not after 110"),
                new Bad("what ends before the start", page(any, 9, 10, 40), "not after 50"),
                new Bad(
                        "unequal blocks of fixed length",
                        page(BlockMetadataType.FIXED_LENGTH, 9, 100, 10, 110, 20),
                        "expected equal"),
                new Bad("more ranges than asked for", page(any, 9, 100, 1, 200, 1, 300, 1), "at most 2"));
    }

    @TestFactory
    Stream<DynamicTest> badMetadataIsTroubleOfThePlugin() {
        return bad().map(bad -> DynamicTest.dynamicTest(bad.reply(), () -> {
            try (PluginRig rig = rig()) {
                rig.plugin.script("GetMetadataAllocated", answer(bad.message()));
                CsiTrouble trouble = assertThrows(
                        CsiProtocol.class, () -> read(rig, new BlockQuery("snap-a", 50, 2, 1 << 20, Secrets.none())));
                assertTrue(trouble.reason().contains(bad.says()), trouble.reason());
            }
        }));
    }

    @Test
    void aRangeMayReachBackOverTheStart() throws Exception {
        try (PluginRig rig = rig()) {
            rig.plugin.script("GetMetadataAllocated", answer(page(BlockMetadataType.VARIABLE_LENGTH, 9_000, 0, 100)));
            assertEquals(
                    new BlockRead(true, 100), read(rig, BlockQuery.of("snap-a").from(50)));
        }
    }

    @Test
    void aStreamThatChangesItsMindIsTrouble() throws Exception {
        try (PluginRig rig = rig()) {
            Behaviour other = answer(page(BlockMetadataType.VARIABLE_LENGTH, 9, 1 << 20, 10));
            rig.plugin.script("GetMetadataAllocated", part(2, refuse(Code.UNAVAILABLE, "lost")), other);
            CsiTrouble trouble = assertThrows(CsiProtocol.class, () -> read(rig, BlockQuery.of("snap-a")));
            assertTrue(trouble.reason().contains("before it said"), trouble.reason());
            assertFalse(offsets.isEmpty());
        }
    }
}
