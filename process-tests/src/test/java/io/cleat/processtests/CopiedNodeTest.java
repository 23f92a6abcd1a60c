package io.cleat.processtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.Node;
import io.cleat.api.NodeQuarantineRequest;
import io.cleat.api.NodeStub;
import io.cleat.api.Params;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Two agents with copies of one data directory: the second is not let in, and the first goes on. */
final class CopiedNodeTest {
    private final Workplace place;
    private final AgentProcess server;
    private final AgentProcess node;
    private final AgentProcess copy;
    private final Api api;

    CopiedNodeTest() throws Exception {
        Assumptions.assumeTrue(
                "root".equals(System.getProperty("user.name")),
                "reason: a node needs root, and the tests run as another user");
        AgentProcess.build();
        place = new Workplace();
        Path data = place.root.resolve("s");
        server = new AgentProcess(data, List.of(), "-server");
        node = client("n", data);
        copy = client("copy", data);
        api = new Api(server.client());
    }

    private AgentProcess client(String directory, Path servers) throws Exception {
        return new AgentProcess(place.root.resolve(directory), List.of(), "-client", "-node=n", "-servers=" + servers);
    }

    @AfterEach
    void clear() throws Exception {
        Stream.of(server, node, copy).forEach(AgentProcess::close);
        place.clear();
    }

    @Test
    void aCopiedDataDirectory_isQuarantinedUntilAPersonDecides() throws Exception {
        server.start();
        node.start();
        api.awaitNode("n", "ready");
        node.end();
        Process copying = new ProcessBuilder(
                        "cp",
                        "-a",
                        place.root.resolve("n").toString(),
                        place.root.resolve("copy").toString())
                .inheritIO()
                .start();
        assertEquals(0, copying.waitFor());
        node.start();
        api.awaitNode("n", "ready");
        copy.start();
        Api.await(() -> copy.words().contains("node n is quarantined"), "the copy is turned away");
        assertTrue(copy.words().contains("another data directory"), copy::words);
        NodeStub shown = api.client().nodes().list(Params.none()).body().getFirst();
        assertEquals("ready", shown.Status());
        assertEquals("ineligible", shown.SchedulingEligibility());
        assertTrue(shown.StatusDescription().startsWith(Node.QUARANTINED), shown::StatusDescription);

        copy.end();
        api.client().nodes().quarantine(new NodeQuarantineRequest(false, "", shown.ID()), Params.none());
        NodeStub after = api.client().nodes().list(Params.none()).body().getFirst();
        assertEquals("ready", after.Status());
        assertEquals("eligible", after.SchedulingEligibility());
    }
}
