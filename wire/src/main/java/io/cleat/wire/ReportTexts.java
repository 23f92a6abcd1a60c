package io.cleat.wire;

import io.cleat.base.IpText;
import io.cleat.model.AllocAddress;
import io.cleat.model.BlockedBy;
import io.cleat.model.DriverNetwork;
import io.cleat.model.NameRule;
import io.cleat.model.NetworkDns;
import io.cleat.model.NetworkNames;
import io.cleat.model.NodeEvent;
import io.cleat.model.TaskEvent;
import io.cleat.model.TaskState;
import io.cleat.model.VolumeEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What a node reports of allocations and events, made fit to be kept. */
final class ReportTexts {
    /** Events of one message that are kept, the newest. */
    static final int EVENTS = 100;

    /** Tasks of an allocation, and as many volumes. */
    private static final int PARTS = 1_000;

    private static final int MOST_PORT = 65_535;

    private static final int DETAILS = 100;
    private static final int NAME = 255;
    private static final int LINE = 1_024;
    private static final int WORDS = 4_096;

    private final TextBudget budget = new TextBudget(TextBudget.CHARS);

    /**
     * The reports in as many messages as it takes that the server can keep each: all allocations of a node at once may
     * be more than one decision holds.
     */
    static List<ToServer> messages(List<ToServer.AllocReport> reports) {
        List<ToServer> messages = new ArrayList<>();
        List<ToServer.AllocReport> next = new ArrayList<>();
        int used = 0;
        for (ToServer.AllocReport report : reports) {
            ReportTexts texts = new ReportTexts();
            ToServer.AllocReport clean = texts.report(report);
            if (!next.isEmpty() && used + texts.budget.used() > TextBudget.CHARS) {
                messages.add(new ToServer.Allocations(next));
                next = new ArrayList<>();
                used = 0;
            }
            next.add(clean);
            used += texts.budget.used() + LINE;
        }
        messages.add(new ToServer.Allocations(next));
        return messages;
    }

    static List<NodeEvent> nodeEvents(List<NodeEvent> events) {
        TextBudget budget = new TextBudget(TextBudget.CHARS);
        return budget.newest(
                events,
                EVENTS,
                event -> new NodeEvent(
                        budget.line(event.subsystem(), NAME),
                        budget.words(event.message(), WORDS),
                        budget.lines(event.details(), DETAILS, LINE),
                        event.at()));
    }

    static List<VolumeEvent> volumeEvents(List<VolumeEvent> events) {
        TextBudget budget = new TextBudget(TextBudget.CHARS);
        return budget.newest(
                events,
                EVENTS,
                event -> new VolumeEvent(
                        event.at(),
                        budget.line(event.nodeId(), NAME),
                        budget.line(event.call(), NAME),
                        budget.line(event.code(), NAME),
                        event.took(),
                        budget.words(event.message(), WORDS)));
    }

    private ToServer.AllocReport report(ToServer.AllocReport report) {
        return new ToServer.AllocReport(
                report.allocId(),
                report.status(),
                budget.words(report.description(), WORDS),
                named(report.tasks(), this::task),
                named(report.volumes(), this::volume),
                report.health(),
                address(report.address()));
    }

    /** What is no address, or no way to resolve names, is none. */
    private @Nullable AllocAddress address(@Nullable AllocAddress address) {
        return address == null
                ? null
                : new AllocAddress(
                        budget.line(address.interfaceName(), NAME),
                        IpText.canonical(address.address()).orElse(""),
                        IpText.canonical(address.addressIpv6()).orElse(""),
                        dns(address.dns()));
    }

    private @Nullable NetworkDns dns(@Nullable NetworkDns dns) {
        if (dns == null || !NetworkNames.faults(dns).isEmpty()) {
            return null;
        }
        NetworkDns kept = new NetworkDns(lines(dns.servers()), lines(dns.searches()), lines(dns.options()));
        return NetworkNames.faults(kept).isEmpty() ? kept : null;
    }

    private List<String> lines(List<String> texts) {
        return texts.stream().map(text -> budget.line(text, NAME)).toList();
    }

    /** By names of tasks or volumes, which stay as they are; what cannot be one names nothing. */
    private <V> Map<String, V> named(Map<String, V> parts, UnaryOperator<V> clean) {
        Map<String, V> fit = new TreeMap<>(parts);
        fit.keySet().removeIf(name -> NameRule.idFault("name", name).isPresent());
        Map<String, V> kept = new TreeMap<>();
        fit.entrySet().stream().limit(PARTS).forEach(part -> kept.put(part.getKey(), clean.apply(part.getValue())));
        return kept;
    }

    private TaskState task(TaskState task) {
        return new TaskState(
                task.phase(),
                task.failed(),
                task.restarts(),
                task.lastRestart(),
                task.startedAt(),
                task.finishedAt(),
                budget.newest(task.events(), TaskState.EVENTS_KEPT, this::event),
                network(task.network()));
    }

    /** What has no address is nowhere. */
    private @Nullable DriverNetwork network(@Nullable DriverNetwork network) {
        String address =
                network == null ? "" : IpText.canonical(network.address()).orElse("");
        if (network == null || address.isEmpty()) {
            return null;
        }
        Map<String, Integer> ports = new TreeMap<>();
        budget.each(network.ports(), PARTS, NAME, port -> port).forEach((label, port) -> {
            if (port > 0 && port <= MOST_PORT) {
                ports.put(label, port);
            }
        });
        return new DriverNetwork(address, ports, network.advertised());
    }

    private TaskEvent event(TaskEvent event) {
        return new TaskEvent(
                budget.line(event.type(), NAME),
                event.at(),
                budget.words(event.message(), WORDS),
                budget.lines(event.details(), DETAILS, LINE));
    }

    private ToServer.VolumeReport volume(ToServer.VolumeReport volume) {
        return new ToServer.VolumeReport(
                volume.volume(), volume.epoch(), volume.phase(), volume.expandedTo(), waitingFor(volume.waitingFor()));
    }

    private @Nullable BlockedBy waitingFor(@Nullable BlockedBy blocked) {
        return blocked == null
                ? null
                : new BlockedBy(
                        budget.line(blocked.step(), NAME),
                        budget.line(blocked.holder(), LINE),
                        blocked.since(),
                        blocked.nextTry(),
                        budget.words(blocked.hint(), LINE));
    }
}
