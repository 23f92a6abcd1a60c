package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.AccessMode;
import io.cleat.model.AttachmentMode;
import io.cleat.model.HostRequest;
import io.cleat.model.HostVolume;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.MountOptions;
import io.cleat.model.VolumeModes;
import io.cleat.model.VolumeRequest;
import io.cleat.state.AllocationRow;
import io.cleat.state.Change;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Host volumes that operators name. What nodes have, and what a job asks for -> where it runs. */
final class HostVolumesTest {
    private static final VolumeModes USUAL = new VolumeModes(AccessMode.SINGLE_NODE_WRITER, AttachmentMode.FILE_SYSTEM);

    private final Cluster cluster = new Cluster();

    @BeforeEach
    void nodes() {
        cluster.level = Change.HOST_VOLUMES_LEVEL;
        node("n1", Map.of());
        node("n2", Map.of("disk", new HostVolume("", "/srv/disk", true)));
        node(
                "n3",
                Map.of(
                        "other",
                        new HostVolume("", "/srv/other", false),
                        "part[1]",
                        new HostVolume("", "/srv/part", false)));
    }

    private void node(String id, Map<String, HostVolume> volumes) {
        cluster.register(cluster.facts(id, "boot-1").withHostVolumes(volumes));
    }

    private static JobSpec job(String source, boolean readOnly, boolean perAlloc, int count) {
        return Cluster.job(
                "web",
                JobType.SERVICE,
                count,
                new VolumeRequest(
                        "data", source, readOnly, USUAL, MountOptions.NONE, perAlloc, new HostRequest(false, false)));
    }

    private List<String> nodes(JobSpec job) {
        cluster.run(job);
        return cluster.state().allocations().stream()
                .map(AllocationRow::nodeId)
                .sorted()
                .toList();
    }

    private Map<String, Integer> reasons() {
        return Objects.requireNonNull(
                        cluster.onlyBlocked().outcome().failedGroups().get("g"))
                .constraintFiltered();
    }

    @Test
    void twoThatRead_runOnTheNodeThatHasIt() {
        assertEquals(List.of("n2", "n2"), nodes(job("disk", true, false, 2)));
        assertTrue(cluster.state().claims().all().isEmpty(), "nobody holds what an operator named");
    }

    @Test
    void oneThatWrites_doesNotRunWhereItMayBeReadOnly() {
        assertEquals(List.of(), nodes(job("disk", false, false, 1)));
        assertEquals(Map.of("missing compatible host volumes", 3), reasons());
    }

    @Test
    void oneForEachAllocation_isNamedWithItsIndex() {
        assertEquals(List.of("n3"), nodes(job("part", false, true, 2)));
        assertEquals(Map.of("missing compatible host volumes", 3), reasons());
    }

    @Test
    void aNodeThatGetsIt_runsWhatWaited() {
        assertEquals(List.of(), nodes(job("new", false, false, 1)));
        cluster.accept(new ReportFacts(
                cluster.facts("n1", "boot-1").withHostVolumes(Map.of("new", new HostVolume("", "/srv/new", false))),
                cluster.id()));
        cluster.schedule();
        assertEquals(
                List.of("n1"),
                cluster.state().allocations().stream()
                        .map(AllocationRow::nodeId)
                        .toList());
    }
}
