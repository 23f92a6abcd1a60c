package io.cleat.sim;

import io.cleat.base.Effect;
import io.cleat.base.LinkTrouble;
import io.cleat.base.Retry;
import io.cleat.wire.Connector;
import io.cleat.wire.Link;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The network between nodes and the server: links that are slow, break, and are cut. */
final class SimNet {
    /** After how long, at most, an end notices that nothing comes any more. */
    private static final int NOTICE_MS = 25_000;

    private final Scheduler scheduler;
    private final Chaos chaos;
    private final Trace trace;
    private final TreeSet<String> cut = new TreeSet<>();
    private final List<Wire<?, ?>> wires = new ArrayList<>();

    SimNet(Scheduler scheduler, Chaos chaos, Trace trace) {
        this.scheduler = scheduler;
        this.chaos = chaos;
        this.trace = trace;
    }

    /** Both ends of a link. */
    private final class Wire<U, D> {
        private final String machine;
        private final End<U, D> agent;
        private final End<D, U> server;
        private boolean isSevered;

        private Wire(String machine, SimProcess agentProcess, SimProcess serverProcess) {
            this.machine = machine;
            this.agent = new End<>(agentProcess, this);
            this.server = new End<>(serverProcess, this);
            agent.peer = server;
            server.peer = agent;
        }

        /** Nothing arrives any more; each end notices when it does. */
        private void sever() {
            if (!isSevered) {
                isSevered = true;
                agent.arriving.clear();
                server.arriving.clear();
                scheduler.in(chaos.upTo(NOTICE_MS), agent::broken);
                scheduler.in(chaos.upTo(NOTICE_MS), server::broken);
            }
        }

        private boolean isOver() {
            return agent.isClosed && server.isClosed;
        }
    }

    /** One end of a link. */
    private final class End<O, I> implements Link<O, I> {
        private final SimProcess owner;
        private final Wire<?, ?> wire;
        private final ArrayDeque<Arriving<I>> arriving = new ArrayDeque<>();
        private final Signal changed = new Signal();
        private @Nullable End<I, O> peer;
        private boolean isClosed;
        private long lastArrival;

        private End(SimProcess owner, Wire<?, ?> wire) {
            this.owner = owner;
            this.wire = wire;
        }

        @Override
        public void send(O message) throws LinkTrouble {
            End<I, O> to = peer;
            if (isClosed || to == null) {
                throw closed();
            }
            if (!wire.isSevered) {
                to.arrives(message);
            }
        }

        private void arrives(I message) {
            lastArrival = Math.max(
                    lastArrival, scheduler.nanos() + chaos.latency(2, 4_000).toNanos());
            arriving.add(new Arriving<>(lastArrival, message));
            scheduler.at(lastArrival, changed::all);
        }

        @Override
        public I receive() throws LinkTrouble, InterruptedException {
            while (true) {
                Arriving<I> first = arriving.peek();
                if (first != null && first.at <= scheduler.nanos()) {
                    arriving.remove();
                    return first.message;
                }
                if (isClosed && first == null) {
                    throw closed();
                }
                changed.await();
            }
        }

        @Override
        public void close() {
            if (!isClosed) {
                broken();
                End<I, O> other = peer;
                if (other != null && !wire.isSevered) {
                    scheduler.in(chaos.latency(2, 4_000), other::broken);
                }
            }
        }

        private void broken() {
            isClosed = true;
            changed.all();
        }
    }

    private record Arriving<M>(long at, M message) {}

    boolean isCut(SimMachine machine) {
        return cut.contains(machine.name);
    }

    void cut(SimMachine machine) {
        if (cut.add(machine.name)) {
            trace.say(machine.name, "is cut off");
            trace.count("nodes cut off");
            List.copyOf(wires).stream()
                    .filter(wire -> wire.machine.equals(machine.name))
                    .forEach(Wire::sever);
        }
    }

    void heal(SimMachine machine) {
        if (cut.remove(machine.name)) {
            trace.say(machine.name, "is connected again");
        }
    }

    /** A process was killed: its ends of links are gone, and the kernel tells the others. */
    void died(SimProcess process) {
        for (Wire<?, ?> wire : List.copyOf(wires)) {
            if (wire.agent.owner == process) {
                wire.agent.close();
            } else if (wire.server.owner == process) {
                wire.server.close();
            }
        }
    }

    /** How an agent reaches the server that runs then. */
    Connector connector(SimMachine machine, SimProcess agent, Supplier<@Nullable SimServer> servers) {
        return deadline -> {
            agent.sleep(chaos.latency(2, 3_000));
            SimServer server = servers.get();
            if (isCut(machine)) {
                agent.sleep(
                        deadline.atMost(Duration.ofMillis(chaos.below(10_000))).left());
                throw new LinkTrouble("no route to the server", Effect.NONE, Retry.SAME_CALL);
            }
            if (server == null || !server.process.isAlive()) {
                throw new LinkTrouble("connection refused", Effect.NONE, Retry.SAME_CALL);
            }
            wires.removeIf(Wire::isOver);
            Wire<ToServer, ToNode> wire = new Wire<>(machine.name, agent, server.process);
            wires.add(wire);
            server.process.contained(
                    "session",
                    () -> {
                        try (wire.server) {
                            server.server.sessions().serve(wire.server);
                        }
                    },
                    fault -> wire.server.close());
            return wire.agent;
        };
    }

    private static LinkTrouble closed() {
        return new LinkTrouble("the link is closed", Effect.UNKNOWN, Retry.SAME_CALL);
    }
}
