package io.cleat.clusterapi.services;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.api.Json;
import io.cleat.api.NamespaceServices;
import io.cleat.api.Rows;
import io.cleat.api.ServiceRegistration;
import io.cleat.api.ServiceStub;
import io.cleat.base.Refused;
import io.cleat.clusterapi.Intake;
import io.cleat.clusterapi.SampleCluster;
import io.cleat.http.Filter;
import io.cleat.http.ListQuery;
import io.cleat.http.ReadQuery;
import io.cleat.http.WriteQuery;
import io.cleat.model.AddressMode;
import io.cleat.model.ClientStatus;
import io.cleat.model.JobSpec;
import io.cleat.model.OnUpdate;
import io.cleat.model.Service;
import io.cleat.model.TaskGroup;
import io.cleat.state.AllocationRow;
import io.cleat.state.Change;
import io.cleat.state.JobRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Services as the API shows them. */
class ServiceAnswersTest {
    private final SampleCluster sample = serving();
    private final ServiceAnswers services = sample.cluster().services();

    /** The sample's running job with three services. */
    private static SampleCluster serving() {
        SampleCluster sample = sample();
        AllocationRow runs = sample.state()
                .allocation(SampleCluster.WEB_ALLOC)
                .filter(row -> row.status() == ClientStatus.RUNNING)
                .orElseThrow();
        JobRow job = sample.state().job(runs.job()).orElseThrow();
        List<TaskGroup> groups = new ArrayList<>();
        for (TaskGroup group : job.spec().groups()) {
            groups.add(group.serving(
                    List.of(service("web", "80", "a"), service("web", "81", "b"), service("api", "82", "a"))));
        }
        JobSpec spec = job.spec().withGroups(groups);
        sample.apply(new Change.JobPut(new JobRow(spec, 9, false, SampleCluster.AT, 0, 0, 0)));
        JobRow now = sample.state().job(runs.job()).orElseThrow();
        return sample.apply(new Change.AllocationPut(runs.jobVersion(now.number(), now.jobModifyVersion())));
    }

    private static SampleCluster sample() {
        try {
            return SampleCluster.whole();
        } catch (Refused refused) {
            throw new AssertionError(refused);
        }
    }

    private static Service service(String name, String port, String tag) {
        return new Service(
                name,
                port,
                AddressMode.AUTO,
                "10.0.0.7",
                List.of(tag),
                List.of(),
                Map.of(),
                Map.of(),
                OnUpdate.REQUIRE_HEALTHY,
                "",
                List.of());
    }

    private static ListQuery list(Filter filter, int perPage, String token, boolean reverse) {
        return new ListQuery(ReadQuery.now("default"), "", filter, perPage, token, reverse);
    }

    private static List<Integer> ports(Rows<ServiceRegistration> rows) {
        return rows.toList().stream().map(ServiceRegistration::Port).toList();
    }

    @Test
    void namesAreListedOnce_withAllTheirTags_inPages() throws Exception {
        List<NamespaceServices> all =
                services.list(list(Filter.ALL, 0, "", false)).body().toList();
        assertEquals(
                "[{\"Namespace\":\"default\",\"Services\":[{\"ServiceName\":\"api\",\"Tags\":[\"a\"]},"
                        + "{\"ServiceName\":\"web\",\"Tags\":[\"a\",\"b\"]}]}]",
                Json.text(all));
        var first = services.list(list(Filter.ALL, 1, "", false));
        assertEquals(
                "api", first.body().toList().getFirst().Services().getFirst().ServiceName());
        assertEquals("default.web", first.meta().nextToken());
        var second = services.list(list(Filter.ALL, 1, "default.web", false));
        assertEquals(
                "web", second.body().toList().getFirst().Services().getFirst().ServiceName());
        assertEquals("", second.meta().nextToken());
        Filter filter = object ->
                object.get() instanceof ServiceStub stub && stub.Tags().contains("b");
        assertEquals(
                1,
                services.list(list(filter, 0, "", false))
                        .body()
                        .toList()
                        .getFirst()
                        .Services()
                        .size());
    }

    @Test
    void placesOfAName_areFilteredPagedAndChosen() throws Exception {
        ListQuery plain = list(Filter.ALL, 0, "", false);
        assertEquals(
                List.of(80, 81),
                ports(services.get(plain, "web", Optional.empty()).body()));
        assertEquals(
                List.of(), ports(services.get(plain, "none", Optional.empty()).body()));
        assertEquals(
                List.of(81),
                ports(services.get(
                                list(
                                        object -> object.get() instanceof ServiceRegistration one && one.Port() == 81,
                                        0,
                                        "",
                                        false),
                                "web",
                                Optional.empty())
                        .body()));
        assertEquals(
                List.of(81, 80),
                ports(services.get(list(Filter.ALL, 0, "", true), "web", Optional.empty())
                        .body()));
        assertEquals(
                1,
                services.get(plain, "web", Optional.of(new ServiceAnswers.Choice(1, "k")))
                        .body()
                        .toList()
                        .size());
    }

    @Test
    void ofAJobAndAnAllocation_allAreShown_andWhatIsNotThereIsEmpty() throws Exception {
        ServiceRegistration one = services.get(list(Filter.ALL, 0, "", false), "api", Optional.empty())
                .body()
                .first()
                .orElseThrow();
        ReadQuery read = ReadQuery.now("default");
        assertEquals(
                3,
                services.ofJob(read, one.JobID()).body().orElseThrow().toList().size());
        assertEquals(
                3,
                services.ofAllocation(read, one.AllocID())
                        .body()
                        .orElseThrow()
                        .toList()
                        .size());
        assertEquals(Optional.empty(), services.ofJob(read, "nobody").body());
        assertEquals(Optional.empty(), services.ofAllocation(read, "nobody").body());
        try (Intake intake = Intake.over(sample.state())) {
            intake.cluster().services().delete(new WriteQuery("default", ""), "api", one.ID());
            assertEquals(
                    List.of(one.ID()),
                    intake.state()
                            .allocation(one.AllocID())
                            .orElseThrow()
                            .byVersion()
                            .withdrawn());
        }
    }
}
