package io.cleat.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.cleat.base.Effect;
import io.cleat.model.AccessMode;
import io.cleat.model.AttachmentMode;
import io.cleat.model.HostVolumeSpec;
import io.cleat.model.JobId;
import io.cleat.model.MountOptions;
import io.cleat.model.TopologyRequest;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeModes;
import io.cleat.model.VolumeSpec;
import io.cleat.model.WireNamed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Whether a volume can be claimed, as tables: who claims it already, what is wished, and the answer to a reader and to
 * a writer.
 */
final class FitTest {
    /**
     * Claims stand in the order of their grants, each as {@code allocation mode access}, and further words for a state,
     * an attachment mode or a node that is not {@code n1}. {@code 1-} is short for {@code single-node-}, {@code n-} for
     * {@code multi-node-}. Allocations are named for their jobs; that of {@code gone} is not known any more. The wish
     * comes from {@code self}, of the job {@code own}. Of what is free the answer is the mode in which it is used then.
     */
    private static final String OF_CSI = """
            claims                                           | wish           | reader           | writer
            none                                             | 1-writer       | 1-writer         | 1-writer
            none                                             | 1-reader-only  | 1-reader-only    | unusable
            none                                             | n-reader-only  | n-reader-only    | unusable
            self 1-writer rw                                 | 1-writer       | 1-writer         | 1-writer
            own1 1-writer rw waiting                         | n-multi-writer | n-multi-writer   | n-multi-writer
            own1 1-writer rw                                 | 1-writer       | behind own1      | behind own1
            own1 1-writer rw releasing                       | 1-writer       | behind own1      | behind own1
            far1 1-writer rw                                 | 1-writer       | held far1: most  | held far1: most
            gone1 1-writer rw                                | 1-writer       | held gone1: most | held gone1: most
            far1 1-writer ro                                 | 1-writer       | held far1: most  | 1-writer
            far1 1-reader-only ro                            | 1-reader-only  | held far1: most  | unusable
            far1 n-reader-only ro                            | n-multi-writer | n-reader-only    | held far1: most
            far1 n-single-writer rw                          | n-multi-writer | n-single-writer  | held far1: most
            far1 n-single-writer ro                          | n-multi-writer | n-single-writer  | n-single-writer
            far1 1-multi-writer rw                           | 1-writer       | 1-multi-writer   | 1-multi-writer
            far1 n-multi-writer rw                           | 1-writer       | n-multi-writer   | n-multi-writer
            far1 n-multi-writer rw n2                        | n-multi-writer | n-multi-writer   | n-multi-writer
            far1 1-multi-writer rw n2                        | 1-multi-writer | held far1: node  | held far1: node
            far1 n-multi-writer rw device                    | n-multi-writer | held far1: kind  | held far1: kind
            far1 1-writer rw n2 device                       | 1-writer       | held far1: kind  | held far1: kind
            zz1 n-multi-writer rw, far1 n-reader-only ro     | 1-writer       | n-multi-writer   | n-multi-writer
            zz1 n-reader-only ro, far1 n-multi-writer rw     | 1-writer       | n-reader-only    | held far1: most
            zz1 n-reader-only ro, own1 n-reader-only ro      | 1-writer       | n-reader-only    | held zz1: most
            own2 n-reader-only ro, own1 n-reader-only ro     | 1-writer       | n-reader-only    | behind own1
            far1 n-single-writer ro, own1 n-single-writer rw | 1-writer       | n-single-writer  | behind own1
            own1 n-single-writer rw, self n-single-writer ro | 1-writer       | n-single-writer  | behind own1
            """;

    /** Nobody stages a host volume: each claim keeps its own modes, and a sole writer is in the way of writers only. */
    private static final String OF_HOST = """
            claims                        | wish            | reader          | writer
            none                          | 1-single-writer | 1-single-writer | 1-single-writer
            far1 1-single-writer rw       | 1-single-writer | 1-single-writer | held far1: most
            far1 1-single-writer ro       | 1-single-writer | 1-single-writer | 1-single-writer
            far1 1-single-writer rw       | 1-multi-writer  | 1-multi-writer  | held far1: most
            far1 1-multi-writer rw        | 1-single-writer | 1-single-writer | held far1: most
            far1 1-multi-writer rw        | 1-writer        | 1-writer        | 1-writer
            own1 1-single-writer rw       | 1-single-writer | 1-single-writer | behind own1
            far1 1-single-writer rw n2    | 1-single-writer | 1-single-writer | held far1: node
            far1 1-multi-writer rw device | 1-multi-writer  | 1-multi-writer  | 1-multi-writer
            """;

    private static final VolumeModes WRITER = modes("single-node-writer", AttachmentMode.FILE_SYSTEM);

    private static VolumeModes modes(String access, AttachmentMode attachment) {
        String wire = access.replaceFirst("^1-", "single-node-").replaceFirst("^n-", "multi-node-");
        return new VolumeModes(WireNamed.find(AccessMode.class, wire).orElseThrow(), attachment);
    }

    private static List<VolumeModes> everyMode() {
        return Stream.of(AccessMode.values())
                .flatMap(access -> Stream.of(AttachmentMode.values()).map(each -> new VolumeModes(access, each)))
                .toList();
    }

    private static VolumeRow csi(List<VolumeModes> capabilities) {
        VolumeSpec spec = new VolumeSpec(
                Samples.VOLUME,
                "name",
                Samples.KEY.externalId(),
                Samples.KEY.pluginId(),
                capabilities,
                MountOptions.NONE,
                0,
                0,
                Map.of(),
                Map.of(),
                TopologyRequest.NONE,
                "",
                "");
        return VolumeRow.of(spec, Encrypted.NONE, 0, List.of(), Samples.AT);
    }

    private static HostVolumeRow host() {
        HostVolumeSpec spec = new HostVolumeSpec(
                "hv1", "default", "disk", "mkdir", "n1", "default", List.of(), everyMode(), 0, 0, Map.of());
        return HostVolumeRow.of(spec, Samples.AT);
    }

    /** What the words of a claim say; the version of its grant is {@code epoch}. */
    private static ClaimRow claim(Claimable volume, List<String> words, long epoch) {
        boolean device = words.contains("device");
        ClaimState state = words.contains("waiting")
                ? ClaimState.WAITING
                : words.contains("releasing") ? ClaimState.RELEASING : ClaimState.GRANTED;
        VolumeModes modes = modes(words.get(1), device ? AttachmentMode.BLOCK_DEVICE : AttachmentMode.FILE_SYSTEM);
        return new ClaimRow(
                new ClaimId(words.get(0), "data"),
                volume.id(),
                volume.key(),
                words.contains("n2") ? "n2" : "n1",
                words.get(2).equals("ro"),
                modes,
                MountOptions.NONE,
                "boot-1",
                epoch,
                state,
                Samples.AT,
                null,
                0,
                0);
    }

    private static ClusterState claimed(Claimable volume, String claims) {
        List<Change> changes = new ArrayList<>();
        for (String text : claims.equals("none") ? List.<String>of() : List.of(claims.split(", ", -1))) {
            List<String> words = List.of(text.split(" ", -1));
            String alloc = words.getFirst();
            changes.add(new Change.ClaimPut(claim(volume, words, changes.size() + 1)));
            if (!alloc.startsWith("gone")) {
                String job = alloc.equals("self") ? "own" : alloc.replaceAll("[0-9]", "");
                changes.add(new Change.AllocationPut(Samples.allocation(alloc, new JobId("default", job), 1, "n1")));
            }
        }
        return ClusterState.empty().apply(changes, 1, Samples.AT);
    }

    private static String answer(ClusterState state, Claimable volume, VolumeModes wish, boolean readOnly) {
        return switch (Fit.of(state, volume, wish, readOnly, "n1", new JobId("default", "own"), "self")) {
            case Fit.Free(VolumeModes modes) ->
                modes.access().wire().replaceFirst("^single-node-", "1-").replaceFirst("^multi-node-", "n-");
            case Fit.BehindOwn(ClaimRow holder) -> "behind " + holder.allocId();
            case Fit.Held(ClaimRow holder, String why) -> "held " + holder.allocId() + ": " + shortly(why);
            case Fit.Unusable _ -> "unusable";
        };
    }

    private static String shortly(String why) {
        return switch (why) {
            case "volume max claims reached" -> "most";
            case "cannot change attachment mode of claimed volume" -> "kind";
            case "its mode single-node-multi-writer keeps it on one node",
                    "its mode single-node-single-writer keeps it on one node" -> "node";
            default -> why;
        };
    }

    private static Stream<DynamicTest> rows(String table, Claimable volume) {
        return table.lines().skip(1).map(line -> {
            List<String> row =
                    Arrays.stream(line.split("\\|", -1)).map(String::strip).toList();
            return DynamicTest.dynamicTest(row.get(0) + " -> " + row.get(1), () -> {
                ClusterState state = claimed(volume, row.get(0));
                VolumeModes wish = modes(row.get(1), AttachmentMode.FILE_SYSTEM);
                assertEquals(row.get(2), answer(state, volume, wish, true), "a reader");
                assertEquals(row.get(3), answer(state, volume, wish, false), "a writer");
            });
        });
    }

    @TestFactory
    Stream<DynamicTest> claimsOfACsiVolumeAndWishToAnswer() {
        return rows(OF_CSI, csi(everyMode()));
    }

    @TestFactory
    Stream<DynamicTest> claimsOfAHostVolumeAndWishToAnswer() {
        return rows(OF_HOST, host());
    }

    /** What stands against a writer of a file system, as {@code why; hint}; empty if nothing does. */
    private static String against(Claimable volume, Change... changes) {
        ClusterState state = ClusterState.empty().apply(List.of(changes), 1, Samples.AT);
        return Fit.unusable(state, volume, WRITER, false)
                .map(unusable -> unusable.why() + "; " + unusable.hint())
                .orElse("");
    }

    @Test
    void capabilitiesAndModes_whatStandsAgainstThem() {
        Claimable other = csi(List.of(
                modes("single-node-writer", AttachmentMode.BLOCK_DEVICE),
                modes("multi-node-multi-writer", AttachmentMode.FILE_SYSTEM)));
        assertEquals(
                "it was not registered with the capability single-node-writer, file-system; register the volume with"
                        + " it, or change the job's access_mode or attachment_mode to one of:"
                        + " multi-node-multi-writer, file-system; single-node-writer, block-device",
                against(other));
        assertEquals("", against(csi(List.of(WRITER))));
        VolumeModes reader = modes("multi-node-reader-only", AttachmentMode.FILE_SYSTEM);
        assertEquals(
                Optional.of(new Fit.Unusable(
                        "the access mode multi-node-reader-only allows no writing",
                        "set read_only = true in the job's volume block, or use another access_mode")),
                Fit.unusable(ClusterState.empty(), csi(everyMode()), reader, false));
        assertEquals(Optional.empty(), Fit.unusable(ClusterState.empty(), csi(everyMode()), reader, true));
    }

    @Test
    void whatANodeHeldBeforeARecovery_standsAgainstAllClaimsUntilAClaimIsKnownForIt() {
        VolumeRow volume = csi(everyMode());
        Change node = new Change.NodePut(Samples.node("n1"));
        Change held = new Change.HoldingPut(Samples.holding("n1", "a7", Samples.KEY));
        assertEquals(
                "allocation a7 on node name-n1, which this cluster does not know, holds it since before the recovery;"
                        + " it is free once the node says that it is gone",
                against(volume, node, held));
        List<String> words = List.of("a7", "single-node-writer", "rw");
        List<String> waiting = List.of("a7", "single-node-writer", "rw", "waiting");
        assertEquals("", against(volume, node, held, new Change.ClaimPut(claim(volume, words, 1))));
        assertNotEquals("", against(volume, node, held, new Change.ClaimPut(claim(volume, waiting, 1))));
        Change ofOther = new Change.HoldingPut(Samples.holding("n1", "a7", new VolumeKey("local", "ext-2")));
        assertEquals("", against(volume, node, ofOther));
    }

    @Test
    void aDeletionThatIsNotDone_standsAgainstAllClaims() {
        VolumeRow volume = csi(everyMode());
        OperationCall delete = new OperationCall.Delete(Samples.VOLUME, "ext-1", Encrypted.NONE);
        OperationCall elsewhere = new OperationCall.Delete(new VolumeId("default", "b"), "ext-2", Encrypted.NONE);
        OperationCall validate = new OperationCall.Validate(volume.spec(), Encrypted.NONE);
        assertEquals(
                "it is being deleted: operation o1; create or register it again once it is gone",
                against(volume, new Change.OperationPut(Samples.operation("o1", delete, null))));
        OperationOutcome failed = new OperationOutcome.Failed(Effect.NONE, "Internal", "words");
        assertEquals("", against(volume, new Change.OperationPut(Samples.operation("o1", delete, failed))));
        assertEquals("", against(volume, new Change.OperationPut(Samples.operation("o1", elsewhere, null))));
        assertEquals("", against(volume, new Change.OperationPut(Samples.operation("o1", validate, null))));
        assertEquals("", against(host()));
        assertEquals(
                "it is being deleted; create it again once it is gone", against(host().deleting(true, Samples.AT)));
    }

    @Test
    void theVolumeThatAClaimNames_isOfTheHostOrOfAPlugin() {
        VolumeRow csi = csi(everyMode());
        ClusterState state = ClusterState.empty()
                .apply(List.of(new Change.VolumePut(csi), new Change.HostVolumePut(host())), 1, Samples.AT);
        assertEquals(Optional.of(csi.id()), Claimable.find(state, csi.id()).map(Claimable::id));
        assertEquals(
                Optional.of(host().id()), Claimable.find(state, host().id()).map(Claimable::id));
        assertEquals(
                Optional.empty(),
                Claimable.find(state, new VolumeId("other", csi.id().id())));
        assertEquals(
                Optional.empty(),
                Claimable.find(state, new VolumeId("other", host().id().id())));
    }
}
