package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.model.AccessMode;
import io.cleat.model.AttachmentMode;
import io.cleat.model.JobType;
import io.cleat.model.NodeCapability;
import io.cleat.model.VolumeModes;
import io.cleat.model.WireNamed;
import io.cleat.state.Change;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClaimState;
import io.cleat.state.Fit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The table of access modes, every row of it: existing claims x wished access mode x attachment mode x read-only x node
 * x job, against what is written down here.
 */
final class ClaimModesTest {
    /** What a volume that is claimed like this has left for readers and for writers. */
    private static final String TABLE = """
            claims on node n1                                         | read | write
            none                                                      | free | free
            single-node-reader-only ro                                | busy | busy
            single-node-writer rw                                     | busy | busy
            single-node-writer ro                                     | busy | free
            multi-node-reader-only ro                                 | free | busy
            multi-node-reader-only ro, multi-node-reader-only ro      | free | busy
            multi-node-single-writer rw                               | free | busy
            multi-node-single-writer ro                               | free | free
            multi-node-single-writer ro, multi-node-single-writer rw  | free | busy
            multi-node-single-writer ro, multi-node-single-writer ro  | free | free
            single-node-multi-writer rw                               | free | free
            single-node-multi-writer ro                               | free | free
            single-node-multi-writer rw, single-node-multi-writer rw  | free | free
            multi-node-multi-writer rw                                | free | free
            multi-node-multi-writer ro                                | free | free
            multi-node-multi-writer rw, multi-node-multi-writer rw    | free | free
            """;

    private record Existing(AccessMode mode, boolean readOnly) {
        static Existing of(String text) {
            String[] words = text.strip().split(" ", -1);
            return new Existing(WireNamed.find(AccessMode.class, words[0]).orElseThrow(), words[1].equals("ro"));
        }
    }

    private record Row(List<Existing> existing, boolean readFree, boolean writeFree) {
        static Row of(String line) {
            String[] columns = line.split("\\|", -1);
            List<Existing> existing = columns[0].strip().equals("none")
                    ? List.of()
                    : Arrays.stream(columns[0].split(",", -1)).map(Existing::of).toList();
            return new Row(
                    existing,
                    columns[1].strip().equals("free"),
                    columns[2].strip().equals("free"));
        }
    }

    /** A wish for the volume. */
    private record Wish(AccessMode mode, AttachmentMode attachment, boolean readOnly, String node, String job) {
        VolumeModes modes() {
            return new VolumeModes(mode, attachment);
        }
    }

    private static List<Wish> wishes() {
        List<Wish> wishes = new ArrayList<>();
        for (AccessMode mode : AccessMode.values()) {
            for (AttachmentMode attachment : AttachmentMode.values()) {
                for (boolean readOnly : new boolean[] {true, false}) {
                    for (String node : List.of("n1", "n2")) {
                        for (String job : List.of("own", "other")) {
                            wishes.add(new Wish(mode, attachment, readOnly, node, job));
                        }
                    }
                }
            }
        }
        return wishes;
    }

    private static VolumeModes[] everyMode() {
        return Stream.of(AccessMode.values())
                .flatMap(access -> Stream.of(AttachmentMode.values()).map(each -> new VolumeModes(access, each)))
                .toArray(VolumeModes[]::new);
    }

    /** A volume with every capability, claimed by allocations of the job {@code own}. */
    private static Cluster claimed(Row row) {
        Cluster cluster = new Cluster();
        cluster.level = Change.NEWEST_LEVEL;
        cluster.register(
                cluster.facts("n1", "boot-1", cluster.plugin("n1", Set.of(NodeCapability.SINGLE_NODE_MULTI_WRITER))));
        cluster.volume("v", everyMode());
        for (int i = 0; i < row.existing().size(); i++) {
            Existing each = row.existing().get(i);
            VolumeModes modes = new VolumeModes(each.mode(), AttachmentMode.FILE_SYSTEM);
            cluster.run(Cluster.job(
                    i == 0 ? "own" : "own" + i, JobType.SERVICE, 1, Cluster.request("v", modes, each.readOnly())));
        }
        List<ClaimRow> claims = cluster.claims("v");
        assertEquals(row.existing().size(), claims.size());
        claims.forEach(claim -> assertEquals(ClaimState.GRANTED, claim.state()));
        return cluster;
    }

    private static String expected(Row row, Wish wish) {
        boolean readerMode =
                wish.mode() == AccessMode.SINGLE_NODE_READER_ONLY || wish.mode() == AccessMode.MULTI_NODE_READER_ONLY;
        if (readerMode && !wish.readOnly()) {
            return "unusable";
        }
        if (row.existing().isEmpty()) {
            return "free as wished";
        }
        AccessMode first = row.existing().getFirst().mode();
        boolean pinned = first == AccessMode.SINGLE_NODE_READER_ONLY
                || first == AccessMode.SINGLE_NODE_WRITER
                || first == AccessMode.SINGLE_NODE_MULTI_WRITER;
        boolean free = wish.attachment() == AttachmentMode.FILE_SYSTEM
                && !(pinned && wish.node().equals("n2"))
                && (wish.readOnly() ? row.readFree() : row.writeFree());
        if (free) {
            return "free as first";
        }
        // Only one job's claims give way to it.
        return wish.job().equals("own") && row.existing().size() == 1 ? "behind own" : "held";
    }

    private static String found(Cluster cluster, Row row, Wish wish) {
        Fit fit = Fit.of(
                cluster.state(),
                cluster.state().volume(Cluster.volumeId("v")).orElseThrow(),
                wish.modes(),
                wish.readOnly(),
                wish.node(),
                Cluster.jobId(wish.job()),
                "");
        return switch (fit) {
            case Fit.Free(VolumeModes modes) -> {
                VolumeModes first = row.existing().isEmpty()
                        ? wish.modes()
                        : new VolumeModes(row.existing().getFirst().mode(), AttachmentMode.FILE_SYSTEM);
                assertEquals(first, modes, "the first claim's modes govern");
                yield row.existing().isEmpty() ? "free as wished" : "free as first";
            }
            case Fit.BehindOwn _ -> "behind own";
            case Fit.Held _ -> "held";
            case Fit.Unusable _ -> "unusable";
        };
    }

    @TestFactory
    Stream<DynamicTest> existingClaimsAndWishToAnswer() {
        return TABLE.lines()
                .skip(1)
                .map(line -> DynamicTest.dynamicTest(line.split("\\|", -1)[0].strip(), () -> {
                    Row row = Row.of(line);
                    Cluster cluster = claimed(row);
                    for (Wish wish : wishes()) {
                        assertEquals(expected(row, wish), found(cluster, row, wish), wish.toString());
                    }
                }));
    }
}
