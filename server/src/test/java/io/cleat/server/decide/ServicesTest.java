package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.AddressMode;
import io.cleat.model.AllocAddress;
import io.cleat.model.ClientStatus;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.OnUpdate;
import io.cleat.model.Service;
import io.cleat.model.Task;
import io.cleat.model.TaskGroup;
import io.cleat.model.TaskState;
import io.cleat.state.AllocationRow;
import io.cleat.state.Change;
import io.cleat.state.Registration;
import io.cleat.testkit.FullJob;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who is found by the name of a service. Situation -> registrations. */
final class ServicesTest {
    private final Cluster cluster = new Cluster();

    @BeforeEach
    void node() {
        cluster.level = Change.SERVICES_LEVEL;
        cluster.node("n1");
    }

    private static Service service(String name, String port, String task, String... tags) {
        return new Service(
                name,
                port,
                AddressMode.AUTO,
                "10.0.0.7",
                List.of(tags),
                List.of(),
                Map.of(),
                Map.of(),
                OnUpdate.REQUIRE_HEALTHY,
                task,
                List.of());
    }

    private static JobSpec job(String id, Service ofGroup, Service ofTask) {
        JobSpec plain = Cluster.job(id, JobType.SERVICE, 1);
        TaskGroup group = plain.groups().getFirst();
        Task task = group.tasks().getFirst().edit().services(List.of(ofTask)).done();
        return plain.withGroups(List.of(group.withTasks(List.of(task)).serving(List.of(ofGroup))));
    }

    private void register(JobSpec spec) {
        cluster.accept(new RegisterJob(spec, null, null, 0, cluster.id()));
        cluster.schedule();
    }

    @Test
    void whereADriverHasPutATask_isKeptOnceAllReadIt() {
        cluster.run(Cluster.job("web", JobType.SERVICE, 1));
        TaskState placed = TaskState.PENDING.at(FullJob.DRIVER_NETWORK);
        for (int level = Change.DNS_LEVEL; level <= Change.DRIVER_NETWORK_LEVEL; level++) {
            cluster.level = level;
            cluster.accept(new ReportAllocations(
                    "n1",
                    List.of(new ReportAllocations.Report(
                            cluster.allocation("web").id(),
                            ClientStatus.RUNNING,
                            "",
                            Map.of("main", placed),
                            Map.of(),
                            null,
                            null)),
                    cluster.id()));
            assertEquals(
                    level < Change.DRIVER_NETWORK_LEVEL ? TaskState.PENDING : placed,
                    cluster.allocation("web").seen().tasks().get("main"));
        }
    }

    /** Programs of earlier levels read what they know. */
    @Test
    void ofAnAddress_eachLevelKeepsWhatItKnows() {
        AllocAddress whole = new AllocAddress("eth0", "172.26.64.2", "", FullJob.DNS);
        cluster.run(Cluster.job("web", JobType.SERVICE, 1));
        for (int level = Change.ADDRESS_LEVEL - 1; level <= Change.DNS_LEVEL; level++) {
            cluster.level = level;
            cluster.accept(new ReportAllocations(
                    "n1",
                    List.of(new ReportAllocations.Report(
                            cluster.allocation("web").id(), ClientStatus.RUNNING, "", Map.of(), Map.of(), null, whole)),
                    cluster.id()));
            AllocAddress expected =
                    level < Change.ADDRESS_LEVEL ? null : level < Change.DNS_LEVEL ? whole.withoutDns() : whole;
            assertEquals(expected, cluster.allocation("web").seen().address(), "level " + level);
        }
    }

    private void report(String job, ClientStatus status, TaskState.Phase phase) {
        AllocationRow row = cluster.allocation(job);
        TaskState state = new TaskState(phase, false, 0, null, cluster.now(), null, List.of());
        cluster.accept(new ReportAllocations(
                row.nodeId(),
                List.of(new ReportAllocations.Report(
                        row.id(), status, "", Map.of("main", state), Map.of(), null, null)),
                cluster.id()));
    }

    private List<String> all() {
        return cluster.state().registrations().all().stream()
                .map(Registration::id)
                .toList();
    }

    private String id(String task, String name, String port) {
        return "_nomad-task-" + cluster.allocation("web").id() + "-" + task + "-" + name + "-" + port;
    }

    @Test
    void whoRuns_isFound_andWhoDoesNot_isNot() {
        register(job("web", service("front", "80", ""), service("back", "81", "main")));
        assertEquals(List.of(), all(), "placed, and not begun");
        report("web", ClientStatus.RUNNING, TaskState.Phase.PENDING);
        assertEquals(List.of(id("group-g", "front", "80")), all(), "its task has not begun");
        report("web", ClientStatus.RUNNING, TaskState.Phase.RUNNING);
        assertEquals(List.of(id("main", "back", "81"), id("group-g", "front", "80")), all());
        Registration back =
                cluster.state().registrations().named("default", "back").getFirst();
        assertEquals("10.0.0.7", back.place().address());
        assertEquals(81, back.place().port());
        cluster.stop("web");
        assertEquals(List.of(), all(), "stopped, though it may still run");
    }

    @Test
    void aNodeThatIsDown_servesNothing() {
        register(job("web", service("front", "80", ""), service("back", "81", "main")));
        report("web", ClientStatus.RUNNING, TaskState.Phase.RUNNING);
        cluster.down("n1");
        assertEquals(List.of(), all());
    }

    @Test
    void aNameOfItsAllocation_isFoundByWhatItBecomes() {
        register(job(
                "web",
                service("front-${NOMAD_ALLOC_INDEX}", "80", "", "on ${node.unique.name}"),
                service("bad_${NOMAD_JOB_NAME}", "81", "main")));
        report("web", ClientStatus.RUNNING, TaskState.Phase.RUNNING);
        List<Registration> found = cluster.state().registrations().named("default", "front-0");
        assertEquals(1, found.size());
        assertEquals(List.of("on name-n1"), found.getFirst().place().tags());
        assertEquals(1, all().size(), "a name that is none after all is not found");
        assertEquals(List.of(), cluster.state().registrations().named("other", "front-0"));
    }

    @Test
    void takenOut_itIsNotFound_untilItsJobIsAnother() {
        register(job("web", service("front", "80", ""), service("back", "81", "main")));
        report("web", ClientStatus.RUNNING, TaskState.Phase.RUNNING);
        String front = id("group-g", "front", "80");
        assertTrue(cluster.refuse(new WithdrawService("default", "back", front))
                .startsWith("no such service registration: \"" + front.substring(0, 20)));
        assertTrue(cluster.refuse(new WithdrawService("other", "front", front)).contains("in namespace \"other\""));
        cluster.accept(new WithdrawService("default", "front", front));
        assertEquals(List.of(id("main", "back", "81")), all());
        cluster.refuse(new WithdrawService("default", "front", front));
        register(job("web", service("front", "80", "", "new"), service("back", "81", "main")));
        assertEquals(1, cluster.state().allocationsOfJob(Cluster.jobId("web")).size());
        assertEquals(
                List.of("new"),
                cluster.state()
                        .registrations()
                        .named("default", "front")
                        .getFirst()
                        .place()
                        .tags(),
                "changed in place, and found again");
    }

    @Test
    void twoJobs_mayHaveOneName() {
        register(job("web", service("front", "80", ""), service("back", "81", "main")));
        register(job("web2", service("front", "80", ""), service("back", "81", "main")));
        report("web", ClientStatus.RUNNING, TaskState.Phase.RUNNING);
        report("web2", ClientStatus.RUNNING, TaskState.Phase.RUNNING);
        assertEquals(
                2, cluster.state().registrations().named("default", "front").size());
        assertEquals(
                2, cluster.state().registrations().ofJob(Cluster.jobId("web2")).size());
        assertEquals(4, all().size());
    }
}
