package io.cleat.processtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.AllocationStub;
import io.cleat.api.Params;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A server and two nodes, three processes with a data directory each. Each node has a plugin and a volume of its own,
 * and a workload that counts in it.
 */
@Timeout(1200)
class SeveralAgentsTest {
    private final Workplace place;
    private final AgentProcess server;
    private final AgentProcess one;
    private final AgentProcess two;

    SeveralAgentsTest() throws Exception {
        Assumptions.assumeTrue(
                "root".equals(System.getProperty("user.name")),
                "reason: mounting needs root, and the tests run as another user");
        AgentProcess.build();
        place = new Workplace();
        Path servers = place.root.resolve("s");
        server = new AgentProcess(servers, List.of(), "-server");
        one = node("one", servers);
        two = node("two", servers);
    }

    private AgentProcess node(String name, Path servers) {
        return new AgentProcess(place.root.resolve(name), List.of(), "-client", "-node=" + name, "-servers=" + servers);
    }

    @AfterEach
    void clear() throws Exception {
        Stream.of(server, one, two).forEach(AgentProcess::close);
        place.clear();
    }

    private String plugin(String node) {
        return """
        job "plugin-%1$s" {
          type = "system"
          constraint {
            attribute = "${node.unique.name}"
            value     = "%1$s"
          }
          group "plugin" {
            task "plugin" {
              driver = "raw_exec"
              config {
                command = "%2$s"
                args    = ["local-plugin", "--pool", "%3$s/pool-%1$s",
                           "--node-id", "${node.unique.id}"]
              }
              env {
                CLEAT_BUILD = "never"
              }
              csi_plugin {
                id   = "local-%1$s"
                type = "monolith"
              }
              resources {
                cpu    = 200
                memory = 64
              }
            }
          }
        }
        """.formatted(node, AgentProcess.LAUNCHER, place.root);
    }

    /** The numbers that the allocation has printed: each one more than the one before. */
    private static List<Integer> numbers(Api api, AllocationStub allocation) throws Exception {
        List<Integer> numbers = api.printed(allocation.ID(), "count")
                .lines()
                .map(Integer::valueOf)
                .toList();
        if (!numbers.isEmpty()) {
            int first = numbers.getFirst();
            assertEquals(IntStream.range(first, first + numbers.size()).boxed().toList(), numbers);
        }
        return numbers;
    }

    private static void assertCountsOn(Api api, AllocationStub allocation) throws Exception {
        int before = numbers(api, allocation).size();
        Api.await(() -> numbers(api, allocation).size() > before, allocation.Name() + " counts on");
    }

    @Test
    void eachMayDieAndTheOthersGoOn() throws Exception {
        server.start();
        one.start();
        two.start();
        Api api = new Api(server.client());
        api.awaitNode("one", "ready");
        api.awaitNode("two", "ready");
        assertOnlyTheOwnerComesIn();
        for (String node : List.of("one", "two")) {
            api.run(plugin(node));
            api.awaitPlugin("local-" + node, 1, 1);
            api.create(Words.oneWritersDirectory("data-" + node, "local-" + node));
            api.run(CountingJobs.inVolume("count-" + node, "data-" + node));
        }
        AllocationStub first = api.awaitRunning("count-one", "one");
        AllocationStub second = api.awaitRunning("count-two", "two");
        anyAgentAnswersForAll(first, second);
        whatIsSaidOfANode_reachesTheServer_whoeverIsAsked(api, first.NodeID());
        aNodeDiesAndComesBack(api, first, second);
        theServerDiesAndComesBack(first, second);
        theVolumeIsHandedOn(api, first);
        for (String job : List.of("next", "count-two", "plugin-one", "plugin-two")) {
            if (job.startsWith("plugin")) {
                api.delete(job.replace("plugin", "data"));
            }
            api.stop(job);
        }
        server.client().agent().collectGarbage();
        for (AgentProcess agent : List.of(one, two)) {
            Api.await(() -> isEmpty(agent.data().resolve("alloc")), "its allocations are cleared");
        }
        for (AgentProcess agent : List.of(two, one, server)) {
            agent.end();
        }
        place.assertNothingIsLeft();
    }

    private static boolean isEmpty(Path directory) throws Exception {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.findAny().isEmpty();
        }
    }

    private void assertOnlyTheOwnerComesIn() throws Exception {
        for (Path socket : List.of(
                server.data().resolve("http.sock"),
                server.data().resolve("server/nodes.sock"),
                one.data().resolve("http.sock"))) {
            assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)));
        }
        assertFalse(server.words().contains("127.0.0.1"), server::words);
        assertEquals(0, server.client().agent().members().Members().getFirst().Port());
    }

    private void anyAgentAnswersForAll(AllocationStub first, AllocationStub second) throws Exception {
        for (AgentProcess agent : List.of(server, one, two)) {
            Api api = agent.api();
            assertCountsOn(api, first);
            assertCountsOn(api, second);
            assertEquals(first.NodeID(), api.node("one").ID());
            String node =
                    agent.client().nodes().stats(second.NodeID(), Params.none()).toString();
            assertTrue(node.contains("CPU"), node);
        }
    }

    private void whatIsSaidOfANode_reachesTheServer_whoeverIsAsked(Api api, String node) throws Exception {
        two.client().nodes().changeMeta(node, Map.of("rack", "r7"));
        Api.await(
                () -> {
                    Map<String, String> meta =
                            api.client().nodes().get(node, Params.none()).body().Meta();
                    return meta != null && "r7".equals(meta.get("rack"));
                },
                "the server knows the node's rack");
    }

    private void aNodeDiesAndComesBack(Api api, AllocationStub first, AllocationStub second) throws Exception {
        List<Integer> before = numbers(api, first);
        one.kill();
        assertEquals(404, Api.status(() -> api.printed(first.ID(), "count")));
        assertCountsOn(api, second);
        one.start();
        awaitLinked(one);
        List<Integer> after = numbers(api, first);
        assertEquals(before, after.subList(0, before.size()));
        assertEquals("r7", one.client().nodes().meta("").Meta().get("rack"));
        assertCountsOn(api, first);
        assertEquals(first.ID(), api.awaitRunning("count-one", "one").ID());
        assertEquals(first.NodeID(), api.node("one").ID());
    }

    private static void awaitLinked(AgentProcess node) throws Exception {
        Api.await(() -> Api.status(() -> node.client().agent().health()) == 200, "the node has a link to its server");
    }

    private void theServerDiesAndComesBack(AllocationStub first, AllocationStub second) throws Exception {
        server.kill();
        Api.await(() -> Api.status(() -> one.client().agent().health()) == 500, "the node says that it has no link");
        // A node answers for itself, whoever else is there.
        assertCountsOn(new Api(one.client()), first);
        assertCountsOn(new Api(two.client()), second);
        server.start();
        for (AgentProcess node : List.of(one, two)) {
            awaitLinked(node);
        }
        assertCountsOn(new Api(server.client()), first);
        assertCountsOn(new Api(server.client()), second);
    }

    /** The next writer waits, gets the volume by itself, and goes on counting. */
    private void theVolumeIsHandedOn(Api api, AllocationStub first) throws Exception {
        api.run(CountingJobs.inVolume("next", "data-one"));
        int last = numbers(api, first).getLast();
        api.stop("count-one");
        AllocationStub next = api.awaitRunning("next", "one");
        assertCountsOn(api, next);
        assertTrue(numbers(api, next).getFirst() > last);
    }
}
