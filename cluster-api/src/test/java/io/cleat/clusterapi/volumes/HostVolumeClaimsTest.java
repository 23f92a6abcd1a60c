package io.cleat.clusterapi.volumes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.HostVolumeClaim;
import io.cleat.api.Json;
import io.cleat.base.Refused;
import io.cleat.clusterapi.Intake;
import io.cleat.clusterapi.SampleCluster;
import io.cleat.http.Filter;
import io.cleat.http.ListQuery;
import io.cleat.http.ReadQuery;
import io.cleat.http.WriteQuery;
import io.cleat.model.HostVolumeNames;
import io.cleat.model.JobId;
import io.cleat.state.Change;
import io.cleat.state.StickyClaimRow;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which host volumes task groups keep, as the API shows it. */
class HostVolumeClaimsTest {
    private final SampleCluster sample = SampleCluster.start()
            .apply(
                    claim("a1", "default", "db", "g", "disk"),
                    claim("a2", "default", "db", "more", "disk"),
                    claim("b1", "default", "web", "g", "cache"),
                    claim("c1", "team", "db", "g", "disk"));
    private final HostVolumeAnswers volumes = sample.cluster().hostVolumes();

    private static Change claim(String id, String namespace, String job, String group, String volume) {
        return new Change.StickyClaimPut(new StickyClaimRow(
                id,
                new JobId(namespace, job),
                group,
                job + "." + group + "[0]",
                HostVolumeNames.volume(namespace, "hv-" + id),
                volume,
                "alloc-" + id,
                SampleCluster.AT,
                0,
                0));
    }

    private List<String> ids(ListQuery query, String job, String group, String volume) throws Exception {
        return volumes.claims(query, job, group, volume).body().toList().stream()
                .map(HostVolumeClaim::ID)
                .toList();
    }

    private static ListQuery list(String prefix, int perPage, String token, boolean reverse) {
        return new ListQuery(ReadQuery.now("default"), prefix, Filter.ALL, perPage, token, reverse);
    }

    @Test
    void aList_hasThoseOfItsNamespaceThatAreMeant() throws Exception {
        ListQuery all = ListQuery.all("default");
        assertEquals(List.of("a1", "a2", "b1"), ids(all, "", "", ""));
        assertEquals(List.of("a1", "a2"), ids(all, "db", "", ""));
        assertEquals(List.of("a1", "b1"), ids(all, "", "g", ""));
        assertEquals(List.of("b1"), ids(all, "", "", "cache"));
        assertEquals(List.of("a2"), ids(all, "db", "more", "disk"));
        assertEquals(List.of("a1", "a2", "b1", "c1"), ids(ListQuery.all("*"), "", "", ""));
        assertEquals(List.of("a1", "a2"), ids(list("a", 0, "", false), "", "", ""));
    }

    @Test
    void aPage_saysWhereTheNextBegins() throws Exception {
        assertEquals(List.of("a1", "a2"), ids(list("", 2, "", false), "", "", ""));
        assertEquals(
                "b1", volumes.claims(list("", 2, "", false), "", "", "").meta().nextToken());
        assertEquals(List.of("b1"), ids(list("", 2, "b1", false), "", "", ""));
        assertEquals(List.of("b1", "a2"), ids(list("", 2, "", true), "", "", ""));
    }

    @Test
    void aClaimHasTheFieldsThatClientsKnow() throws Exception {
        String json = Json.text(
                volumes.claims(ListQuery.all("team"), "", "", "").body().toList());
        assertEquals(
                "[{\"AllocID\":\"alloc-c1\",\"CreateIndex\":2,\"ID\":\"c1\",\"JobID\":\"db\","
                        + "\"ModifyIndex\":2,\"Namespace\":\"team\",\"TaskGroupName\":\"g\","
                        + "\"VolumeID\":\"hv-c1\",\"VolumeName\":\"disk\"}]",
                json);
    }

    @Test
    void aDeletion_isAskedForInTheNamespaceOfItsQuery() throws Exception {
        try (Intake intake = Intake.over(sample.state())) {
            HostVolumeAnswers written = intake.cluster().hostVolumes();
            assertThrows(Refused.class, () -> written.deleteClaim(new WriteQuery("default", ""), "c1"));
            long version = written.deleteClaim(new WriteQuery("team", ""), "c1").index();
            assertEquals(version, intake.state().version());
            assertTrue(intake.state().stickyClaims().find("c1").isEmpty());
        }
    }
}
