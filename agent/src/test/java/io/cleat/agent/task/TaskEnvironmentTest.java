package io.cleat.agent.task;

import static java.util.Map.entry;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.model.AllocAddress;
import io.cleat.model.AllocatedPort;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.Resources;
import io.cleat.model.Task;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TaskEnvironmentTest {
    private static final List<AllocatedPort> PORTS = List.of(
            new AllocatedPort("http", 8080, 0, "192.0.2.2", false),
            new AllocatedPort("my-rpc", 20_500, 53, "fd00::2", false));

    private static TaskEnvironment environment(long memoryMax) {
        return environment(new Resources(100, 64, memoryMax));
    }

    private static TaskEnvironment environment(Resources resources) {
        Task task = TestTasks.task("t", 0, null).edit().resources(resources).done();
        JobSpec job = TestTasks.job(JobType.SERVICE, Map.of(), task);
        return new TaskEnvironment(new TaskEnvironment.Facts(
                "2849ded8-c520-74d0-6e49-2a300b1810ee",
                "web.g[2]",
                2,
                job,
                job.groups().getFirst(),
                task,
                TestTasks.node(),
                Path.of("/a/alloc"),
                Path.of("/a/t/local"),
                Path.of("/a/t/secrets"),
                Map.of("my-data", "/a/t/data"),
                PORTS,
                new AllocAddress("eth0", "172.26.64.2", ""),
                Map.of("CSI_ENDPOINT", "unix:///s"),
                Map.of("RENDERED", "yes")));
    }

    /**
     * All that a task is told, and nothing else: what there is no word for (a parent job, cores of its own, a token)
     * has no name either.
     */
    @Test
    void aTaskIsToldExactlyThis() {
        Map<String, String> told = new TreeMap<>(Map.ofEntries(
                entry("NOMAD_ALLOC_ID", "2849ded8-c520-74d0-6e49-2a300b1810ee"),
                entry("NOMAD_SHORT_ALLOC_ID", "2849ded8"),
                entry("NOMAD_ALLOC_NAME", "web.g[2]"),
                entry("NOMAD_ALLOC_INDEX", "2"),
                entry("NOMAD_TASK_NAME", "t"),
                entry("NOMAD_GROUP_NAME", "g"),
                entry("NOMAD_JOB_ID", "web"),
                entry("NOMAD_JOB_NAME", "web"),
                entry("NOMAD_NAMESPACE", "default"),
                entry("NOMAD_REGION", "global"),
                entry("NOMAD_DC", "dc1"),
                entry("NOMAD_CPU_LIMIT", "100"),
                entry("NOMAD_MEMORY_LIMIT", "64"),
                entry("NOMAD_PARENT_CGROUP", "cleat-node"),
                entry("NOMAD_ALLOC_DIR", "/a/alloc"),
                entry("NOMAD_TASK_DIR", "/a/t/local"),
                entry("NOMAD_SECRETS_DIR", "/a/t/secrets"),
                entry("NOMAD_META_tier", "one"),
                entry("NOMAD_META_TIER", "one"),
                entry("NOMAD_META_owner", "team"),
                entry("NOMAD_META_OWNER", "team"),
                entry("CLEAT_VOLUME_my_data", "/a/t/data"),
                entry("NOMAD_IP_http", "192.0.2.2"),
                entry("NOMAD_PORT_http", "8080"),
                entry("NOMAD_ADDR_http", "192.0.2.2:8080"),
                entry("NOMAD_HOST_IP_http", "192.0.2.2"),
                entry("NOMAD_HOST_PORT_http", "8080"),
                entry("NOMAD_HOST_ADDR_http", "192.0.2.2:8080"),
                entry("NOMAD_ALLOC_PORT_http", "8080"),
                entry("NOMAD_ALLOC_INTERFACE_http", "eth0"),
                entry("NOMAD_ALLOC_IP_http", "172.26.64.2"),
                entry("NOMAD_ALLOC_ADDR_http", "172.26.64.2:8080"),
                entry("NOMAD_ALLOC_INTERFACE_my_rpc", "eth0"),
                entry("NOMAD_ALLOC_IP_my_rpc", "172.26.64.2"),
                entry("NOMAD_ALLOC_ADDR_my_rpc", "172.26.64.2:53"),
                entry("NOMAD_IP_my_rpc", "fd00::2"),
                entry("NOMAD_PORT_my_rpc", "53"),
                entry("NOMAD_ADDR_my_rpc", "[fd00::2]:20500"),
                entry("NOMAD_HOST_IP_my_rpc", "fd00::2"),
                entry("NOMAD_HOST_PORT_my_rpc", "20500"),
                entry("NOMAD_HOST_ADDR_my_rpc", "[fd00::2]:20500"),
                entry("NOMAD_ALLOC_PORT_my_rpc", "53"),
                entry("CSI_ENDPOINT", "unix:///s"),
                entry("RENDERED", "yes"),
                entry("GREETING", "hello t on linux")));
        assertEquals(told, new TreeMap<>(environment(0).variables()));
        told.put("NOMAD_MEMORY_MAX_LIMIT", "128");
        assertEquals(told, new TreeMap<>(environment(128).variables()));
    }

    @Test
    void aTaskWithCoresOfItsOwn_isToldWhich() {
        Map<String, String> told =
                environment(new Resources(0, 64, 0).on(List.of(0, 2), 4000)).variables();
        assertEquals("0,2", told.get("NOMAD_CPU_CORES"));
        assertEquals("4000", told.get("NOMAD_CPU_LIMIT"));
    }

    /** A task got the text of the reference, and used it as an address. */
    @Test
    void whatTheNodeDoesNotSayOfItself_isEmptyAndNamed() {
        TaskEnvironment environment = environment(0);
        assertEquals(List.of(), environment.unknown());
        assertEquals(
                "http://:80 linux",
                environment
                        .expand(Map.of("x", "http://${attr.unique.no-address}:80 ${attr.kernel.name}"))
                        .get("x"));
        environment.expand(Map.of("x", List.of("${meta.no-rack}", "${node.no-such}", "${SHELL}")));
        assertEquals(List.of("attr.unique.no-address", "meta.no-rack", "node.no-such"), environment.unknown());
    }

    @Test
    void referencesAreReplacedAndUnknownOnesStay() {
        assertEquals(
                List.of("2849ded8-c520-74d0-6e49-2a300b1810ee", "${unknown}"),
                environment(0)
                        .expand(Map.of("args", List.of("${NOMAD_ALLOC_ID}", "${unknown}")))
                        .get("args"));
        assertEquals(
                "t on dc1",
                environment(0)
                        .expand(Map.of("x", "${env[\"NOMAD_TASK_NAME\"]} on ${node.datacenter}"))
                        .get("x"));
    }
}
