package io.cleat.agent.plugins;

import io.cleat.agent.host.HostVolumes;
import io.cleat.agent.report.News;
import io.cleat.agent.report.Orders;
import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.Lanes;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.base.Trouble;
import io.cleat.csi.CsiPluginEnded;
import io.cleat.csi.CsiTrouble;
import io.cleat.model.CallEnd;
import io.cleat.wire.ControllerCall;
import io.cleat.wire.ControllerReply;
import io.cleat.wire.OrderOutcome;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Makes the controller calls that a server orders: those about one volume one after the other, others side by side. An
 * order of an older reign than the newest seen is refused.
 *
 * <p>Guarded by {@code lock}, never held during a call.
 */
public final class ControllerOrders implements Orders {
    /** How long a call may take over all its tries. */
    private static final Duration WITHIN = Duration.ofMinutes(7);

    private static final int OUTCOMES_KEPT = 1000;

    private final LivePlugins plugins;
    private final Optional<HostVolumes> hosts;
    private final News news;
    private final Time time;
    private final Lanes<String> lanes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<String> running = new HashSet<>();
    private final Map<String, OrderOutcome> outcomes = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, OrderOutcome> eldest) {
            return size() > OUTCOMES_KEPT;
        }
    };
    private long newestReign;

    /** Of a node on which no host volumes are made. */
    public ControllerOrders(LivePlugins plugins, News news, Threads threads, Time time) {
        this(plugins, Optional.empty(), news, threads, time);
    }

    /** @param hosts what makes host volumes here; empty for nothing */
    public ControllerOrders(LivePlugins plugins, Optional<HostVolumes> hosts, News news, Threads threads, Time time) {
        this.plugins = plugins;
        this.hosts = hosts;
        this.news = news;
        this.time = time;
        this.lanes = Lanes.contained("order", threads);
    }

    @Override
    public void begin(ToNode.Order order) {
        Optional<OrderOutcome> known;
        lock.lock();
        try {
            if (running.contains(order.operationId())) {
                return;
            }
            if (order.reign() < newestReign) {
                known = Optional.of(new OrderOutcome.Failed(
                        Effect.NONE,
                        "Aborted",
                        "the order is of an earlier reign of the servers than one already seen"));
            } else {
                // The same operation may be ordered anew after an outcome that left it unknown.
                newestReign = order.reign();
                outcomes.remove(order.operationId());
                running.add(order.operationId());
                known = Optional.empty();
            }
        } finally {
            lock.unlock();
        }
        if (known.isPresent()) {
            news.orderDone(new ToServer.OrderDone(order.operationId(), known.get()));
        } else {
            lanes.run(
                    order.pluginId() + "/" + subject(order.call()),
                    () -> done(order, outcomeOf(order)),
                    fault -> done(order, unknown(fault)));
        }
    }

    @Override
    public void beginAnew() {
        lock.lock();
        try {
            newestReign = 0;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isRunning(String operationId) {
        lock.lock();
        try {
            return running.contains(operationId);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Optional<OrderOutcome> outcome(String operationId) {
        lock.lock();
        try {
            return Optional.ofNullable(outcomes.get(operationId));
        } finally {
            lock.unlock();
        }
    }

    /** What a call is about: calls about one thing are made one after the other. */
    private static String subject(ControllerCall call) {
        return switch (call) {
            case ControllerCall.Create create -> "name " + create.name();
            case ControllerCall.Delete delete -> delete.externalId();
            case ControllerCall.Publish publish -> publish.externalId();
            case ControllerCall.Unpublish unpublish -> unpublish.externalId();
            case ControllerCall.Validate validate -> validate.externalId();
            case ControllerCall.ListVolumes list -> "list " + list.token();
            case ControllerCall.Expand expand -> expand.externalId();
            // Plugins lock the volume for it.
            case ControllerCall.CreateSnapshot create -> create.sourceExternalId();
            case ControllerCall.DeleteSnapshot delete -> "snapshot " + delete.snapshotId();
            case ControllerCall.ListSnapshots list -> "snapshots " + list.token();
            case ControllerCall.Capacity _ -> "capacity";
            // A node has each name once; others do not wait for a slow plugin.
            case ControllerCall.MakeHostVolume make -> "host " + make.spec().name();
            case ControllerCall.DeleteHostVolume delete ->
                "host " + delete.spec().name();
        };
    }

    /** The plugin may have done it, whatever it has answered. */
    private static OrderOutcome unknown(Throwable fault) {
        return new OrderOutcome.Failed(
                Effect.UNKNOWN, "Internal", "a fault of the agent that called the plugin, see its log: " + fault);
    }

    private void done(ToNode.Order order, OrderOutcome outcome) {
        lock.lock();
        try {
            running.remove(order.operationId());
            outcomes.put(order.operationId(), outcome);
        } finally {
            lock.unlock();
        }
        news.orderDone(new ToServer.OrderDone(order.operationId(), outcome));
    }

    private OrderOutcome outcomeOf(ToNode.Order order) throws InterruptedException {
        return switch (order.call()) {
            case ControllerCall.MakeHostVolume(var spec, String path) -> ofHost(there -> there.make(spec, path));
            case ControllerCall.DeleteHostVolume(var spec) -> ofHost(there -> there.delete(spec));
            default -> ofPlugin(order);
        };
    }

    /** What is done with the host volumes of this node. */
    private interface HostCall {
        ControllerReply make(HostVolumes there) throws Trouble, InterruptedException;
    }

    private OrderOutcome ofHost(HostCall call) throws InterruptedException {
        if (hosts.isEmpty()) {
            return new OrderOutcome.Failed(Effect.NONE, CallEnd.NOT_MADE, "no host volumes are made on this node");
        }
        try {
            return new OrderOutcome.Done(call.make(hosts.get()));
        } catch (Trouble trouble) {
            return new OrderOutcome.Failed(
                    trouble.effect() == Effect.NONE ? Effect.NONE : Effect.UNKNOWN, "Internal", trouble.reason());
        }
    }

    private OrderOutcome ofPlugin(ToNode.Order order) throws InterruptedException {
        Optional<LivePlugins.Live> live = plugins.instance(PluginKind.CONTROLLER, order.pluginId(), order.allocId());
        if (live.isEmpty()) {
            return new OrderOutcome.Failed(
                    Effect.NONE,
                    CallEnd.NOT_MADE,
                    "CSI client error (retryable): the instance "
                            + order.allocId()
                            + " of plugin "
                            + order.pluginId()
                            + " is not on this node");
        }
        try {
            return new OrderOutcome.Done(
                    new ControllerCalls(live.get().channel(), Deadline.in(time, WITHIN)).make(order.call()));
        } catch (CsiTrouble trouble) {
            return new OrderOutcome.Failed(
                    trouble.effect() == Effect.NONE ? Effect.NONE : Effect.UNKNOWN, code(trouble), trouble.reason());
        }
    }

    private static String code(CsiTrouble trouble) {
        if (trouble instanceof CsiPluginEnded ended) {
            return ended.isWithheld() ? CallEnd.WITHHELD : CallEnd.PLUGIN_ENDED;
        }
        return trouble.code().text();
    }
}
