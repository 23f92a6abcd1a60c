package io.cleat.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.JobScaleStatus;
import io.cleat.api.ScalingRequest;
import io.cleat.base.Refused;
import io.cleat.http.ReadQuery;
import io.cleat.http.WriteQuery;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScalingTest {
    private static final ReadQuery NOW = ReadQuery.now("default");
    private static final WriteQuery WRITE = new WriteQuery("default", "");

    private static ScalingRequest request(Long count, String group) {
        return new ScalingRequest(count, false, "", null, false, Map.of("Group", group));
    }

    private static String refused(String job, ScalingRequest request) {
        return assertThrows(
                        Refused.class,
                        () -> Town.whole().cluster().jobs().scale(WRITE, job, request))
                .refusal()
                .message();
    }

    @Test
    void whatAJobHasAndIsToHave() throws Exception {
        JobScaleStatus status =
                Town.whole().cluster().jobs().scaleStatus(NOW, "web").body().orElseThrow();
        assertEquals("web", status.JobID());
        assertEquals(
                Map.of("g", new JobScaleStatus.Group(1, null, 0, 1, 1, 0)), status.TaskGroups());
        assertTrue(Town.whole().cluster().jobs().scaleStatus(NOW, "no").body().isEmpty());
    }

    @Test
    void aCountIsHandedOn_withTheVersionThatItWasCheckedWith() throws Exception {
        Town town = Town.whole();
        FakeWrites writes = new FakeWrites(town.state());
        long version =
                town.cluster().jobs().scaleStatus(NOW, "web").body().orElseThrow().JobModifyIndex();
        Town.cluster(new FixedImages(town.state()), writes)
                .jobs()
                .scale(WRITE, "web", request(0L, "g"));
        assertEquals(List.of("scale g of default/web to 0 at " + version), writes.asked);
    }

    /** Each would write the same volume. */
    @Test
    void aCountThatItsVolumesDoNotAllow_isRefusedAsWhenItIsRegistered() {
        String refused = refused("web", request(2L, "g"));
        assertTrue(refused.contains("allows only one writer"), refused);
    }

    @ParameterizedTest
    @CsvSource({
        "no, 1, g, job not found",
        "web, 1, '', missing task group name",
        "web, 1, other, 'task group \"other\" does not exist in job \"web\", which has \"g\"'",
        "web, -1, g, can't be -1",
        "web, , g, needs a Count",
        "hostpath, 1, p, a system job is not scaled",
    })
    void whatCannotBe_isSaid(String job, Long count, String group, String words) {
        String refused = refused(job, request(count, group));
        assertTrue(refused.contains(words), refused);
    }
}
