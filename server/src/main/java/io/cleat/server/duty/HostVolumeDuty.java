package io.cleat.server.duty;

import io.cleat.base.Effect;
import io.cleat.base.FaultHandler;
import io.cleat.base.LogTrouble;
import io.cleat.server.decide.Command;
import io.cleat.server.decide.EndHostVolume;
import io.cleat.server.decide.HostVolumeMade;
import io.cleat.server.decide.HostVolumeUnanswered;
import io.cleat.state.ClusterState;
import io.cleat.state.HostVolumeOrder;
import io.cleat.state.HostVolumeRow;
import io.cleat.state.NodeRow;
import io.cleat.state.NodeStatus;
import io.cleat.state.TableName;
import io.cleat.wire.ControllerCall;
import io.cleat.wire.ControllerReply;
import io.cleat.wire.OrderOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks nodes again that have not answered whether they have made, or deleted, a host volume: one that was away, or
 * whose server was. Each is asked once at a time about a volume.
 */
final class HostVolumeDuty implements Duty {
    private static final Logger LOG = LoggerFactory.getLogger(HostVolumeDuty.class);
    private static final Duration IDLE = Duration.ofHours(1);

    /** The longest wait for a time: a clock that is set forward makes it come sooner. */
    private static final Duration LOOK_EVERY = Duration.ofSeconds(30);

    /** How many volumes nodes are asked about at once. */
    static final int MOST = 16;

    private final Deciding deciding;
    private final Asking asking;
    private final FaultHandler faults;
    private final Set<String> asked = ConcurrentHashMap.newKeySet();

    /** Asks a node beside this thread. */
    interface Asking {
        /** What becomes of an answer. */
        interface Heard {
            void is(Optional<OrderOutcome> outcome) throws LogTrouble, InterruptedException;
        }

        /**
         * Returns at once.
         *
         * @param heard is told the answer, empty if there was none in time
         * @param over is run whatever has happened
         */
        void ask(HostVolumeRow row, ControllerCall call, Heard heard, Runnable over);
    }

    HostVolumeDuty(Deciding deciding, Asking asking, FaultHandler faults) {
        this.deciding = deciding;
        this.asking = asking;
        this.faults = faults;
    }

    @Override
    public String name() {
        return "host-volumes";
    }

    @Override
    public Set<TableName> tables() {
        return Set.of(TableName.HOST_VOLUMES, TableName.NODES);
    }

    @Override
    public Duration turn() {
        ClusterState state = deciding.newest();
        Instant now = deciding.now();
        Duration idle = IDLE;
        for (HostVolumeRow row : state.hostVolumes().ordered()) {
            HostVolumeOrder order = row.order();
            Instant due = order == null ? null : order.blockedBy().nextTry();
            if (order == null || due == null || !isHeard(state, row)) {
                continue;
            }
            if (due.isAfter(now)) {
                Duration left = Duration.between(now, due);
                idle = shortest(idle, left, LOOK_EVERY);
            } else if (asked.size() >= MOST) {
                idle = shortest(idle, LOOK_EVERY, LOOK_EVERY);
            } else if (asked.add(row.spec().id())) {
                begin(row, order);
            }
        }
        return idle;
    }

    private static Duration shortest(Duration one, Duration left, Duration most) {
        Duration other = left.compareTo(most) < 0 ? left : most;
        return one.compareTo(other) < 0 ? one : other;
    }

    private static boolean isHeard(ClusterState state, HostVolumeRow row) {
        return state.node(row.spec().nodeId()).map(NodeRow::status).equals(Optional.of(NodeStatus.READY));
    }

    private void begin(HostVolumeRow row, HostVolumeOrder order) {
        ControllerCall call = row.deleting()
                ? new ControllerCall.DeleteHostVolume(row.spec())
                : new ControllerCall.MakeHostVolume(row.spec(), order.path());
        try {
            asking.ask(
                    row,
                    call,
                    outcome -> deciding.commit(ended(row, outcome)),
                    () -> asked.remove(row.spec().id()));
        } catch (RuntimeException | Error fault) {
            asked.remove(row.spec().id());
            faults.contain("duty/host-volumes, volume " + row.spec().id(), fault);
        }
    }

    /** What is noted of an answer. */
    static Command<?> ended(HostVolumeRow row, Optional<OrderOutcome> outcome) {
        if (outcome.isEmpty()) {
            return new HostVolumeUnanswered(row.id(), "it has not answered", false);
        }
        return switch (outcome.get()) {
            case OrderOutcome.Done(ControllerReply.HostVolumeMade(String path, long bytes)) ->
                new HostVolumeMade(row.spec().id(), path, bytes);
            case OrderOutcome.Done(ControllerReply.HostVolumeDeleted _) -> new EndHostVolume(row.id(), true);
            case OrderOutcome.Done(ControllerReply other) ->
                new HostVolumeUnanswered(
                        row.id(), "it answered " + other.getClass().getSimpleName(), true);
            case OrderOutcome.Failed failed -> {
                LOG.warn(
                        "the node of host volume {} could not do what it was asked again for: {}; volume status says "
                                + "more",
                        row.spec().id(),
                        failed.code());
                // Nobody is there any more who would be told why a volume is gone again.
                yield new HostVolumeUnanswered(
                        row.id(), failed.message(), failed.effect() == Effect.NONE && !row.deleting());
            }
        };
    }
}
