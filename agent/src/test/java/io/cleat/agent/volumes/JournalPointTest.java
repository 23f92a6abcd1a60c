package io.cleat.agent.volumes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.kernel.BootId;
import io.cleat.testkit.Behaviour;
import io.cleat.testkit.FakeCsiSetup;
import io.grpc.Status;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/**
 * What is written down around each outside effect. An agent that ends there is followed by one that knows no more than
 * this: what it does not find is neither undone nor told.
 */
class JournalPointTest extends OnGround {
    private final List<String> seen = new CopyOnWriteArrayList<>();

    JournalPointTest() throws Exception {}

    /** From now on each point is noted with what the journal says: the staging, and its users. */
    private void note() throws Exception {
        ground.points = point -> {
            VolumeRecord record = ground.journal.volumes().getFirst();
            Staging staging = record.staging();
            seen.add(point
                    + " "
                    + (staging == null ? "none" : staging.phase() + " in " + staging.bootId())
                    + " "
                    + record.uses().stream().map(Use::phase).toList());
        };
        ground.restart();
    }

    @Test
    void eachStepIsWrittenDownBeforeItIsTaken() throws Exception {
        note();
        ground.publish("a1", "ext-1", Ground.SINGLE);
        assertEquals(
                List.of(
                        "BEFORE_DIRECTORIES PREPARING in boot-1 [PREPARING]",
                        "AFTER_DIRECTORIES PREPARING in boot-1 [PREPARING]",
                        "BEFORE_STAGE STAGING in boot-1 [PREPARING]",
                        "AFTER_STAGE STAGING in boot-1 [PREPARING]",
                        "BEFORE_PUBLISH STAGED in boot-1 [PUBLISHING]",
                        "AFTER_PUBLISH STAGED in boot-1 [PUBLISHING]"),
                seen);
        seen.clear();
        ground.unpublish("a1");
        assertEquals(
                List.of(
                        "BEFORE_UNPUBLISH STAGED in boot-1 [UNPUBLISHING]",
                        "AFTER_UNPUBLISH STAGED in boot-1 [UNPUBLISHING]",
                        "BEFORE_TARGET_REMOVAL STAGED in boot-1 [UNPUBLISHED]",
                        "AFTER_TARGET_REMOVAL STAGED in boot-1 [UNPUBLISHED]",
                        "BEFORE_UNSTAGE UNSTAGING in boot-1 [LEAVING]",
                        "AFTER_UNSTAGE UNSTAGING in boot-1 [LEAVING]",
                        "BEFORE_STAGING_REMOVAL UNSTAGED in boot-1 [LEAVING]",
                        "AFTER_STAGING_REMOVAL UNSTAGED in boot-1 [LEAVING]"),
                seen);
    }

    @Test
    void anotherUserIsWrittenDownBeforeItsVolumeIsPublished() throws Exception {
        ground.publish("a1", "ext-1", Ground.SHARED);
        note();
        ground.publish("a2", "ext-1", Ground.SHARED);
        assertEquals(
                List.of(
                        "BEFORE_DIRECTORIES STAGED in boot-1 [PUBLISHED, PREPARING]",
                        "AFTER_DIRECTORIES STAGED in boot-1 [PUBLISHED, PREPARING]",
                        "BEFORE_PUBLISH STAGED in boot-1 [PUBLISHED, PUBLISHING]",
                        "AFTER_PUBLISH STAGED in boot-1 [PUBLISHED, PUBLISHING]"),
                seen);
        seen.clear();
        ground.unpublish("a1");
        assertEquals(
                List.of(
                        "BEFORE_UNPUBLISH STAGED in boot-1 [UNPUBLISHING, PUBLISHED]",
                        "AFTER_UNPUBLISH STAGED in boot-1 [UNPUBLISHING, PUBLISHED]",
                        "BEFORE_TARGET_REMOVAL STAGED in boot-1 [UNPUBLISHED, PUBLISHED]",
                        "AFTER_TARGET_REMOVAL STAGED in boot-1 [UNPUBLISHED, PUBLISHED]"),
                seen);
    }

    @Test
    void aPublishingWithoutStagingIsWrittenDownBefore() throws Exception {
        ground.close();
        ground = Ground.make(FakeCsiSetup.standard().withCapabilities(Set.of(), Set.of()));
        note();
        ground.publish("a1", "ext-1", Ground.SINGLE);
        assertEquals(
                List.of(
                        "BEFORE_DIRECTORIES none [PREPARING]",
                        "AFTER_DIRECTORIES none [PREPARING]",
                        "BEFORE_PUBLISH none [PUBLISHING]",
                        "AFTER_PUBLISH none [PUBLISHING]"),
                seen);
    }

    @Test
    void aStagingIsWrittenDownWithTheBootInWhichItIsSent() throws Exception {
        ground.publish("a1", "ext-1", Ground.SHARED);
        ground.boot = new BootId("boot-2");
        note();
        ground.publish("a2", "ext-1", Ground.SHARED);
        assertEquals(
                List.of(
                        "BEFORE_DIRECTORIES STAGED in boot-1 [PUBLISHED, PREPARING]",
                        "AFTER_DIRECTORIES STAGED in boot-1 [PUBLISHED, PREPARING]",
                        "BEFORE_STAGE STAGING in boot-2 [PUBLISHED, PREPARING]",
                        "AFTER_STAGE STAGING in boot-2 [PUBLISHED, PREPARING]",
                        "BEFORE_PUBLISH STAGED in boot-2 [PUBLISHED, PUBLISHING]",
                        "AFTER_PUBLISH STAGED in boot-2 [PUBLISHED, PUBLISHING]"),
                seen);
    }

    @Test
    void whatTheAgentUnmountsItself_isStillOwedBeforeAndAfter() throws Exception {
        ground.publish("a1", "ext-1", Ground.SINGLE);
        for (String call : List.of("NodeUnpublishVolume", "NodeUnstageVolume")) {
            ground.plugin.script(call, Behaviour.refuse(Status.Code.NOT_FOUND, "no such volume"));
        }
        note();
        ground.unpublish("a1");
        assertEquals(
                List.of(
                        "BEFORE_TARGET_UNMOUNT STAGED in boot-1 [UNPUBLISHING]",
                        "AFTER_TARGET_UNMOUNT STAGED in boot-1 [UNPUBLISHING]",
                        "BEFORE_STAGING_UNMOUNT UNSTAGING in boot-1 [LEAVING]",
                        "AFTER_STAGING_UNMOUNT UNSTAGING in boot-1 [LEAVING]"),
                seen.stream().filter(each -> each.contains("UNMOUNT")).toList());
    }
}
