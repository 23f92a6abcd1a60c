package io.cleat.agent.volumes;

import static io.cleat.agent.volumes.Ground.SHARED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.KernelTrouble;
import io.cleat.kernel.MountTable;
import io.cleat.kernel.Mounts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Mounts over the directories that volumes lie in: below one nothing of a volume is to be seen. */
class CoveredMountsTest extends OnGround {
    CoveredMountsTest() throws Exception {}

    private void cover(Path directory) throws Exception {
        Path shown = Files.createDirectories(ground.directory.resolve("shown"));
        Mounts.linux().bind(shown, directory);
    }

    private Path staging() {
        return ground.staging("ext-1-name");
    }

    private static Path above(Path path) {
        return path.resolve("..").normalize();
    }

    private void assertNothingIsMounted() throws Exception {
        assertEquals(List.of(), MountTable.readTwice().atOrBelow(ground.hostRoot));
        ground.assertNothingLeft();
    }

    /** The volume was free, and its mount came to light when the other plugin's call was undone. */
    @Test
    void stagingThatIsCovered_isNotTakenForGone() throws Exception {
        ground.publish("a1", "ext-1", SHARED);
        cover(above(staging()));
        ground.unpublish("a1");
        assertNothingIsMounted();
        assertTrue(ground.news.volume.stream().anyMatch(event -> event.message().contains("nobody asked for")));
    }

    @Test
    void targetThatIsCovered_isNotTakenForGone() throws Exception {
        Path target = ground.publish("a1", "ext-1", SHARED).path();
        cover(above(above(target)));
        cover(above(above(above(target))));
        cover(above(above(above(target))));
        ground.unpublish("a1");
        assertNothingIsMounted();
    }

    /** Nothing was unpublished there; the cover stayed, and the directories below it. */
    @Test
    void directoriesThatWereOnlyPrepared_areRemovedFromBelowACover() throws Exception {
        GrantedClaim claim = Ground.claim("a1", "ext-1", SHARED);
        NodePlugin plugin = ground.plugins.current(Ground.PLUGIN).orElseThrow();
        new Enrolling(ground.newestParts()).begin(claim, plugin, VolumeKey.of(claim));
        Path target = above(ground.target("a1", "ext-1-name", SHARED));
        Files.createDirectories(target);
        Files.createDirectories(staging());
        cover(above(target));
        cover(above(staging()));
        ground.unpublish("a1");
        assertEquals(List.of(), ground.calls());
        assertNothingIsMounted();
    }

    /** Nothing is concluded from what is not seen. */
    @Test
    void whatIsMountedAtACoveredPath_isNotKnown() throws Exception {
        ground.publish("a1", "ext-1", SHARED);
        VisibleMounts mounts = new VisibleMounts(ground.newestParts().mounts());
        assertTrue(mounts.isMounted(staging()));
        cover(above(staging()));
        KernelTrouble unseen = assertThrows(KernelTrouble.class, () -> mounts.isMounted(staging()));
        assertTrue(unseen.reason().contains("covered"), unseen.reason());
        ground.unpublish("a1");
    }
}
