package io.cleat.agent.volumes;

import static io.cleat.agent.volumes.Ground.SHARED;
import static io.cleat.agent.volumes.Ground.SINGLE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.model.VolumeId;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A journal that was cut at the end of a record reads as if it were whole; the mounts tell. */
class UnrecordedMountsTest extends OnGround {
    private static final List<VolumeId> ONE = List.of(new VolumeId("default", "ext-1-name"));

    UnrecordedMountsTest() throws Exception {}

    private Path journal() {
        return ground.directory.resolve("volumes.journal");
    }

    /** Goes on with the first bytes of the journal, up to the end of a record. */
    private void cut(byte[] whole, int end) throws Exception {
        Files.write(journal(), Arrays.copyOf(whole, end));
        ground.restart();
    }

    private static List<Integer> ends(byte[] journal) {
        List<Integer> ends = new ArrayList<>();
        for (int at = 0; at < journal.length; ) {
            at += JournalEnd.ENVELOPE + ByteBuffer.wrap(journal).getInt(at + 10);
            ends.add(at);
        }
        return ends;
    }

    @Test
    void ofAJournalCutAtTheEndOfAnyRecord_eachMountIsKnownToItOrFound() throws Exception {
        Path first = ground.publish("a1", "ext-1", SHARED).path();
        Path second = ground.publish("a2", "ext-1", SHARED).path();
        Path staging = ground.staging("ext-1-name");
        byte[] whole = Files.readAllBytes(journal());
        for (int end : ends(whole)) {
            cut(whole, end);
            for (String alloc : List.of("a1", "a2")) {
                Path target = alloc.equals("a1") ? first : second;
                List<Path> found = ground.volumes.unrecorded(alloc, ONE);
                boolean isKnown = ground.journal
                        .usedBy(alloc, "data")
                        .flatMap(volume -> volume.use(alloc, "data"))
                        .filter(use -> use.phase() != Use.Phase.PREPARING)
                        .isPresent();
                assertEquals(!isKnown, found.contains(target), alloc + " at " + end);
                assertEquals(List.of(), ground.volumes.unrecorded("a3", List.of()));
            }
        }
        cut(whole, ends(whole).getFirst());
        assertEquals(List.of(staging, first), ground.volumes.unrecorded("a1", ONE));
        assertEquals(List.of(first), ground.volumes.unrecorded("a1", List.of()));
        cut(whole, whole.length);
        assertEquals(List.of(), ground.volumes.unrecorded("a1", ONE));
        ground.unpublish("a1");
        ground.unpublish("a2");
        assertEquals(List.of(), ground.volumes.unrecorded("a1", ONE));
    }

    /** Else a kill at the wrong moment would put a healthy allocation into quarantine. */
    @Test
    void atNoPointOfAMountAndItsEnd_isAnyMountUnrecorded() throws Exception {
        Set<JournalPoint> reached = EnumSet.noneOf(JournalPoint.class);
        List<List<Path>> found = new ArrayList<>();
        ground.points = point -> {
            reached.add(point);
            try {
                found.add(ground.volumes.unrecorded("a1", ONE));
            } catch (Exception failed) {
                throw new IllegalStateException(failed);
            }
        };
        ground.restart();
        ground.publish("a1", "ext-1", SINGLE);
        ground.unpublish("a1");
        assertEquals(Set.of(List.<Path>of()), Set.copyOf(found));
        assertEquals(14, reached.size());
        ground.assertNothingLeft();
    }
}
