package io.cleat.agent.report;

import io.cleat.agent.template.NodeServices;
import io.cleat.agent.template.NodeVariables;
import io.cleat.base.BackOff;
import io.cleat.base.Chance;
import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.LinkTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.model.NodeFacts;
import io.cleat.wire.Connector;
import io.cleat.wire.Link;
import io.cleat.wire.SaidByNode;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import io.cleat.wire.WireVersions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a link to a server: opens it, greets, says everything, and hands on what comes, until told to end. When the
 * link breaks it opens another, with back-off; what runs on the node does not notice.
 */
public final class ServerSession {
    private static final Logger LOG = LoggerFactory.getLogger(ServerSession.class);
    private static final Duration CONNECT_WITHIN = Duration.ofSeconds(10);
    private static final int HELD_AT_ONCE = 1000;

    /** What is done with what a server says. Called on the receiving thread, in order; returns soon. */
    public interface Assigned {
        /** All that the server wants, as of a version; what is not in it is wanted no more. */
        void assign(long version, List<ToNode.Assignment> allocations) throws InterruptedException;

        /**
         * What the server wants in another way than it last said.
         *
         * @param gone the ids of those that are wanted no more
         */
        void change(long version, List<ToNode.Assignment> allocations, List<String> gone) throws InterruptedException;

        /** The allocations that the node knows, for a new link. */
        Collection<String> known();

        /** How an allocation is now; empty once nothing of it is left. */
        Optional<ToServer.AllocReport> report(String allocId);

        /** All of which something may be mounted or staged here, whoever knows of it. */
        List<ToServer.Held> held();

        /** From now on a lower version is acted on too: the server's past is another one. */
        void beginAnew();
    }

    private final Connector connector;
    private final String nodeSecret;
    private final LastObeyed obeyed;
    private final Supplier<NodeFacts> facts;
    private final Assigned assigned;
    private final Orders orders;
    private final Outbox outbox;
    private final NodeVariables variables;
    private final NodeServices services;
    private final Threads threads;
    private final Time time;
    private final Chance chance;
    private volatile boolean isLinked;
    private final BackOff backOff = new BackOff(Duration.ofMillis(100), Duration.ofSeconds(15));

    public ServerSession(
            Connector connector,
            String nodeSecret,
            LastObeyed obeyed,
            Supplier<NodeFacts> facts,
            Assigned assigned,
            Orders orders,
            Outbox outbox,
            NodeVariables variables,
            NodeServices services,
            Threads threads,
            Time time,
            Chance chance) {
        this.connector = connector;
        this.nodeSecret = nodeSecret;
        this.obeyed = obeyed;
        this.facts = facts;
        this.assigned = assigned;
        this.orders = orders;
        this.outbox = outbox;
        this.variables = variables;
        this.services = services;
        this.threads = threads;
        this.time = time;
        this.chance = chance;
    }

    /** Runs until interrupted. */
    public void run() throws InterruptedException {
        for (int failures = 0; ; failures++) {
            try (Link<ToServer, ToNode> link = connector.connect(Deadline.in(time, CONNECT_WITHIN))) {
                ToNode.Welcome welcome = greet(link);
                failures = 0;
                LOG.info("connected to cluster {}", welcome.clusterId());
                isLinked = true;
                talk(link, welcome);
            } catch (LinkTrouble trouble) {
                LOG.warn("no link to a server: {}", trouble.reason());
            } catch (RuntimeException | Error fault) {
                // Of a message of the server, or of what is said to it: it is all said anew.
                threads.faults().contain("session/link", fault);
            } finally {
                isLinked = false;
            }
            time.sleep(backOff.wait(failures, chance));
        }
    }

    /** Whether a server has let this node in, and the link has not broken since. */
    public boolean isLinked() {
        return isLinked;
    }

    private ToNode.Welcome greet(Link<ToServer, ToNode> link) throws LinkTrouble, InterruptedException {
        NodeFacts self = facts.get();
        Optional<String> fault = SaidByNode.fault(self);
        if (fault.isPresent()) {
            throw notLetIn(fault.get());
        }
        link.send(new ToServer.Hello(
                // Of whoever is older nobody knows yet what it speaks.
                WireVersions.OURS.oldest(), nodeSecret, SaidByNode.clean(self), obeyed.past()));
        ToNode answer = link.receive();
        if (answer instanceof ToNode.Tell) {
            for (ToServer holds : holds()) {
                link.send(holds);
            }
            answer = link.receive();
        }
        if (answer instanceof ToNode.Welcome welcome) {
            Optional<String> stranger = obeyed.join(welcome.clusterId(), welcome.reign());
            if (stranger.isPresent()) {
                throw notLetIn(stranger.get());
            }
            if (welcome.anew()) {
                LOG.warn(
                        "this node has acted on what the servers of cluster {} do not know, and a"
                                + " person has ended their recovery: what they do not know is ended"
                                + " here",
                        welcome.clusterId());
                obeyed.beginAnew(welcome.reign());
                assigned.beginAnew();
                orders.beginAnew();
            }
            return welcome;
        }
        String reason = answer instanceof ToNode.Rejected(String why) ? why : "it answered " + answer;
        throw notLetIn(reason);
    }

    /** In messages that are small enough for any link. */
    private List<ToServer> holds() {
        List<ToServer.Held> all = assigned.held();
        List<ToServer> messages = new ArrayList<>();
        for (int from = 0; from == 0 || from < all.size(); from += HELD_AT_ONCE) {
            int to = Math.min(all.size(), from + HELD_AT_ONCE);
            messages.add(new ToServer.Holds(all.subList(from, to), to == all.size()));
        }
        return messages;
    }

    private static LinkTrouble notLetIn(String reason) {
        return new LinkTrouble("the server did not let this node in: " + reason, Effect.NONE, Retry.SAME_CALL);
    }

    private void talk(Link<ToServer, ToNode> link, ToNode.Welcome welcome) throws LinkTrouble, InterruptedException {
        outbox.startOver(assigned.known());
        if (link.saysMoreThanAtFirst()) {
            outbox.factsChanged();
        }
        variables.wanted().forEach(outbox::say);
        services.wanted().forEach(outbox::say);
        Thread sender =
                threads.contained("session/send", () -> untilClosed(link, this::sendOnce), fault -> link.close());
        Thread heart = threads.contained(
                "session/heartbeat", () -> untilClosed(link, new Heart(welcome.heartbeat())), fault -> link.close());
        AssignmentsOfLink told = new AssignmentsOfLink(obeyed, assigned);
        try {
            for (; ; ) {
                hear(link.receive(), told);
            }
        } finally {
            link.close();
            sender.interrupt();
            heart.interrupt();
            // A sender that lived on would take what is for the next link, and lose it.
            sender.join();
        }
    }

    private void hear(ToNode message, AssignmentsOfLink assignments) throws LinkTrouble, InterruptedException {
        switch (message) {
            case ToNode.Assignments part -> assignments.hear(part);
            case ToNode.AssignmentChanges changes -> assignments.hear(changes);
            case ToNode.Order order -> orders.begin(order);
            case ToNode.AskOrder(String operationId) ->
                outbox.say(orders.outcome(operationId)
                        .<ToServer>map(outcome -> new ToServer.OrderDone(operationId, outcome))
                        .orElseGet(() -> new ToServer.OrderState(operationId, orders.isRunning(operationId))));
            case ToNode.TaskVariables told -> variables.hear(told);
            case ToNode.ServicePlaces told -> services.hear(told);
            case ToNode.Tell _ -> holds().forEach(outbox::say);
            case ToNode.HeartbeatSeen seen -> LOG.trace("heartbeat {} seen", seen.number());
            case ToNode.Welcome welcome -> LOG.debug("greeted twice by {}", welcome.clusterId());
            case ToNode.Rejected(String why) -> LOG.warn("the server wants no more of this node: {}", why);
        }
    }

    private void sendOnce(Link<ToServer, ToNode> link) throws LinkTrouble, InterruptedException {
        for (ToServer message : outbox.take(facts, assigned::report)) {
            for (ToServer clean : SaidByNode.clean(message)) {
                link.send(clean);
            }
        }
    }

    /** What one of a link's threads does, again and again. */
    private interface Turn {
        void take(Link<ToServer, ToNode> link) throws LinkTrouble, InterruptedException;
    }

    private static void untilClosed(Link<ToServer, ToNode> link, Turn turn) throws InterruptedException {
        try {
            for (; ; ) {
                turn.take(link);
            }
        } catch (LinkTrouble closed) {
            link.close();
        }
    }

    /** Beats twice in each period that the server waits. */
    private final class Heart implements Turn {
        private final Duration pause;
        private long number;

        Heart(Duration period) {
            this.pause = period.dividedBy(2);
        }

        @Override
        public void take(Link<ToServer, ToNode> link) throws LinkTrouble, InterruptedException {
            link.send(new ToServer.Heartbeat(number++));
            time.sleep(pause);
        }
    }
}
