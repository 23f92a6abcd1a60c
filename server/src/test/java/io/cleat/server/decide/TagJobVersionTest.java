package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.JobTag;
import io.cleat.model.JobType;
import io.cleat.state.Change;
import io.cleat.state.JobVersionRow;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A version of a job gets a name. Situation -> answer. */
final class TagJobVersionTest {
    private final Cluster cluster = new Cluster();

    @BeforeEach
    void threeVersions() {
        cluster.level = Change.SCALING_LEVEL;
        versions(3);
    }

    private void versions(int more) {
        for (int i = 0; i < more; i++) {
            cluster.accept(new RegisterJob(
                    Cluster.job("a", JobType.SERVICE, 0, null, "/bin/" + cluster.id()), null, null, 0, cluster.id()));
        }
    }

    private TagJobVersion give(String name, @Nullable Long number) {
        return new TagJobVersion(Cluster.jobId("a"), name, new TagJobVersion.Given(number, "about " + name));
    }

    private TagJobVersion take(String name) {
        return new TagJobVersion(Cluster.jobId("a"), name, null);
    }

    private List<String> tags() {
        return cluster.state().jobVersions(Cluster.jobId("a")).stream()
                .filter(row -> row.tag() != null)
                .map(row ->
                        row.number() + " " + Objects.requireNonNull(row.tag()).name())
                .toList();
    }

    @Test
    void aVersionIsNamed_itHasTheTag() {
        JobTag tag = cluster.accept(give("golden", 1L)).tag();
        assertEquals("about golden", tag.description());
        assertEquals(List.of("1 golden"), tags());
    }

    @Test
    void noneIsNamed_theNewestHasIt() {
        cluster.accept(give("golden", null));
        assertEquals(List.of("2 golden"), tags());
    }

    /** Seven are kept where nothing is tagged; the tagged one would be the first to go. */
    @Test
    void manyVersionsFollow_theTaggedOneIsKept_untilTheTagGoes() {
        cluster.accept(give("golden", 0L));
        versions(20);
        List<JobVersionRow> kept = cluster.state().jobVersions(Cluster.jobId("a"));
        assertEquals(0, kept.getFirst().number());
        assertEquals(7, kept.size());
        cluster.accept(take("golden"));
        assertEquals(List.of(), tags());
        assertEquals(6, cluster.state().jobVersions(Cluster.jobId("a")).size());
    }

    @Test
    void theSameTagAgain_itsDescriptionIsAnother() {
        cluster.accept(give("golden", 1L));
        cluster.accept(new TagJobVersion(Cluster.jobId("a"), "golden", new TagJobVersion.Given(1L, "other")));
        JobVersionRow row = cluster.state().jobVersions(Cluster.jobId("a")).get(1);
        assertEquals("other", Objects.requireNonNull(row.tag()).description());
    }

    @Test
    void anotherVersionHasTheTag_isRefusedWithItsNumber() {
        cluster.accept(give("golden", 1L));
        String refused = cluster.refuse(give("golden", 2L));
        assertTrue(refused.contains("already exists on version 1 of job"), refused);
    }

    @Test
    void theVersionHasAnotherTag_isRefusedWithItsName() {
        cluster.accept(give("golden", 1L));
        String refused = cluster.refuse(give("silver", 1L));
        assertTrue(refused.contains("has the tag \"golden\" already"), refused);
    }

    @Test
    void moreTagsThanAreKept_isRefused() {
        for (int i = 0; i < JobVersionRow.TAGS_MOST; i++) {
            versions(1);
            cluster.accept(give("tag-" + i, null));
        }
        versions(1);
        String refused = cluster.refuse(give("more", null));
        assertTrue(refused.contains("as many as are kept"), refused);
    }

    @Test
    void whatIsNotThere_isNotFound() {
        assertTrue(cluster.refuse(give("golden", 9L)).contains("at version 9 not found"));
        assertTrue(cluster.refuse(take("golden")).contains("has no version with the tag"));
    }

    /** The next job of that id is another, and nobody tagged its versions. */
    @Test
    void theJobIsPurged_itsTagsGoWithIt() {
        cluster.accept(give("golden", 1L));
        cluster.accept(new DeregisterJob(Cluster.jobId("a"), true, false, false, 0, cluster.id()));
        versions(1);
        assertEquals(List.of(), tags());
    }
}
