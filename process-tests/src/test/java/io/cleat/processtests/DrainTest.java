package io.cleat.processtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.CsiVolume;
import io.cleat.api.DrainSpec;
import io.cleat.api.LastDrain;
import io.cleat.api.Node;
import io.cleat.api.NodeDrainRequest;
import io.cleat.api.NodeEligibilityRequest;
import io.cleat.api.NodeStub;
import io.cleat.api.Params;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The only node of a cluster is emptied, with a workload that ignores SIGTERM, and filled again. */
@Timeout(240)
class DrainTest {
    @Test
    void workloadThenVolumeThenPluginThenAllComesBack() throws Exception {
        try (AgentRun agent = AgentRun.prepare()) {
            agent.start();
            CsiVolume volume = agent.create(Words.directory("shared"));
            agent.register(Words.stubborn("job", "shared"));
            String alloc = agent.running("job").ID();
            String plugin = agent.running("local-plugin").ID();
            String node = agent.client().nodes().list(Params.none()).body().stream()
                    .map(NodeStub::ID)
                    .findFirst()
                    .orElseThrow();
            drain(agent, node, new DrainSpec(Duration.ofMinutes(1).toNanos(), false));
            agent.awaits(
                    () -> {
                        // In this order: both may go between the two looks.
                        boolean runs = agent.process(plugin) > 0;
                        assertTrue(
                                runs || agent.calls(volume.ExternalID()).contains("ControllerUnpublishVolume"),
                                "the plugin went before its volume");
                        return isComplete(agent, node);
                    },
                    "the drain is complete");
            assertEquals(0, agent.process(alloc));
            assertEquals(0, agent.process(plugin));
            assertEquals(
                    List.of(
                            "CreateVolume",
                            "ControllerPublishVolume",
                            "NodeStageVolume",
                            "NodePublishVolume",
                            "NodeUnpublishVolume",
                            "NodeUnstageVolume",
                            "ControllerUnpublishVolume"),
                    agent.calls(volume.ExternalID()));

            agent.client().nodes().eligibility(new NodeEligibilityRequest("eligible", node), Params.none());
            agent.running("local-plugin");
            agent.running("job");
        }
    }

    private static void drain(AgentRun agent, String node, DrainSpec spec) throws Exception {
        NodeDrainRequest request = new NodeDrainRequest(spec, false, Map.of("message", "test"), node);
        agent.client().nodes().drain(request, Params.none());
    }

    private static boolean isComplete(AgentRun agent, String id) throws Exception {
        Node node = agent.client().nodes().get(id, Params.none()).body();
        LastDrain last = node.LastDrain();
        return !node.Drain() && last != null && last.Status().equals("complete");
    }
}
