package io.cleat.bench;

import io.cleat.base.Deadline;
import io.cleat.base.LinkTrouble;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.wire.Connector;
import io.cleat.wire.Link;
import io.cleat.wire.OrderOutcome;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import io.cleat.wire.WireFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A node of a {@link Crowd}: it does at once whatever its server wants, and comes back when its link is over. */
final class CrowdNode {
    private static final Duration AGAIN = Duration.ofMillis(250);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final String id;
    private final Connector connector;
    private final Threads threads;
    private final Runnable letIn;
    private final SystemTime time = new SystemTime();
    private final PlayedWork work = new PlayedWork();

    /** @param letIn what is done each time that the server lets it in */
    CrowdNode(String id, Connector connector, Threads threads, Runnable letIn) {
        this.id = id;
        this.connector = connector;
        this.threads = threads;
        this.letIn = letIn;
    }

    /** Serves for ever. */
    void run() throws InterruptedException {
        while (true) {
            try (Link<ToServer, ToNode> link = connector.connect(Deadline.in(time, PATIENCE))) {
                link.send(new ToServer.Hello(WireFormat.VERSION, "secret of " + id, ModelSpecs.node(id), null));
                while (true) {
                    took(link, link.receive());
                }
            } catch (LinkTrouble over) {
                // The server is away for a while.
                time.sleep(AGAIN);
            }
        }
    }

    private void took(Link<ToServer, ToNode> link, ToNode message) throws LinkTrouble, InterruptedException {
        switch (message) {
            case ToNode.Welcome welcome -> {
                threads.vitalWork("crowd/heart", () -> beat(link, welcome.heartbeat()));
                say(link, work.all());
                letIn.run();
            }
            case ToNode.Rejected(String reason) -> throw new IllegalStateException(id + ": " + reason);
            case ToNode.Assignments assignments -> assigned(link, assignments.allocations());
            case ToNode.AssignmentChanges changes -> {
                work.gone(changes.gone());
                assigned(link, changes.allocations());
            }
            case ToNode.Order order ->
                link.send(new ToServer.OrderDone(
                        order.operationId(), new OrderOutcome.Done(PlayedWork.succeeded(order.call()))));
            default -> {}
        }
    }

    private void assigned(Link<ToServer, ToNode> link, List<ToNode.Assignment> all)
            throws LinkTrouble, InterruptedException {
        List<ToServer.AllocReport> reports = new ArrayList<>();
        for (ToNode.Assignment one : all) {
            work.assigned(one).ifPresent(reports::add);
        }
        say(link, reports);
    }

    private static void say(Link<ToServer, ToNode> link, List<ToServer.AllocReport> reports)
            throws LinkTrouble, InterruptedException {
        if (!reports.isEmpty()) {
            link.send(new ToServer.Allocations(reports));
        }
    }

    private void beat(Link<ToServer, ToNode> link, Duration period) throws InterruptedException {
        try {
            for (long number = 0; ; number++) {
                time.sleep(period);
                link.send(new ToServer.Heartbeat(number));
            }
        } catch (LinkTrouble over) {
            link.close();
        }
    }
}
