package io.cleat.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What services are called and where they are. What a job says -> what is told. */
final class ServiceWordsTest {
    private static final RestartPolicy RESTART =
            new RestartPolicy(0, Duration.ofHours(1), Duration.ZERO, RestartPolicy.Mode.FAIL, false);
    private static final TaskGroup GROUP = new TaskGroup(
            "g",
            1,
            Map.of("tier", "group"),
            List.of(),
            Map.of(),
            RESTART,
            null,
            null,
            null,
            new EphemeralDisk(10, false, false),
            null,
            List.of(Task.named("t", "raw_exec", RESTART)
                    .meta(Map.of("tier", "task"))
                    .done()));
    private static final JobSpec JOB = new JobSpec(
            new JobId("default", "j"),
            "job",
            JobType.SERVICE,
            "global",
            "default",
            50,
            false,
            List.of("*"),
            Map.of("tier", "job", "a.b", "c"),
            List.of(),
            List.of(GROUP));
    private static final NodeFacts NODE = new NodeFacts(
            "n-1",
            "one",
            "dc1",
            "default",
            "big",
            "",
            Map.of("unique.network.ip-address", "10.0.0.7", "kernel.name", "linux"),
            Map.of("public", "example.com"),
            Map.of(),
            List.of(),
            Resources.NONE,
            0,
            "b-1",
            List.of());

    private static ServiceWords words(boolean isCanary) {
        return new ServiceWords(new ServiceWords.Facts(
                "2849ded8-c520",
                "j.g[3]",
                3,
                JOB,
                GROUP,
                NODE,
                List.of(
                        new AllocatedPort("http", 20123, 80, "192.0.2.1", false),
                        new AllocatedPort("v6", 20124, 0, "2001:db8::1", false)),
                new AllocAddress("eth0", "172.26.64.2", "fd00::2"),
                Map.of(
                        "quiet",
                        new DriverNetwork("10.88.0.7", Map.of("v6", 8006), false),
                        "loud",
                        new DriverNetwork("10.88.0.8", Map.of(), true)),
                isCanary));
    }

    private static Service service(String name, String port, String address, String task) {
        return service(name, port, AddressMode.AUTO, address, task);
    }

    private static Service service(String name, String port, AddressMode mode, String address, String task) {
        return new Service(
                name,
                port,
                mode,
                address,
                List.of("blue"),
                List.of("green"),
                Map.of(),
                Map.of(),
                OnUpdate.REQUIRE_HEALTHY,
                task,
                List.of());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "http | ''              | 192.0.2.1:20123",
                "http | ${meta.public}  | example.com:20123",
                "8080 | ''              | 10.0.0.7:8080",
                "${NOMAD_PORT_http} | '' | 10.0.0.7:80",
                "''   | ''              | :0",
                "''   | fixed           | fixed:0",
            })
    void thePort_byLabelOrNumber_isTheNodes(String port, String address, String expected) {
        ServicePlace place =
                words(false).place(service("web", port, address, "")).orElseThrow();
        assertEquals(expected, place.address() + ":" + place.port());
    }

    @ParameterizedTest
    @CsvSource({"http, 172.26.64.2:80", "v6, 172.26.64.2:20124", "8080, 172.26.64.2:8080"})
    void thePort_inANetworkOfItsOwn_isAsItsTasksSeeIt(String port, String expected) {
        ServicePlace place = words(false)
                .place(service("web", port, AddressMode.ALLOC, "", ""))
                .orElseThrow();
        assertEquals(expected, place.address() + ":" + place.port());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "DRIVER | quiet | http | 10.88.0.7:80",
                "DRIVER | quiet | v6   | 10.88.0.7:8006",
                "DRIVER | quiet | 8080 | 10.88.0.7:8080",
                "DRIVER | quiet | db   | nowhere",
                "DRIVER | none  | http | nowhere",
                "AUTO   | quiet | http | 192.0.2.1:20123",
                "AUTO   | loud  | http | 10.88.0.8:80",
                "HOST   | loud  | http | 192.0.2.1:20123",
                "ALLOC  | loud  | http | 172.26.64.2:80",
            })
    void whereItsDriverHasPutTheTask_ifTheServiceWantsIt_orTheDriverDoes(
            AddressMode mode, String task, String port, String expected) {
        assertEquals(
                expected,
                words(false)
                        .place(service("web", port, mode, "", task))
                        .map(place -> place.address() + ":" + place.port())
                        .orElse("nowhere"));
    }

    @ParameterizedTest
    @CsvSource({"db", "0", "70000", "-1"})
    void whatIsNoPort_isNowhere(String port) {
        assertEquals(Optional.empty(), words(false).place(service("web", port, "", "")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "${NOMAD_JOB_NAME}-${NOMAD_GROUP_NAME}-${NOMAD_ALLOC_INDEX} | '' | job-g-3",
                "${node.class}x${attr.kernel.name} | '' | bigxlinux",
                "${NOMAD_META_tier}    | '' | group",
                "${NOMAD_META_TIER}    | t  | task",
                "${NOMAD_META_a_b}     | '' | c",
                "x${NOMAD_TASK_NAME}   | t  | xt",
                "x${attr.none}         | '' | x",
                "x${NOMAD_NONE}        | '' | ''",
            })
    void variablesOfAName_areReplaced_andAnUnknownOneMakesNone(String name, String task, String expected) {
        assertEquals(
                expected,
                words(false)
                        .place(service(name, "80", "", task))
                        .map(ServicePlace::name)
                        .orElse(""));
    }

    /** Some of them were known to tasks alone, and an IPv6 address had no brackets. */
    @ParameterizedTest
    @CsvSource({
        "${NOMAD_IP_http}, 192.0.2.1",
        "${NOMAD_PORT_http}, 80",
        "${NOMAD_ADDR_http}, 192.0.2.1:20123",
        "${NOMAD_HOST_IP_http}, 192.0.2.1",
        "${NOMAD_HOST_PORT_http}, 20123",
        "${NOMAD_HOST_ADDR_http}, 192.0.2.1:20123",
        "${NOMAD_ALLOC_PORT_http}, 80",
        "${NOMAD_ALLOC_IP_http}, 172.26.64.2",
        "${NOMAD_ALLOC_INTERFACE_http}, eth0",
        "${NOMAD_ALLOC_ADDR_v6}, 172.26.64.2:20124",
        "${NOMAD_IP_v6}, 2001:db8::1",
        "${NOMAD_ADDR_v6}, [2001:db8::1]:20124",
        "${NOMAD_HOST_ADDR_v6}, [2001:db8::1]:20124",
    })
    void aTag_knowsThePortsAsTasksDo(String tag, String expected) {
        assertEquals(expected, words(false).expand(tag, ""));
    }

    @Test
    void aCanary_hasTagsOfItsOwn_andAnIdIsOfOnePlace() {
        ServicePlace web = words(true).place(service("web", "http", "", "")).orElseThrow();
        assertEquals(List.of("green"), web.tags());
        assertEquals("_nomad-task-2849ded8-c520-group-g-web-http", web.id());
        ServicePlace own = words(false).place(service("web", "http", "", "t")).orElseThrow();
        assertEquals(List.of("blue"), own.tags());
        assertEquals("_nomad-task-2849ded8-c520-t-web-http", own.id());
    }

    @Test
    void aCheck_goesWhereItSays_orWhereItsServiceIs() {
        Service service = service("web", "http", "example.com", "");
        ServiceCheck plain = check("", AddressMode.AUTO);
        assertEquals(
                new ServiceWords.Place("example.com", 20123),
                words(false).place(service, plain).orElseThrow());
        assertEquals(
                new ServiceWords.Place("192.0.2.1", 20123),
                words(false).place(service, check("", AddressMode.HOST)).orElseThrow());
        assertEquals(
                new ServiceWords.Place("10.0.0.7", 81),
                words(false).place(service, check("81", AddressMode.HOST)).orElseThrow());
    }

    private static ServiceCheck check(String port, AddressMode mode) {
        return new ServiceCheck(
                "c",
                new ServiceProbe.Tcp(),
                port,
                mode,
                Duration.ofSeconds(1),
                Duration.ofSeconds(1),
                OnUpdate.REQUIRE_HEALTHY,
                "",
                null);
    }
}
