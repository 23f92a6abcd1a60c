package io.cleat.agent.volumes;

import static io.cleat.agent.volumes.Ground.READERS;
import static io.cleat.agent.volumes.Ground.SINGLE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Effect;
import io.cleat.base.Trouble;
import io.cleat.model.MountOptions;
import io.cleat.model.VolumeEvent;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whether a published volume can be written as it was asked for: the plugin's word is not taken for it. */
class PublishedModeTest extends OnGround {
    PublishedModeTest() throws Exception {}

    @Test
    void aVolumeMountedForWritingThoughReadingWasAskedIsRefusedAndUndone() throws Exception {
        ground.storage.ignoreReadOnly();
        assertRefused(
                Ground.reading(Ground.claim("a1", "ext-1", READERS)),
                "asked to publish read-only and mounted ",
                " for writing");
    }

    @Test
    void aVolumeMountedReadOnlyThoughWritingWasAskedIsRefusedAndUndone() throws Exception {
        ground.storage.alwaysReadOnly();
        assertRefused(Ground.claim("a1", "ext-1", SINGLE), "asked to publish for writing and mounted ", " read-only");
    }

    @Test
    void aReaderMayBeGivenAReadOnlyMountAlsoWhereItDidNotAskForOne() throws Exception {
        ground.storage.alwaysReadOnly();
        ground.publish("a1", "ext-1", READERS);
        ground.unpublish("a1");
        ground.assertNothingLeft();
    }

    @Test
    void aMountFlagMayAskForReadOnly() throws Exception {
        ground.storage.alwaysReadOnly();
        MountOptions readOnly = new MountOptions("ext4", List.of("noatime", "ro"));
        ground.volumes.publish(Ground.with(readOnly, Ground.claim("a1", "ext-1", SINGLE)), ground.told);
        ground.unpublish("a1");
        ground.assertNothingLeft();
    }

    /** Also as an event of the volume, and nothing of it stays. */
    private void assertRefused(GrantedClaim claim, String asked, String got) throws Exception {
        Trouble refusal = assertThrows(Trouble.class, () -> ground.volumes.publish(claim, ground.told));
        Path target = ground.target("a1", "ext-1-name", claim.modes())
                .resolveSibling(claim.modes().usage(claim.readOnly()));
        String words = asked + target + got;
        assertTrue(refusal.reason().contains(words), refusal.reason());
        assertEquals(Effect.NONE, refusal.effect());
        List<String> told =
                ground.news.volume.stream().map(VolumeEvent::message).toList();
        assertTrue(told.stream().anyMatch(message -> message.contains(words)), told::toString);
        ground.assertNothingLeft();
    }
}
