package io.cleat.server.session;

import io.cleat.base.Ids;
import io.cleat.server.decide.AddNodeEvents;
import io.cleat.server.decide.AddVolumeEvents;
import io.cleat.server.decide.CallProgress;
import io.cleat.server.decide.Command;
import io.cleat.server.decide.EndOperation;
import io.cleat.server.decide.LoseOperation;
import io.cleat.server.decide.ReportAllocations;
import io.cleat.server.decide.ReportFacts;
import io.cleat.server.vault.Vault;
import io.cleat.state.ClusterState;
import io.cleat.state.OperationCall;
import io.cleat.state.OperationRow;
import io.cleat.state.VolumeProgress;
import io.cleat.wire.OrderOutcome;
import io.cleat.wire.ToServer;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a node says, as commands. */
final class Reports {
    private static final Logger LOG = LoggerFactory.getLogger(Reports.class);

    private final String nodeId;
    private final Vault vault;
    private final Ids ids;

    Reports(String nodeId, Vault vault, Ids ids) {
        this.nodeId = nodeId;
        this.vault = vault;
        this.ids = ids;
    }

    /** The command of a message; empty if it asks for none. */
    Optional<Command<?>> command(ToServer message, ClusterState newest) {
        return switch (message) {
            case ToServer.Facts(var facts) ->
                facts.id().equals(nodeId) ? Optional.of(new ReportFacts(facts, ids.next())) : Optional.empty();
            case ToServer.Allocations(var reports) ->
                Optional.of(new ReportAllocations(
                        nodeId, reports.stream().map(Reports::report).toList(), ids.next()));
            case ToServer.NodeEvents(var events) -> Optional.of(new AddNodeEvents(nodeId, events));
            case ToServer.VolumeEvents(var volume, var events) -> Optional.of(new AddVolumeEvents(volume, events));
            case ToServer.OrderDone(String operationId, OrderOutcome outcome) ->
                own(operationId, newest).map(row -> ended(row, outcome, newest));
            case ToServer.OrderState(String operationId, boolean running) ->
                running
                        ? Optional.empty()
                        : own(operationId, newest)
                                .map(row -> new LoseOperation(row.id(), "its node does not run it any more"));
            case ToServer.Heartbeat _,
                    ToServer.Hello _,
                    ToServer.Holds _,
                    ToServer.ServicesWanted _,
                    ToServer.VariablesWanted _ -> Optional.empty();
        };
    }

    private Optional<OperationRow> own(String operationId, ClusterState newest) {
        return newest.operations().get(operationId).filter(row -> row.nodeId().equals(nodeId) && !row.isDone());
    }

    /** Logged where the words are others than those of the try before. */
    private static void log(OperationRow row, OrderOutcome outcome) {
        if (outcome instanceof OrderOutcome.Failed(var effect, String _, String message)
                && !CallProgress.said(row).equals(Optional.of(message))) {
            LOG.info(
                    "operation {}, {} of {}, try {}, effect {}: {}",
                    row.id(),
                    OperationCall.csiName(row.call()),
                    row.call().subject(),
                    row.tries(),
                    effect.name().toLowerCase(Locale.ROOT),
                    message);
        }
    }

    private EndOperation ended(OperationRow row, OrderOutcome outcome, ClusterState newest) {
        log(row, outcome);
        return new EndOperation(row.id(), nodeId, new CallView(newest, vault).toStore(row.call(), outcome), ids.next());
    }

    private static ReportAllocations.Report report(ToServer.AllocReport report) {
        Map<String, VolumeProgress> volumes = new TreeMap<>();
        report.volumes()
                .forEach((alias, volume) -> volumes.put(
                        alias,
                        new VolumeProgress(
                                volume.volume(),
                                volume.epoch(),
                                phase(volume.phase()),
                                volume.expandedTo(),
                                volume.waitingFor())));
        return new ReportAllocations.Report(
                report.allocId(),
                report.status(),
                report.description(),
                report.tasks(),
                volumes,
                report.health(),
                report.address());
    }

    private static VolumeProgress.Phase phase(ToServer.VolumePhase phase) {
        return switch (phase) {
            case NONE -> VolumeProgress.Phase.NONE;
            case MOUNTING -> VolumeProgress.Phase.MOUNTING;
            case PUBLISHED -> VolumeProgress.Phase.PUBLISHED;
            case UNMOUNTING -> VolumeProgress.Phase.UNMOUNTING;
            case UNPUBLISHED -> VolumeProgress.Phase.UNPUBLISHED;
        };
    }
}
