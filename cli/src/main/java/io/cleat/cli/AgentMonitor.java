package io.cleat.cli;

import io.cleat.api.LogFrame;
import io.cleat.api.LogStream;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.LinkTrouble;
import java.util.Optional;

/** {@code monitor}: what an agent logs, as it does. */
final class AgentMonitor {
    static final Verb VERB = Verb.named("monitor", "Print what an agent logs, as it does")
            .about("Prints what the agent that is asked logs from now on, or the agent of"
                    + " another node, until interrupted. It does not show what was"
                    + " logged before.")
            .flags(
                    Flag.value(
                            "log-level",
                            "level",
                            "From which level on: trace, debug, info, warn or error. Default: info."),
                    Flag.value("node-id", "node", "The agent of this node."),
                    Flag.yes("json", "Each line as a JSON object."))
            .examples("cleat monitor", "cleat monitor -log-level=debug -node-id=2ac3ba71")
            .does(AgentMonitor::print);

    private AgentMonitor() {}

    private static int print(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        Optional<String> node = call.flags().value("node-id");
        String nodeId = node.isPresent() ? NodeVerbs.find(call.client(), node.get()) : "";
        LogOutput output = new LogOutput.All(call);
        try (LogStream stream = call.client()
                .agent()
                .monitor(
                        call.flags().value("log-level").orElse("info"),
                        call.flags().has("json"),
                        nodeId)) {
            for (Optional<LogFrame> frame = stream.next(); frame.isPresent(); frame = stream.next()) {
                output.add(frame.get(), true);
            }
        }
        output.end();
        return 0;
    }
}
