package io.cleat.agent.volumes;

import static io.cleat.agent.volumes.Ground.SHARED;
import static io.cleat.agent.volumes.Ground.SINGLE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.wire.ToServer.Held;
import io.cleat.wire.ToServer.VolumePhase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is told of the volumes of a node: to servers, to allocations, and to who starts plugins. */
class ToldVolumesTest extends OnGround {
    ToldVolumesTest() throws Exception {}

    private static Held held(String allocId, String alias) {
        return new Held(Ground.PLUGIN, "ext-1", allocId, alias);
    }

    @Test
    void whatIsHeld_isToldWithEachUser_andAStagingWithoutOneByItself() throws Exception {
        assertEquals(List.of(), ground.volumes.held());
        ground.publish("a1", "ext-1", SHARED);
        ground.publish("a2", "ext-1", SHARED);
        assertEquals(Set.of(held("a1", "data"), held("a2", "data")), Set.copyOf(ground.volumes.held()));
        ground.unpublish("a2");
        // As an agent leaves it that ends between the two.
        VolumeRecord both = ground.journal.volumes().getFirst();
        Use use = both.use("a1", "data").orElseThrow();
        ground.journal.keep(both.without(use));
        assertEquals(List.of(held("", "")), ground.volumes.held());
    }

    /** Else the server takes what is mounted for that of an earlier grant. */
    @Test
    void theEpochOfAGrant_isToldUntilItIsUndone() throws Exception {
        assertEquals(0, ground.volumes.epoch("a1", "data"));
        ground.publish("a1", "ext-1", SINGLE);
        assertEquals(7, ground.volumes.epoch("a1", "data"));
        assertEquals(0, ground.volumes.epoch("a1", "more"));
        ground.unpublish("a1");
        assertEquals(0, ground.volumes.epoch("a1", "data"));
    }

    /** Else one plugin is held to the root that another was told. */
    @Test
    void theRootsOfAPlugin_areThoseOfItsOwnVolumes() throws Exception {
        assertEquals(Set.of(), ground.volumes.pluginRoots(Ground.PLUGIN));
        ground.publish("a1", "ext-1", SINGLE);
        assertFalse(ground.volumes.pluginRoots(Ground.PLUGIN).isEmpty());
        assertEquals(Set.of(), ground.volumes.pluginRoots("other"));
        ground.unpublish("a1");
        assertEquals(Set.of(), ground.volumes.pluginRoots(Ground.PLUGIN));
    }

    @Test
    void aJournalWhoseEndIsTorn_isTold() throws Exception {
        ground.publish("a1", "ext-1", SINGLE);
        Path journal = ground.directory.resolve("volumes.journal");
        byte[] whole = Files.readAllBytes(journal);
        Files.write(journal, Arrays.copyOf(whole, whole.length - 3));
        ground.restart();
        assertTrue(ground.news.node.stream()
                .anyMatch(event -> event.message().equals("Volume journal was torn")
                        && !Objects.requireNonNull(event.details().get("dropped"))
                                .isEmpty()));
    }

    /** What cannot be seen is not said to be there: the task would write below it. */
    @Test
    void whileTheMountTableCannotBeRead_nothingIsSaidToBePublished() throws Exception {
        Publication there = ground.publish("a1", "ext-1", SINGLE);
        ground.hidesTable = true;
        assertEquals(Optional.empty(), ground.volumes.published("a1", "data"));
        assertEquals(Map.of("data", VolumePhase.MOUNTING), ground.volumes.phases("a1"));
        ground.hidesTable = false;
        assertEquals(Optional.of(there), ground.volumes.published("a1", "data"));
    }
}
