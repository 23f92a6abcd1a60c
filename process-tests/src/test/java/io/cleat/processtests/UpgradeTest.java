package io.cleat.processtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.AllocationStub;
import io.cleat.api.TaskState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A server and a node of an earlier release are replaced one after the other, under a workload that counts in a volume:
 * nobody is lost, and nothing is started again. {@code ./dev upgrade} builds that release and names its launcher.
 */
@Timeout(600)
class UpgradeTest {
    private static final String EARLIER = System.getProperty("cleat.previous", "");

    private final Workplace place;
    private final AgentProcess server;
    private final AgentProcess node;

    UpgradeTest() throws Exception {
        Assumptions.assumeTrue(
                Files.isRegularFile(Path.of(EARLIER)),
                "reason: no earlier release is built: ./dev upgrade does that, and runs this");
        AgentProcess.build();
        place = new Workplace();
        server = new AgentProcess(place.root.resolve("s"), List.of(), "-server");
        node = new AgentProcess(
                place.root.resolve("n"), List.of(), "-client", "-node=one", "-servers=" + server.data());
    }

    @AfterEach
    void clear() throws Exception {
        if (place == null) {
            return;
        }
        server.close();
        node.close();
        place.clear();
    }

    private String plugin() {
        return """
        job "plugin" {
          type = "system"
          group "plugin" {
            task "plugin" {
              driver = "raw_exec"
              config {
                command = "%1$s"
                args    = ["local-plugin", "--pool", "%2$s/pool", "--node-id", "${node.unique.id}"]
              }
              env {
                CLEAT_BUILD = "never"
              }
              csi_plugin {
                id   = "local"
                type = "monolith"
              }
              resources {
                cpu    = 50
                memory = 64
              }
            }
          }
        }
        """.formatted(EARLIER, place.root);
    }

    private Api api() {
        return new Api(server.client());
    }

    private AllocationStub counting(String name) throws Exception {
        api().create(Words.oneWritersDirectory(name));
        api().run(CountingJobs.inVolume(name, name));
        return api().awaitRunning(name, "one");
    }

    private static int last(Api api, AllocationStub allocation) throws Exception {
        List<Integer> numbers = api.printed(allocation.ID(), "count")
                .lines()
                .map(Integer::valueOf)
                .toList();
        assertEquals(IntStream.rangeClosed(1, numbers.size()).boxed().toList(), numbers);
        return numbers.size();
    }

    private void assertGoesOn(AllocationStub... allocations) throws Exception {
        Api api = api();
        Api.await(() -> "ready".equals(api.node("one").Status()), "the node is ready");
        for (AllocationStub allocation : allocations) {
            int before = last(api, allocation);
            Api.await(() -> last(api, allocation) > before, allocation.Name() + " counts on");
            AllocationStub now = api.awaitRunning(allocation.JobID(), "one");
            assertEquals(allocation.ID(), now.ID());
            Map<String, TaskState> tasks = now.TaskStates();
            assertTrue(tasks != null && tasks.values().stream().allMatch(UpgradeTest::isTheFirst));
        }
    }

    private static boolean isTheFirst(TaskState task) {
        return task.Restarts() == 0;
    }

    private static void replace(AgentProcess agent, Path launcher) throws Exception {
        agent.end();
        agent.replaceBy(launcher);
        agent.start();
    }

    @Test
    void oneAfterTheOtherIsReplacedAndNothingStartsAgain() throws Exception {
        Path earlier = Path.of(EARLIER);
        server.replaceBy(earlier);
        node.replaceBy(earlier);
        server.start();
        node.start();
        api().awaitNode("one", "ready");
        api().run(plugin());
        api().awaitPlugin("local", 1, 1);
        AllocationStub first = counting("first");
        replace(server, AgentProcess.LAUNCHER);
        assertGoesOn(first);
        // The new server has an old node begin something.
        AllocationStub second = counting("second");
        replace(node, AgentProcess.LAUNCHER);
        assertGoesOn(first, second);
        replace(node, earlier);
        assertGoesOn(first, second);
        replace(node, AgentProcess.LAUNCHER);
        assertGoesOn(first, second, counting("third"));
        for (String job : List.of("first", "second", "third")) {
            api().stop(job);
            api().delete(job);
        }
        api().stop("plugin");
        node.end();
        server.end();
        place.assertNothingIsLeft();
    }
}
