package io.cleat.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.cleat.codec.RecordHash;
import io.cleat.testkit.HostileRecords;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The number by which members compare their images. */
final class SumTest {
    private static ClusterState image() {
        return ClusterState.empty().apply(SampleChanges.all(), 1, Samples.AT);
    }

    @Test
    void theSumThatIsKeptIsTheSumMadeAnewWhateverChanges() {
        for (long seed = 0; seed < 12; seed++) {
            HostileRecords records = new HostileRecords(seed);
            ClusterState image = image();
            for (int i = 2; i <= 60; i++) {
                image = image.apply(List.of(records.next(Change.class)), i, Instant.ofEpochSecond(i));
                assertEquals(image.sumAnew(), image.sum(), "seed " + seed + ", change " + i);
            }
        }
    }

    @Test
    void imagesThatDifferInOneRowHaveOtherSums() {
        ClusterState image = image();
        Map<Long, String> sums = new HashMap<>();
        ClusterState unchanged = image.apply(List.of(), 2, Samples.AT);
        String same = Snapshot.digest(unchanged);
        sums.put(unchanged.sum(), "nothing");
        for (Change change : SampleChanges.all()) {
            ClusterState after = image.apply(List.of(change), 2, Samples.AT);
            String digest = Snapshot.digest(after);
            if (!digest.equals(same)) {
                String other = sums.put(after.sum(), digest);
                if (other != null) {
                    assertEquals(digest, other, "two images of one sum: " + change);
                }
            } else {
                assertEquals(unchanged.sum(), after.sum());
            }
        }
        assertNull(sums.put(image.sum(), "before"));
    }

    @Test
    void anImageComesToTheSameSumOnAnyWay() {
        ClusterState one = ClusterState.empty()
                .apply(List.of(new Change.NodePut(Samples.node("a"))), 1, Samples.AT)
                .apply(List.of(new Change.NodePut(Samples.node("b"))), 2, Samples.AT)
                .apply(List.of(new Change.NodeRemoved("b")), 3, Samples.AT);
        ClusterState other = ClusterState.empty()
                .apply(List.of(new Change.NodePut(Samples.node("a"))), 1, Samples.AT)
                .apply(List.of(new Change.NodePut(Samples.node("c"))), 2, Samples.AT)
                .apply(List.of(new Change.NodeRemoved("c")), 3, Samples.AT);
        assertEquals(one.sum(), other.sum());
        assertNotEquals(
                one.sum(),
                other.apply(List.of(new Change.NodeRemoved("a")), 3, Samples.AT).sum());
    }

    @Test
    void noTwoHostileChangesHaveOneNumber() {
        Map<Long, Change> numbers = new HashMap<>();
        for (long seed = 0; seed < 4000; seed++) {
            Change change = new HostileRecords(seed).next(Change.class);
            Change other = numbers.put(RecordHash.of(change), change);
            if (other != null) {
                assertEquals(other, change, "one number, two changes; seed " + seed);
            }
        }
    }
}
