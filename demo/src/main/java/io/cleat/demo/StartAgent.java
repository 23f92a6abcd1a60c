package io.cleat.demo;

import io.cleat.api.AgentConfig;
import io.cleat.api.NodeDriver;
import io.cleat.api.NodeStub;
import io.cleat.api.Params;
import io.cleat.kernel.ProcessIdentity;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Step 1: a dev agent starts. */
final class StartAgent {
    private static final String DOCKER = "docker";

    private final DemoContext context;
    private final Path launcher;

    /** @param launcher the program that is being run */
    StartAgent(DemoContext context, Path launcher) {
        this.context = context;
        this.launcher = launcher;
    }

    /**
     * The agent, running.
     *
     * @param node its id
     * @param driver what plugin and workloads are to run under
     */
    record Started(String node, String driver) {}

    Started play() throws CheckFailed, InterruptedException {
        context.tell()
                .step("A dev agent starts: server and node in one process, data in a temporary directory, a free port");
        if (context.image().isPresent()) {
            context.image().get().bring(context, launcher);
        }
        context.agent().start();
        String leader = context.polling().until("the API answers and has a leader", this::leader);
        context.tell().verified("API", context.cluster().address() + ", leader " + leader);
        NodeStub node = context.polling().until("the node is ready", this::node);
        context.tell().verified("node", node.Name() + " (" + Cluster.brief(node.ID()) + ") is ready");
        process();
        return new Started(node.ID(), driver(node.ID()));
    }

    /** What was asked for; else {@code exec}, if the node says that it works. */
    private String driver(String nodeId) throws CheckFailed, InterruptedException {
        if (context.driver().equals(DOCKER)) {
            // An engine that has much to do answers a little later.
            var _ = context.polling()
                    .until(
                            "the driver docker is healthy",
                            () -> context.cluster().healthyDriver(nodeId, DOCKER));
            context.tell().verified("driver", "docker: plugin and workloads in containers of that image");
            return context.driver();
        }
        NodeDriver exec = context.cluster().driver(nodeId, "exec");
        if (context.driver().equals("raw_exec")) {
            context.tell().verified("driver", "raw_exec, as asked for");
            return context.driver();
        }
        if (!exec.Healthy()) {
            context.tell().verified("driver", "raw_exec: " + exec.HealthDescription());
            return "raw_exec";
        }
        Map<String, String> attributes = exec.Attributes();
        String runtime = attributes == null ? "" : attributes.getOrDefault("driver.exec.runtime", "");
        CheckFailed.unless(
                Files.isExecutable(Path.of(runtime)),
                "the driver exec",
                "an OCI runtime that made a container here",
                runtime);
        context.tell().verified("driver", "exec: plugin and workloads in containers by " + runtime);
        return "exec";
    }

    private String leader() throws CheckFailed {
        String leader = context.cluster().ask("the leader", c -> c.agent().leader());
        CheckFailed.unless(!leader.isEmpty(), "the leader", "an address", "none elected yet");
        return leader;
    }

    private NodeStub node() throws CheckFailed {
        List<NodeStub> nodes = context.cluster()
                .ask("the nodes", c -> c.nodes().list(Params.none()).body());
        CheckFailed.unless(nodes.size() == 1, "the nodes", "one", nodes.size());
        NodeStub node = nodes.getFirst();
        CheckFailed.unless(node.Status().equals("ready"), "node " + node.Name(), "ready", node.Status());
        return node;
    }

    private void process() throws CheckFailed {
        ProcessIdentity agent = context.workplace().agent();
        CheckFailed.unless(
                agent.pid() == context.agent().pid(),
                "agent.pid",
                "the process that the launcher became, " + context.agent().pid(),
                agent.pid());
        OurProcess process = OurProcess.of(agent.pid())
                .filter(found -> found.identity().equals(agent))
                .orElseThrow(() -> new CheckFailed("agent.pid", "a live process", agent.toString()));
        Path program = process.program();
        CheckFailed.unless(program.endsWith("java"), "the agent's program", "a JVM", program);
        AgentConfig config =
                context.cluster().ask("the agent", c -> c.agent().self()).config();
        CheckFailed.unless(
                config.Server().Enabled() && config.Client().Enabled(), "the agent", "both server and node", config);
        context.tell().verified("one process", "server and node are the JVM with " + process.brief());
    }
}
