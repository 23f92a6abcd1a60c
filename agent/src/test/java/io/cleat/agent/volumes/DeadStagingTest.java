package io.cleat.agent.volumes;

import static io.cleat.agent.volumes.Ground.SHARED;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.kernel.Mounts;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A staging that nobody uses, as an agent leaves it that ends between the two, and whose mount has gone meanwhile. */
class DeadStagingTest extends OnGround {
    DeadStagingTest() throws Exception {}

    private void leaveUnusedStaging() throws Exception {
        ground.publish("a1", "ext-1", SHARED);
        stopWhile("NodeUnstageVolume");
        VolumeRecord record = ground.journal.volumes().getFirst();
        Staging staging = Objects.requireNonNull(record.staging());
        ground.journal.keep(record.with(staging.at(Staging.Phase.STAGED))
                .without(record.use("a1", "data").orElseThrow()));
        ground.plugin.clearCalls();
    }

    /** A plugin that keeps in mind that it has staged would answer OK, and mount nothing. */
    @Test
    void theNextWhoMounts_hasItUndoneAndStagedAnew() throws Exception {
        leaveUnusedStaging();
        Mounts.linux().unmount(ground.staging("ext-1-name"));
        Publication anew = ground.publish("a2", "ext-1", SHARED);
        assertEquals(List.of("NodeUnstageVolume", "NodeStageVolume", "NodePublishVolume"), ground.calls());
        assertEquals(
                List.of(ground.staging("ext-1-name").toString(), anew.path().toString()), ground.mounted());
        ground.unpublish("a2");
    }

    @Test
    void oneWhoseMountIsThere_isUsedAsItIs() throws Exception {
        leaveUnusedStaging();
        ground.publish("a2", "ext-1", SHARED);
        assertEquals(List.of("NodePublishVolume"), ground.calls());
        ground.unpublish("a2");
    }
}
