package io.cleat.agent.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.agent.task.TestTasks;
import io.cleat.agent.task.VolumeBinds;
import io.cleat.model.ClientStatus;
import io.cleat.model.DesiredStatus;
import io.cleat.model.HostRequest;
import io.cleat.model.HostVolume;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.MountOptions;
import io.cleat.model.VolumeMount;
import io.cleat.model.VolumeRequest;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Host volumes of an allocation: the node has them, and nobody grants or mounts them. */
class HostDirectoriesTest extends AgentFixture {
    private static ToNode.Assignment assigned(boolean readOnly) {
        VolumeRequest request = new VolumeRequest(
                "data", "disk", readOnly, WRITER, MountOptions.NONE, true, new HostRequest(false, false));
        JobSpec job = TestTasks.job(
                JobType.SERVICE,
                Map.of("data", request),
                TestTasks.task("t", 1, null, new VolumeMount("data", "/data", false, "private", "")));
        return assignment(DesiredStatus.RUN, Map.of(), job);
    }

    @Test
    void aTaskSeesTheDirectoryOfItsAllocation() throws Exception {
        hostVolumes = Map.of("disk[0]", new HostVolume("", "/srv/disk", false));
        allocations.assign(1, List.of(assigned(false)));
        awaitReport(r -> r.status() == ClientStatus.RUNNING);
        assertEquals(List.of(new VolumeBinds.Published(Path.of("/srv/disk"), false, true)), List.copyOf(binds.shown));
    }

    @Test
    void whatTheNodeHasNot_orForReadingOnly_failsTheAllocation() throws Exception {
        allocations.assign(1, List.of(assigned(false)));
        ToServer.AllocReport report = awaitReport(r -> r.status() == ClientStatus.FAILED);
        assertTrue(report.description().contains("no host volume \"disk[0]\""), report::toString);
        assertEquals(0, driver.starts());
    }

    @Test
    void aDirectoryForReadingOnlyIsNotHadForWriting() throws Exception {
        hostVolumes = Map.of("disk[0]", new HostVolume("", "/srv/disk", true));
        allocations.assign(1, List.of(assigned(false)));
        awaitReport(r -> r.status() == ClientStatus.FAILED);
    }

    /** What runs goes on: it has what it was shown. */
    @Test
    void anAgentThatStartsWithoutTheVolumeLeavesTheTaskThatHasIt() throws Exception {
        hostVolumes = Map.of("disk[0]", new HostVolume("", "/srv/disk", true));
        allocations.assign(1, List.of(assigned(true)));
        awaitReport(r -> r.status() == ClientStatus.RUNNING);
        hostVolumes = HostVolume.NONE;
        restart();
        awaitReport(r -> r.status() == ClientStatus.RUNNING);
        assertEquals(1, driver.starts());
    }
}
