package io.cleat.agent.volumes;

import static io.cleat.agent.volumes.Ground.SHARED;
import static io.cleat.agent.volumes.Ground.SINGLE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Trouble;
import io.cleat.csi.v1.NodePublishVolumeRequest;
import io.cleat.csi.v1.NodeServiceCapability;
import io.cleat.csi.v1.NodeStageVolumeRequest;
import io.cleat.model.MountOptions;
import io.cleat.model.Ownership;
import io.cleat.model.VolumeModes;
import io.cleat.testkit.FakeCsiSetup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Whose a volume is that says so in its mount options. */
class OwnersTest extends OnGround {
    private static final Ownership WISH = new Ownership(1_990_000_001L, 1_990_000_002L, 0750);

    OwnersTest() throws Exception {}

    private static GrantedClaim claim(String alloc, VolumeModes modes, Ownership wish) {
        return Ground.with(
                new MountOptions("ext4", List.of("noatime"), false, wish), Ground.claim(alloc, "ext-1", modes));
    }

    private Path publish(GrantedClaim claim) throws Trouble, InterruptedException {
        return ground.volumes.publish(claim, ground.told).path();
    }

    private static String whose(Path path) throws Exception {
        return Files.getAttribute(path, "unix:uid")
                + " "
                + Files.getAttribute(path, "unix:gid")
                + " "
                + PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private List<String> notes() {
        return ground.news.volume.stream()
                .filter(event -> event.call().equals("mount_options"))
                .map(event -> event.message())
                .toList();
    }

    @Test
    void itsDirectoryIsGivenAsSaid_andWhatIsInItStays() throws Exception {
        Path inside = ground.publish("a0", "ext-1", SINGLE).path().resolve("f");
        Files.writeString(inside, "x");
        String before = whose(inside);
        ground.unpublish("a0");
        Path volume = publish(claim("a1", SINGLE, WISH));
        assertEquals("1990000001 1990000002 rwxr-x---", whose(volume));
        assertEquals(before, whose(volume.resolve("f")));
        assertEquals(List.of("given to owner 1990000001, group 1990000002, mode 0750"), notes());
    }

    /** As PostgreSQL does, which wants its directory for itself. */
    @Test
    void whatATaskHasChangedSince_staysSoForTheNextAllocation() throws Exception {
        Path volume = publish(claim("a1", SINGLE, WISH));
        Files.setPosixFilePermissions(volume, PosixFilePermissions.fromString("rwx------"));
        ground.unpublish("a1");
        Path again = publish(claim("a2", SINGLE, WISH));
        assertEquals("1990000001 1990000002 rwx------", whose(again));
        assertTrue(notes().getLast().contains("it was given once and changed since"));
    }

    @Test
    void whatIsSaidAnew_isDone() throws Exception {
        publish(claim("a1", SINGLE, WISH));
        ground.unpublish("a1");
        Path volume = publish(claim("a2", SINGLE, new Ownership(null, null, 0700)));
        assertEquals("1990000001 1990000002 rwx------", whose(volume));
    }

    @Test
    void whoOnlyReads_changesNothing() throws Exception {
        Path volume = publish(Ground.reading(claim("a1", SHARED, WISH)));
        assertEquals("0 0", whose(volume).substring(0, 3));
        assertEquals(List.of(), notes());
    }

    @Test
    void aPluginThatMountsForAGroup_isToldTheGroup_andNoOtherIs() throws Exception {
        publish(claim("a1", SINGLE, WISH));
        assertEquals("", groupOfStage());
        ground.close();
        ground = Ground.make(FakeCsiSetup.standard()
                .withCapabilities(
                        Set.of(),
                        Set.of(
                                NodeServiceCapability.RPC.Type.STAGE_UNSTAGE_VOLUME,
                                NodeServiceCapability.RPC.Type.VOLUME_MOUNT_GROUP)));
        publish(claim("a1", SINGLE, WISH));
        assertEquals("1990000002", groupOfStage());
        var published = (NodePublishVolumeRequest)
                ground.plugin.calls("NodePublishVolume").getFirst().request();
        assertEquals("1990000002", published.getVolumeCapability().getMount().getVolumeMountGroup());
    }

    private String groupOfStage() {
        return ((NodeStageVolumeRequest)
                        ground.plugin.calls("NodeStageVolume").getFirst().request())
                .getVolumeCapability()
                .getMount()
                .getVolumeMountGroup();
    }
}
