package io.cleat.processtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.AllocationStub;
import io.cleat.api.NodeEligibilityRequest;
import io.cleat.api.NodeStub;
import io.cleat.api.Params;
import io.cleat.kernel.MountTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An agent that empties its node when it ends, and fills it again when it starts. */
@Timeout(1200)
class DrainOnShutdownTest {
    private static final String NODE = "n1";

    private final Workplace place;

    DrainOnShutdownTest() throws Exception {
        Assumptions.assumeTrue(
                "root".equals(System.getProperty("user.name")),
                "reason: mounting needs root, and the tests run as another user");
        AgentProcess.build();
        place = new Workplace();
    }

    @AfterEach
    void clear() throws Exception {
        place.clear();
    }

    private AgentProcess agent(String... flags) {
        List<String> all = new ArrayList<>(List.of("-node=" + NODE));
        all.addAll(List.of(flags));
        return new AgentProcess(place.root.resolve("a"), List.of(), all.toArray(String[]::new));
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
                args    = ["local-plugin", "--pool", "%2$s/pool", "--node-id", "${node.unique.id}",
                           "--call-log", "%2$s/calls"]
              }
              env {
                CLEAT_BUILD = "never"
              }
              csi_plugin {
                id   = "local"
                type = "monolith"
              }
              resources {
                cpu    = 200
                memory = 64
              }
            }
          }
        }
        """.formatted(AgentProcess.LAUNCHER, place.root);
    }

    private List<String> calls() throws Exception {
        Path file = place.root.resolve("calls");
        return Files.readAllLines(file).stream()
                .filter(line -> line.contains("Unpublish"))
                .toList();
    }

    /** Empty but for what the agent itself keeps mounted. */
    private void assertIsEmpty() throws Exception {
        assertEquals(
                List.of(),
                MountTable.readTwice().atOrBelow(place.root).stream()
                        .map(mount -> mount.target())
                        .filter(target -> target.contains("/alloc/") || target.contains("publish"))
                        .toList());
        // Whatever runs for a job names the directory: the plugin its pool, the workload its
        // script.
        assertEquals(List.of(), place.processes());
    }

    @Test
    void threeTimesInARowItIsEmptiedAndFilledAgain() throws Exception {
        try (AgentProcess agent = agent("-drain-on-shutdown=1m")) {
            Api api = agent.api();
            String before = "";
            for (int round = 1; round <= 3; round++) {
                agent.start();
                api.awaitNode(NODE, "ready");
                if (round == 1) {
                    api.run(plugin());
                    api.awaitPlugin("local", 1, 1);
                    api.create(Words.directory("data"));
                    api.run(Words.beating("beat", "data"));
                }
                AllocationStub alloc = api.awaitRunning("beat", NODE);
                assertTrue(!alloc.ID().equals(before), "a new allocation");
                before = alloc.ID();
                api.awaitPlugin("local", 1, 1);
                Path beat = place.root.resolve("a/alloc/" + alloc.ID() + "/t/data/beat");
                long size = Files.size(beat);
                Api.await(() -> Files.size(beat) > size, "it writes");
                Api.await(
                        () -> Files.notExists(agent.data().resolve("client/drained")),
                        "it is known that the node takes work again");

                assertEquals(143, agent.terminate(), agent::words);
                assertTrue(agent.words().contains("  tasks: "), agent::words);
                assertTrue(agent.words().contains("The node is empty."), agent::words);
                assertIsEmpty();
                // Unpublished on the node, then detached: both acknowledged.
                assertEquals(2 * round, calls().size(), "round " + round);
            }
        }
    }

    @Test
    void aNodeThatSomebodyKeepsEmptyStaysSo() throws Exception {
        try (AgentProcess agent = agent("-drain-on-shutdown")) {
            agent.start();
            Api api = agent.api();
            api.awaitNode(NODE, "ready");
            NodeStub node = api.node(NODE);
            agent.client().nodes().eligibility(new NodeEligibilityRequest("ineligible", node.ID()), Params.none());
            assertEquals(143, agent.terminate(), agent::words);
            assertTrue(agent.words().contains("The node is empty."), agent::words);
            agent.start();
            api.awaitNode(NODE, "ready");
            assertTrue(Files.notExists(agent.data().resolve("client/drained")));
            assertEquals("ineligible", api.node(NODE).SchedulingEligibility());
        }
    }

    @Test
    void whatIsLeftAtTheDeadlineIsSaidAndASecondSignalEndsAtOnce() throws Exception {
        String stubborn = """
                job "stubborn" {
                  group "g" {
                    task "t" {
                      driver = "raw_exec"
                      config {
                        command = "/bin/sh"
                        args    = ["-c", "trap '' TERM; while :; do sleep 0.2; done", "%s"]
                      }
                      kill_timeout = "5m"
                      resources {
                        cpu    = 100
                        memory = 16
                      }
                    }
                  }
                }
                """.formatted(place.root);
        AllocationStub alloc;
        try (AgentProcess agent = agent("-drain-on-shutdown=15s")) {
            agent.start();
            Api api = agent.api();
            api.awaitNode(NODE, "ready");
            api.run(stubborn);
            alloc = api.awaitRunning("stubborn", NODE);
            assertEquals(1, agent.terminate(), agent::words);
            assertTrue(agent.words().contains("The drain is not complete."), agent::words);
            assertTrue(agent.words().contains("tasks: allocation " + alloc.ID()), agent::words);
            assertFalse(place.processes().isEmpty(), "the task goes on");
        }
        try (AgentProcess agent = agent("-drain-on-shutdown=10m")) {
            agent.start();
            Api api = agent.api();
            Api.await(() -> api.node(NODE).SchedulingEligibility().equals("eligible"), "the node takes work again");
            agent.signal();
            Api.await(() -> agent.words().contains("  tasks: "), "it drains");
            assertEquals(143, agent.terminate(), agent::words);
            assertTrue(agent.words().contains("ended at once"), agent::words);
        }
    }
}
